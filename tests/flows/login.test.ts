// Login after a reload, with several accounts, and with a relay that lies or is down.
// Specification: core 6, core 7
import { accountOf, expect, expectCalls, test } from './wallet.js';

test('a reload closes the session, and a silent login opens it again', async ({ wallet, stack }) => {
  wallet.reload();
  expect(await wallet.state()).toMatchObject({ isLoggedIn: false });
  await wallet.logIn();
  expect(wallet.prompts).toEqual(['create']);
  await wallet.greet('after the reload');
  expect(await stack.oracle.greeting()).toBe('after the reload');
});

test('two accounts on one device stay separate', async ({ open, stack, username }) => {
  const wallet = await open();
  const accounts = [accountOf(`${username}-a`), accountOf(`${username}-b`)];
  for (const accountId of accounts) {
    await wallet.register(accountId);
    await wallet.logOut();
  }
  for (const nearAccountId of accounts) {
    await wallet.logIn(nearAccountId);
    const params = { message: `I am ${nearAccountId}`, recipient: 'app.example' };
    const signed = await wallet.manager.signNEP413Message({ nearAccountId, params });
    expect(signed).toMatchObject({ success: true, accountId: nearAccountId });
    await stack.oracle.verifyMessage({
      ...params,
      accountId: nearAccountId,
      publicKey: signed.publicKey ?? '',
      signature: signed.signature ?? '',
      nonce: signed.nonce ?? '',
    });
    await wallet.logOut();
  }
  expect(wallet.prompts).toEqual(['create', 'create', 'get', 'get']);
  expect(wallet.passkeys).toHaveLength(2);
  const keys = await Promise.all(accounts.map((id) => stack.oracle.fullAccessKeys(id)));
  expect(new Set(keys.flat()).size).toBe(2);
});

test('a wrong number from the relay opens no session: the passkey does', async ({
  wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/lock/i);
  await wallet.logOut();
  const rewrite = (answer: object) => ({
    ...answer,
    kek_c_b64u: Buffer.alloc(255, 7).toString('base64url'),
  });
  wallet.relay.fail('/vrf/remove-server-lock', { kind: 'rewrite-answer', rewrite });
  expect(await wallet.manager.loginPasskey(wallet.accountId)).toMatchObject({ success: true });
  expect(wallet.prompts).toEqual(['create', 'get']);
  await wallet.greet('by passkey');
  expect(await stack.oracle.greeting()).toBe('by passkey');
});

test('the passkey opens the session while the relay is down, and the account pays', async ({
  wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/server lock/i);
  await wallet.logOut();
  wallet.relay.fail('*', { kind: 'refuse' });
  const login = await wallet.during(async () => {
    const { success, unlockedBy } = await wallet.manager.loginPasskey(wallet.accountId);
    expect({ success, unlockedBy }).toEqual({ success: true, unlockedBy: 'passkey' });
  });
  expect(login.prompts).toEqual(['get']);
  expectCalls(login.rpc, ['query:view_access_key']);
  await wallet.greet('still here');
  expect(await stack.oracle.greeting()).toBe('still here');
});

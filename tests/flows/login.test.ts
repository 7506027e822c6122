// Login after a reload, with several accounts, after the lock key or the chain has changed, and against a relay that lies or is down.
// Specification: core 6, core 7
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runRelayCommand, startChain, startRelay } from '../../dev/services/services.js';
import { CHAIN, ORIGIN } from '../faults/stack.js';
import { startFaultProxy } from '../support/fault-proxy.js';
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

test('a login after the relay changed its lock key wraps the key again, and the next one uses the new lock key', async ({
  open,
  stack,
  username,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-rotated-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lockKeyFile = join(folder, 'lock-key.json');
  const options = { port: 0, chainUrl: stack.chainUrl, appOrigin: ORIGIN, lockKeyFile };
  const relay = await startRelay(options);
  onTestFinished(() => relay.stop());
  const proxy = await startFaultProxy(relay.url);
  onTestFinished(proxy.close);
  const wallet = await open({ config: { relayer: { url: proxy.url } } });
  await wallet.register(accountOf(username));
  const currentKey = async () => (await (await fetch(`${relay.url}/shamir/key-info`)).json()).currentKeyId;
  const former = await currentKey();
  await runRelayCommand(['rotate-lock-key'], options);
  await expect.poll(currentKey).not.toBe(former);

  for (const more of [['/vrf/apply-server-lock'], []]) {
    await wallet.logOut();
    const before = proxy.calls.length;
    await wallet.logIn();
    const paths = ['/shamir/key-info', ...more, '/vrf/remove-server-lock'];
    await expect
      .poll(() =>
        proxy.calls
          .slice(before)
          .map(({ name }) => name)
          .sort(),
      )
      .toEqual(paths);
  }
  expect(wallet.prompts).toEqual(['create']);
});

test('an account that a reset chain no longer has is named, without a prompt, by a payment and by a login', async ({
  open,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/does not exist/);
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-reset-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const first = await startChain({ port: 0, ...CHAIN });
  const relay = await startRelay({
    port: 0,
    chainUrl: first.url,
    appOrigin: ORIGIN,
    lockKeyFile: join(folder, 'lock-key.json'),
  });
  onTestFinished(() => relay.stop());
  const accountId = accountOf(username);
  const wallet = await open({ config: { rpcUrl: [first.url], relayer: { url: relay.url } } });
  await wallet.register(accountId);
  await first.stop();
  const second = await startChain({ port: Number(new URL(first.url).port), ...CHAIN });
  onTestFinished(() => second.stop());

  const missing = {
    success: false,
    errorCode: 'ACCOUNT_NOT_ON_CHAIN',
    error:
      `Account ${accountId} does not exist on this chain (it may have been reset). ` +
      'Please register a new account.',
  };
  expect(await wallet.execute('testnet', { type: 'Transfer', amount: '1' })).toMatchObject(missing);
  wallet.reload();
  expect(await wallet.manager.loginPasskey(accountId)).toMatchObject(missing);
  expect(wallet.prompts).toEqual(['create']);
});

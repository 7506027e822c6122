// Accounts without a name: made from the passkey alone, paid into, paid from, and recovered, while services fail.
import { expect, fund, RECORDS, send, someone, test, VERDICT, YOCTO } from './nameless.js';

test('creating asks neither a node nor the relay, and works while both are down', async ({
  open,
  expectedConsole,
}) => {
  expectedConsole.push(/server lock/i);
  const wallet = await open();
  for (const proxy of [...wallet.nodes, wallet.relay]) proxy.fail('*', { kind: 'refuse' });
  const result = await wallet.manager.createAccount();
  expect(result).toMatchObject({ success: true, loginState: { isLoggedIn: true } });
  expect(wallet.calls('send_tx')).toBe(0);
  expect(await wallet.manager.checkPasskey(result.nearAccountId ?? '')).toMatchObject({
    passkeyProven: true,
  });
});

test('before its first money a payment says that the account is not on the chain yet, with no prompt', async ({
  wallet,
}) => {
  const prompts = wallet.prompts.length;
  expect(await send(wallet, someone())).toMatchObject({
    success: false,
    errorCode: 'ACCOUNT_UNFUNDED',
    error: `${wallet.accountId} is not on the chain yet. Send NEAR to this address: that makes the account.`,
  });
  expect(wallet.prompts).toHaveLength(prompts);
  await wallet.logOut();
  expect(await wallet.manager.loginPasskey(wallet.accountId)).toMatchObject({ success: true });
});

test('a plain transfer makes it, and it pays with one prompt and no verdict of the registry', async ({
  wallet,
  stack,
}) => {
  await fund(wallet, stack);
  const receiverId = someone();
  const verdicts = wallet.calls(VERDICT);
  const records = wallet.calls(RECORDS);
  const { prompts } = await wallet.during(async () =>
    expect(await send(wallet, receiverId)).toMatchObject({ success: true }),
  );
  expect(prompts).toEqual(['get']);
  expect(await stack.oracle.balance(receiverId)).toBe(BigInt(YOCTO));
  expect(wallet.calls(VERDICT)).toBe(verdicts);
  expect(wallet.calls(RECORDS)).toBeGreaterThan(records);
});

test('nothing leaves while the nodes disagree about its record, or do not answer [S97]', async ({
  wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/^warning:/);
  await fund(wallet, stack);
  wallet.fail(RECORDS, { kind: 'refuse' });
  expect(await send(wallet, someone())).toMatchObject({ success: false, fate: 'not-sent' });
  expect(wallet.calls('send_tx')).toBe(0);
  wallet.heal();
  expect(await send(wallet, someone())).toMatchObject({ success: true });
});

test('once a record was seen the verdict counts, also where a node then says that there is none [S97]', async ({
  wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/^warning:/);
  await fund(wallet, stack);
  const record = {
    credential_public_key: [1],
    transports: [],
    registered: '1700000000000',
    device_number: 1,
    near_public_key: null,
    vrf_public_keys: [[1]],
  };
  const rewrite = (answer: { result?: { result?: number[] } }) => {
    const bytes = [...Buffer.from(JSON.stringify([['AAAA', record]]))];
    return { ...answer, result: { ...answer.result, result: bytes } };
  };
  const honest = wallet.fail(RECORDS, { kind: 'rewrite-answer', rewrite });
  expect(await send(wallet, someone())).toMatchObject({ success: false, errorCode: 'VERIFICATION_FAILED' });
  honest();
  expect(await send(wallet, someone())).toMatchObject({ success: false, errorCode: 'VERIFICATION_FAILED' });
  expect(wallet.calls('send_tx')).toBe(0);
});

test('one prompt brings it back in a browser that knows nothing, proven by the chain', async ({
  wallet,
  stack,
}) => {
  const { accountId } = wallet;
  await fund(wallet, stack);
  wallet.clearSiteData();
  const { prompts } = await wallet.during(async () =>
    expect(await wallet.manager.recoverAccount()).toMatchObject({
      success: true,
      accountId,
      loginState: { isLoggedIn: true, userData: { passkeyProven: true } },
    }),
  );
  expect(prompts).toEqual(['get']);
  expect(await send(wallet, someone())).toMatchObject({ success: true });
});

test('one prompt brings it back without money and without the network, unproven', async ({
  wallet,
  expectedConsole,
}) => {
  expectedConsole.push(/^warning:/);
  const { accountId } = wallet;
  wallet.clearSiteData();
  for (const proxy of [...wallet.nodes, wallet.relay]) proxy.fail('*', { kind: 'refuse' });
  expect(await wallet.manager.recoverAccount()).toMatchObject({
    success: true,
    accountId,
    loginState: { userData: { passkeyProven: false } },
  });
});

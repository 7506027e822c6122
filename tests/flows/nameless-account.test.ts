// Accounts without a name: made from the passkey alone, paid into, paid from, and recovered, while services fail.
import { createRpcClient, verifySignedMessage } from '../../ts/src/verify/index.js';
import { lagsAt } from '../support/fault-proxy.js';
import {
  ADDRESS,
  createAccount,
  expect,
  fund,
  prove,
  RECORDS,
  send,
  someone,
  test,
  VERDICT,
  YOCTO,
} from './nameless.js';
import { pay } from './wallet.js';

/** How long a certain "no" of the registry takes at most. */
const CERTAIN_MS = 7_000;

test('creating asks neither a node nor the relay, and works while both are down', async ({
  open,
  expectedConsole,
}) => {
  expectedConsole.push(/server lock/i);
  const wallet = await open();
  wallet.refuseAll();
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

test('its first payment waits for nodes that do not show its first money yet', async ({ wallet, stack }) => {
  await prove(wallet);
  const before = await stack.oracle.height();
  wallet.fail(
    '*',
    lagsAt(() => before),
  );
  await pay(stack, wallet.accountId, 2n);
  const sending = send(wallet, someone());
  await expect.poll(() => wallet.calls('query:view_account')).toBeGreaterThan(0);
  wallet.heal();
  expect(await sending).toMatchObject({ success: true });
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
  expect(await send(wallet, someone())).toMatchObject({ success: false, errorCode: 'PASSKEY_NOT_RECORDED' });
  honest();
  expect(await send(wallet, someone())).toMatchObject({ success: false, errorCode: 'VERIFICATION_FAILED' });
  expect(wallet.calls('send_tx')).toBe(0);
});

test('one prompt brings it back in a browser that knows nothing, proven by the chain', async ({
  wallet,
  stack,
}) => {
  await fund(wallet, stack);
  const { accountId } = wallet;
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
  wallet.refuseAll();
  expect(await wallet.manager.recoverAccount()).toMatchObject({
    success: true,
    accountId,
    loginState: { userData: { passkeyProven: false } },
  });
});

test('the registry is asked for its record while the user decides, not after the prompt', async ({
  wallet,
  stack,
}) => {
  await fund(wallet, stack);
  wallet.reload();
  await wallet.logIn();
  wallet.decision = 'wait';
  const sending = send(wallet, someone(), { behavior: 'requireClick' });
  await expect.poll(() => wallet.shown.at(-1)?.kind, { timeout: 20_000 }).toBe('transactions');
  await expect.poll(() => wallet.calls(RECORDS)).toBeGreaterThan(0);
  const { rpc } = await wallet.during(async () => {
    // A certain "no" waits for a later block, where it has not come yet.
    await new Promise((resolve) => setTimeout(resolve, CERTAIN_MS));
  });
  expect(rpc).not.toContain('send_tx');
  const { rpc: afterwards } = await wallet.during(async () => {
    wallet.decision = 'confirm';
    expect(await sending).toMatchObject({ success: true });
  });
  expect(afterwards).not.toContain(RECORDS);
});

test('before its first money it signs a message, which its id proves to latchkey/verify', async ({
  wallet,
  stack,
  open,
}) => {
  const message = { message: 'Hello', recipient: 'app.example', nonce: new Uint8Array(32).fill(7) };
  const sign = () => wallet.manager.signNEP413Message({ nearAccountId: wallet.accountId, params: message });
  const { prompts } = await wallet.during(async () =>
    expect(await sign()).toMatchObject({ success: true, accountId: expect.stringMatching(ADDRESS) }),
  );
  expect(prompts).toEqual(['get']);
  expect(wallet.calls(VERDICT)).toBe(0);
  await prove(wallet);
  const { accountId } = wallet;
  const expected = { ...message, rpc: createRpcClient({ urls: wallet.chain.url }) };
  expect(await verifySignedMessage(await sign(), expected)).toMatchObject({ verified: true, accountId });
  // Another key proves nothing about the id.
  const other = await open();
  await createAccount(other);
  const params = { nearAccountId: other.accountId, params: message };
  const stranger = { ...(await other.manager.signNEP413Message(params)), accountId };
  expect(await verifySignedMessage(stranger, expected)).toMatchObject({ reason: 'KEY_NOT_FOUND' });
  await fund(wallet, stack);
  expect(await verifySignedMessage(await sign(), expected)).toMatchObject({ verified: true, accountId });
});

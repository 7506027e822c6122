// The facade as a host calls it: the cost and the guarantees of its calls.
// Specification: core 2, core 3, core 4
import { REGISTRY } from '../../dev/services/services.js';
import { accountOf, expect, expectCalls, greetingOf, test } from './wallet.js';

/** The price of gas and the balance: requested together before the prompt. The registration has shown the nonce and a block. */
const CONTEXT = ['block', 'query:view_account'];
/** The calls, with concurrent ones in a fixed order. */
const inOrder = (rpc: readonly string[]) => [
  ...rpc.slice(0, CONTEXT.length).sort(),
  ...rpc.slice(CONTEXT.length),
];
const CHECK = 'query:verify_authentication_response';

const transactionOf = (greeting: string) => ({ receiverId: REGISTRY, actions: [greetingOf(greeting)] });

test('a batch of three costs one prompt, one context, one check and three sends, in order', async ({
  wallet,
  stack,
}) => {
  const { manager, accountId: nearAccountId } = wallet;
  const activity = await wallet.during(async () => {
    const results = await manager.signAndSendTransactions({
      nearAccountId,
      transactions: ['one', 'two', 'three'].map(transactionOf),
      options: { waitUntil: 'FINAL' },
    });
    expect(results).toMatchObject([{ success: true }, { success: true }, { success: true }]);
  });
  expect(activity.prompts).toEqual(['get']);
  expectCalls(inOrder(activity.rpc), [...CONTEXT, CHECK, 'send_tx', 'send_tx', 'send_tx']);
  expect(activity.relay).toEqual([]);
  expect(await stack.oracle.greeting()).toBe('three');
});

test('a transaction can be signed now and sent later, once', async ({ wallet, stack }) => {
  const { manager, accountId: nearAccountId } = wallet;
  let signed: Awaited<ReturnType<typeof manager.signTransactionsWithActions>> = [];
  const signing = await wallet.during(async () => {
    signed = await manager.signTransactionsWithActions({
      nearAccountId,
      transactions: [transactionOf('sent later')],
    });
  });
  expectCalls(inOrder(signing.rpc), [...CONTEXT, CHECK]);
  const [first] = signed;
  if (!first) throw new Error('nothing was signed');
  const sending = await wallet.during(async () => {
    const { signedTransaction } = first;
    const result = await manager.sendTransaction({ signedTransaction, options: { waitUntil: 'FINAL' } });
    expect(result).toMatchObject({ success: true });
  });
  expect(sending.prompts).toEqual([]);
  expectCalls(sending.rpc, ['send_tx']);
  expect(await stack.oracle.greeting()).toBe('sent later');
});

test('no signed transaction leaves the wallet when the registry rejects the assertion', async ({
  wallet,
}) => {
  const { manager, accountId: nearAccountId } = wallet;
  wallet.fail(CHECK, {
    kind: 'rewrite-answer',
    rewrite: (answer: { result?: { result?: number[] } }) => ({
      ...answer,
      result: { ...answer.result, result: [...Buffer.from('{"verified":false}')] },
    }),
  });
  const transactions = [transactionOf('forged')];
  await expect(manager.signTransactionsWithActions({ nearAccountId, transactions })).rejects.toMatchObject({
    code: 'VERIFICATION_FAILED',
  });
  expect(wallet.sent).toEqual([]);
  const params = { message: 'hi', recipient: 'a.testnet' };
  expect(await manager.signNEP413Message({ nearAccountId, params })).toMatchObject({
    success: false,
    signature: null,
    errorCode: 'VERIFICATION_FAILED',
  });
});

test('a registration that ends at its prompt keeps the current login, and one that succeeds replaces it', async ({
  wallet,
  stack,
  username,
}) => {
  const { manager, accountId, authenticator } = wallet;
  const other = accountOf(`${username}-other`);
  const register = () => manager.registerPasskey(other, { confirmationConfig: { uiMode: 'skip' } });

  authenticator.agrees = false;
  expect(await register()).toMatchObject({ success: false, errorCode: 'REGISTRATION_CANCELLED' });
  authenticator.agrees = true;
  expect(await wallet.state()).toMatchObject({ isLoggedIn: true, nearAccountId: accountId });
  await wallet.greet(`still ${accountId}`);
  expect(await stack.oracle.greeting()).toBe(`still ${accountId}`);

  expect(await register()).toMatchObject({ success: true });
  expect(await wallet.state()).toMatchObject({ isLoggedIn: true, nearAccountId: other });
});

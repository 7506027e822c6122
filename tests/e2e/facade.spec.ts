// The facade as a host calls it, without the demo's UI: the cost and the guarantees of its calls.
// Specification: core 2, core 3, core 4
import type { ActionInput } from 'latchkey';
import { RELAYER } from '../../dev/services/services.js';
import { cancel, confirmDialog } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, expectCalls } from './fixtures.js';

declare const facade: FacadePage;

/** The price of gas, the nonce with its block, and the balance: requested together before the prompt. */
const CONTEXT = ['block', 'query:view_access_key', 'query:view_account'];
/** The calls, with concurrent ones in a fixed order. */
const inOrder = (rpc: readonly string[]) => [
  ...rpc.slice(0, CONTEXT.length).sort(),
  ...rpc.slice(CONTEXT.length),
];
const CHECK = 'query:verify_authentication_response';

const greet = (greeting: string): ActionInput => ({
  type: 'FunctionCall',
  methodName: 'set_greeting',
  args: { greeting },
});

test('a batch of three costs one prompt, one context, one check and three sends, in order', async ({
  facade: wallet,
  stack,
}) => {
  let results: unknown;
  const activity = await wallet.during(async () => {
    results = await wallet.page.evaluate(
      ({ nearAccountId, actions }) =>
        facade.manager.signAndSendTransactions({
          nearAccountId,
          transactions: actions.map((action) => ({ receiverId: 'w3a-v1.testnet', actions: [action] })),
          options: { waitUntil: 'FINAL' },
        }),
      { nearAccountId: wallet.accountId, actions: [greet('one'), greet('two'), greet('three')] },
    );
  });
  expect(results).toMatchObject([{ success: true }, { success: true }, { success: true }]);
  expect(activity.prompts.map(({ kind }) => kind)).toEqual(['get']);
  expectCalls(inOrder(activity.rpc), [...CONTEXT, CHECK, 'send_tx', 'send_tx', 'send_tx']);
  expect(activity.relay).toEqual([]);
  expect(await stack.oracle.greeting()).toBe('three');
});

test('the modal shows every receiver, amounts in NEAR and a warning for a key with full access', async ({
  facade: wallet,
  stack,
}) => {
  const running = wallet.page.evaluate(
    ({ nearAccountId, receiverId }) => {
      facade.useModal();
      return facade.manager.signAndSendTransactions({
        nearAccountId,
        transactions: [
          { receiverId, actions: [{ type: 'Transfer', amount: '15000000000000000000000' }] },
          {
            receiverId: nearAccountId,
            actions: [
              {
                type: 'AddKey',
                publicKey: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2',
                accessKey: { permission: 'FullAccess' },
              },
            ],
          },
        ],
        options: { confirmationConfig: { behavior: 'requireClick' } },
      });
    },
    { nearAccountId: wallet.accountId, receiverId: RELAYER },
  );
  const dialog = confirmDialog(wallet.page);
  await expect(dialog).toHaveAccessibleName('Confirm 2 transactions');
  const [first, second] = [1, 2].map((n) => dialog.getByRole('region', { name: `Transaction ${n} of 2` }));
  await expect(first!).toContainText(RELAYER);
  await expect(first!).toContainText('0.015 NEAR');
  await expect(second!).toContainText(wallet.accountId);
  await expect(second!).toContainText('Careful.');
  await cancel(wallet);
  expect(await running).toMatchObject([
    { success: false, errorCode: 'CANCELLED' },
    { success: false, errorCode: 'CANCELLED' },
  ]);
  expect(await stack.oracle.fullAccessKeys(wallet.accountId)).toHaveLength(1);
});

test('a transaction can be signed now and sent later, once', async ({ facade: wallet, stack }) => {
  const signing = await wallet.during(() =>
    wallet.page.evaluate(
      async ({ nearAccountId, action }) => {
        const [signed] = await facade.manager.signTransactionsWithActions({
          nearAccountId,
          transactions: [{ receiverId: 'w3a-v1.testnet', actions: [action] }],
        });
        (globalThis as { signed?: unknown }).signed = signed?.signedTransaction;
      },
      { nearAccountId: wallet.accountId, action: greet('sent later') },
    ),
  );
  expectCalls(inOrder(signing.rpc), [...CONTEXT, CHECK]);
  const sending = await wallet.during(async () => {
    const result = await wallet.page.evaluate(() => {
      const { signed } = globalThis as unknown as {
        signed: Parameters<typeof facade.manager.sendTransaction>[0]['signedTransaction'];
      };
      return facade.manager.sendTransaction({ signedTransaction: signed, options: { waitUntil: 'FINAL' } });
    });
    expect(result).toMatchObject({ success: true });
  });
  expect(sending.prompts).toEqual([]);
  expectCalls(sending.rpc, ['send_tx']);
  expect(await stack.oracle.greeting()).toBe('sent later');
});

test('no signed transaction leaves the wallet when the registry rejects the assertion', async ({
  facade: wallet,
  stack,
}) => {
  const refuse = {
    kind: 'rewrite-answer' as const,
    rewrite: (answer: { result?: { result?: number[] } }) => ({
      ...answer,
      result: { ...answer.result, result: [...Buffer.from('{"verified":false}')] },
    }),
  };
  stack.chain.fail(CHECK, refuse);
  stack.spareChain.fail(CHECK, refuse);
  const activity = await wallet.during(async () => {
    const code = await wallet.page.evaluate(
      ({ nearAccountId, action }) =>
        facade.codeOf(() =>
          facade.manager.signTransactionsWithActions({
            nearAccountId,
            transactions: [{ receiverId: 'w3a-v1.testnet', actions: [action] }],
          }),
        ),
      { nearAccountId: wallet.accountId, action: greet('forged') },
    );
    expect(code).toBe('VERIFICATION_FAILED');
  });
  expect(activity.rpc).not.toContain('send_tx');
  const message = await wallet.page.evaluate(
    (nearAccountId) =>
      facade.manager.signNEP413Message({ nearAccountId, params: { message: 'hi', recipient: 'a.testnet' } }),
    wallet.accountId,
  );
  expect(message).toMatchObject({ success: false, signature: null, errorCode: 'VERIFICATION_FAILED' });
});

test('a registration that ends at its prompt keeps the current login, and one that succeeds replaces it', async ({
  facade: wallet,
  stack,
  username,
}) => {
  const { page, accountId } = wallet;
  const other = accountOf(`${username}-other`);
  await page.evaluate(() => {
    const { credentials } = navigator;
    const create = credentials.create;
    credentials.create = () => {
      credentials.create = create;
      return Promise.reject(new DOMException('The person says no.', 'NotAllowedError'));
    };
  });
  const register = () =>
    page.evaluate(
      (id) => facade.manager.registerPasskey(id, { confirmationConfig: { uiMode: 'skip' } }),
      other,
    );
  const state = () => page.evaluate(() => facade.manager.getLoginState());

  expect(await register()).toMatchObject({ success: false, errorCode: 'REGISTRATION_CANCELLED' });
  expect(await state()).toMatchObject({ isLoggedIn: true, nearAccountId: accountId });
  const text = `still ${accountId}`;
  const sent = await page.evaluate(
    ({ nearAccountId, actionArgs }) =>
      facade.manager.executeAction({ nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs }),
    { nearAccountId: accountId, actionArgs: greet(text) },
  );
  expect(sent).toMatchObject({ success: true });
  expect(await stack.oracle.greeting()).toBe(text);

  expect(await register()).toMatchObject({ success: true });
  expect(await state()).toMatchObject({ isLoggedIn: true, nearAccountId: other });
});

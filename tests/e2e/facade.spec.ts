// The facade as a host calls it, without the demo's UI: what its calls cost and what they promise.
import type { ActionInput } from 'latchkey';
import { RELAYER } from '../../demo/stack/services.js';
import { cancel, confirmDialog } from '../../demo/stack/steps.js';
import { accountOf } from '../../demo/stack/wallet.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, REQUEST_FAILED } from './fixtures.js';

declare const facade: FacadePage;

/** Nonce with block, and the balance: asked together, before the prompt. */
const CONTEXT = ['query:view_access_key', 'query:view_account'];
/** The calls with those that are asked together in one order. */
const inOrder = (rpc: readonly string[]) => [...rpc.slice(0, 2).sort(), ...rpc.slice(2)];
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
  expect(inOrder(activity.rpc)).toEqual([...CONTEXT, CHECK, 'send_tx', 'send_tx', 'send_tx']);
  expect(activity.relay).toEqual([]);
  expect(await stack.oracle.greeting()).toBe('three');
});

test('a function call that the contract refuses is reported with its reason', async ({
  facade: wallet,
  stack,
}) => {
  const before = await stack.oracle.greeting();
  const result = await wallet.page.evaluate(
    ({ nearAccountId, actionArgs }) =>
      facade.manager.executeAction({ nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs }),
    { nearAccountId: wallet.accountId, actionArgs: greet('x'.repeat(281)) },
  );
  expect(result).toMatchObject({ success: false, errorCode: 'TRANSACTION_FAILED' });
  expect(result.error).toMatch(/280 bytes/);
  expect(await stack.oracle.greeting()).toBe(before);
});

test('a staggered batch sends every transaction once', async ({ facade: wallet }) => {
  let results: unknown;
  const activity = await wallet.during(async () => {
    results = await wallet.page.evaluate(
      ({ nearAccountId, actions }) =>
        facade.manager.signAndSendTransactions({
          nearAccountId,
          transactions: actions.map((action) => ({ receiverId: 'w3a-v1.testnet', actions: [action] })),
          options: { executionWait: { mode: 'parallelStaggered', staggerMs: 20 } },
        }),
      { nearAccountId: wallet.accountId, actions: [greet('a'), greet('b'), greet('c')] },
    );
  });
  expect(results).toMatchObject([{ success: true }, { success: true }, { success: true }]);
  expect(activity.prompts.map(({ kind }) => kind)).toEqual(['get']);
  expect(activity.rpc.filter((name) => name === 'send_tx')).toHaveLength(3);
});

test('a prefetched context leaves nothing to ask before the prompt', async ({ facade: wallet, stack }) => {
  await wallet.page.evaluate(() => facade.manager.prefetchBlockheight());
  await expect.poll(() => inOrder(stack.chain.calls.slice(-2).map(({ name }) => name))).toEqual(CONTEXT);
  const activity = await wallet.during(() =>
    wallet.page.evaluate(
      ({ nearAccountId, action }) =>
        facade.manager.executeAction({ nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs: action }),
      { nearAccountId: wallet.accountId, action: greet('prefetched') },
    ),
  );
  expect(activity.rpc).toEqual([CHECK, 'send_tx']);
});

test('several actions of several kinds in one transaction arrive as they were shown', async ({
  facade: wallet,
  stack,
}) => {
  const publicKey = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
  const result = await wallet.page.evaluate(
    ({ nearAccountId, key, self }) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId: self,
        actionArgs: [
          { type: 'Transfer', amount: '1' },
          { type: 'AddKey', publicKey: key, accessKey: { permission: 'FullAccess' } },
        ],
        options: { waitUntil: 'FINAL' },
      }),
    { nearAccountId: wallet.accountId, self: wallet.accountId, key: publicKey },
  );
  expect(result).toMatchObject({ success: true });
  expect(await stack.oracle.fullAccessKeys(wallet.accountId)).toContain(publicKey);
  const [shown] = await wallet.page.evaluate(() => facade.shown.slice(-1));
  expect(shown).toMatchObject({
    kind: 'transactions',
    transactions: [
      {
        receiverId: wallet.accountId,
        actions: [
          { type: 'Transfer', amount: '1' },
          { type: 'AddKey', publicKey },
        ],
      },
    ],
  });
  expect(
    (await wallet.page.evaluate((id) => facade.manager.viewAccessKeyList(id), wallet.accountId)).keys,
  ).toHaveLength(2);
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
  expect(inOrder(signing.rpc)).toEqual([...CONTEXT, CHECK]);
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
  expect(sending.rpc).toEqual(['send_tx']);
  expect(await stack.oracle.greeting()).toBe('sent later');
});

test('nothing signed leaves the wallet when the registry does not accept the assertion', async ({
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

test("a host's signal ends a flow that waits for the person, before any prompt", async ({
  facade: wallet,
}) => {
  const activity = await wallet.during(async () => {
    const result = await wallet.page.evaluate(
      async ({ nearAccountId, action }) => {
        facade.decision = 'wait';
        const controller = new AbortController();
        const running = facade.manager.executeAction({
          nearAccountId,
          receiverId: 'w3a-v1.testnet',
          actionArgs: action,
          options: { signal: controller.signal, confirmationConfig: { behavior: 'requireClick' } },
        });
        setTimeout(() => controller.abort(), 200);
        return running;
      },
      { nearAccountId: wallet.accountId, action: greet('never') },
    );
    expect(result).toMatchObject({ success: false, errorCode: 'CANCELLED' });
  });
  expect(activity.prompts).toEqual([]);
  expect(activity.rpc).not.toContain('send_tx');
});

test('two operations started together both reach the chain', async ({ facade: wallet }) => {
  const results = await wallet.page.evaluate(
    ({ nearAccountId, actions }) =>
      Promise.all(
        actions.map((actionArgs) =>
          facade.manager.executeAction({ nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs }),
        ),
      ),
    { nearAccountId: wallet.accountId, actions: [greet('left'), greet('right')] },
  );
  // A browser shows one passkey prompt at a time: the second waits for the first, or is refused by its name.
  for (const result of results)
    expect(result.success || result.errorCode === 'REQUEST_PENDING', result.error).toBe(true);
  expect(results.some((result) => result.success)).toBe(true);
});

test('a transfer beyond the balance is refused before anybody is asked', async ({ facade: wallet }) => {
  const prompts = wallet.prompts.length;
  const result = await wallet.page.evaluate(
    ({ nearAccountId, receiverId }) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId,
        actionArgs: { type: 'Transfer', amount: `1${'0'.repeat(28)}` },
      }),
    { nearAccountId: wallet.accountId, receiverId: RELAYER },
  );
  expect(result).toMatchObject({ success: false, errorCode: 'INSUFFICIENT_BALANCE', fate: 'not-sent' });
  expect(result.error).toMatch(/has 0\.\d+ NEAR free, and this needs 10000\.\d+ NEAR/);
  expect(wallet.prompts.length).toBe(prompts);
});

test('a send whose answer is lost is looked up, not doubled', async ({
  facade: wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /RPC/i);
  const heal = stack.chain.fail('send_tx', { kind: 'drop-answer' });
  const result = await wallet.page.evaluate(
    ({ nearAccountId, action }) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId: 'w3a-v1.testnet',
        actionArgs: action,
        options: { waitUntil: 'FINAL' },
      }),
    { nearAccountId: wallet.accountId, action: greet('answered twice') },
  );
  heal();
  expect(result).toMatchObject({ success: true });
  expect(await stack.oracle.greeting()).toBe('answered twice');
});

test('a registration that ends at its prompt leaves the account that is logged in, and one that succeeds replaces it', async ({
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

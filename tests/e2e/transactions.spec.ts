// Batches and nonces on a real chain: two concurrent pages, the same key elsewhere, a page that ends midway.
import type { Frame, Page } from '@playwright/test';
import type { ActionInput, ActionResult, ExecutionWait, ResumeResult } from 'latchkey';
import { Account, KeyPairSigner } from 'near-api-js';
import { secretKeyText } from '../../dev/services/keys.js';
import { KNOWN_FEES, transactionCost } from '../../ts/src/near/fees.js';
import { fromTransaction } from '../support/fault-proxy.js';
import { holdEverywhere, type LocalStack } from '../support/local-stack.js';
import { derivedSecrets } from '../support/secrets.js';
import { type Facade, test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, FRAMED, REQUEST_FAILED } from './fixtures.js';

declare const facade: FacadePage;

const REGISTRY = 'w3a-v1.testnet';

const greet = (greeting: string): ActionInput => ({
  type: 'FunctionCall',
  methodName: 'set_greeting',
  args: { greeting },
  gas: '5000000000000',
});

/** Signs and sends this many greetings with one prompt. */
function sendBatch(
  page: Page | Frame,
  nearAccountId: string,
  name: string,
  count: number,
  executionWait: ExecutionWait,
): Promise<readonly ActionResult[]> {
  return page.evaluate(
    ({ accountId, actions, wait }) =>
      facade.manager.signAndSendTransactions({
        nearAccountId: accountId,
        transactions: actions.map((action) => ({ receiverId: 'w3a-v1.testnet', actions: [action] })),
        options: { executionWait: wait },
      }),
    {
      accountId: nearAccountId,
      actions: Array.from({ length: count }, (_, index) => greet(`${name} ${index}`)),
      wait: executionWait,
    },
  );
}

/** Another page of the origin, framed by the first: a virtual passkey serves one page and its frames. */
async function anotherPage(page: Page, url: string, accountId: string): Promise<Frame> {
  const added = page.waitForEvent('frameattached');
  await page.evaluate((src) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    document.body.append(frame);
  }, url);
  const frame = await added;
  await frame.waitForFunction(() => 'facade' in globalThis);
  const login = await frame.evaluate((id) => facade.manager.loginPasskey(id), accountId);
  expect(login).toMatchObject({ success: true, unlockedBy: 'server-lock' });
  return frame;
}

/** The account on another device with the same synced passkey, and so the same key. */
function elsewhere({ accountId, prfOutputs }: Facade, { oracle }: LocalStack): Account {
  const outputs = prfOutputs.at(-1);
  if (!outputs) throw new Error('no ceremony gave PRF outputs');
  const seed = derivedSecrets(accountId, outputs)['NEAR seed'] ?? Buffer.alloc(0);
  return new Account(accountId, oracle.provider, KeyPairSigner.fromSecretKey(secretKeyText(seed)));
}

async function fund({ stack, accountId }: { stack: LocalStack; accountId: string }): Promise<void> {
  await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 10n ** 25n });
}

test('two pages each send ten staggered transactions at the same time, and the chain executes each once', async ({
  facade: wallet,
  facadeUrl,
  stack,
}) => {
  const { page, accountId } = wallet;
  const wait: ExecutionWait = { mode: 'parallelStaggered', staggerMs: 20 };
  await fund({ stack, accountId });
  const other = await anotherPage(page, facadeUrl, accountId);
  const answered = wallet.prfOutputs.length;
  const results = await Promise.all([
    sendBatch(page, accountId, 'one', 10, wait),
    sendBatch(other, accountId, 'other', 10, wait),
  ]);
  const all = results.flat();
  expect(all.filter(({ fate }) => fate !== 'executed')).toEqual([]);
  const ids = all.map(({ transactionId }) => transactionId ?? '');
  expect(new Set(ids).size).toBe(20);
  for (const id of ids) {
    expect(await stack.oracle.transaction(id, accountId)).toEqual({
      receiverId: REGISTRY,
      succeeded: true,
    });
  }
  // Answers one prompt of each page. A browser shows one at a time, so the second page tries again.
  expect(wallet.prfOutputs.length - answered).toBe(2);
});

test('single transactions of two pages at the same time are executed once each', async ({
  facade: wallet,
  facadeUrl,
  stack,
}) => {
  const { page, accountId } = wallet;
  await fund({ stack, accountId });
  const other = await anotherPage(page, facadeUrl, accountId);
  const tenOf = async (where: Page | Frame, name: string): Promise<ActionResult[]> => {
    const results: ActionResult[] = [];
    for (let index = 0; index < 10; index += 1) {
      const run = () =>
        where.evaluate(
          ({ nearAccountId, actionArgs }) =>
            facade.manager.executeAction({ nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs }),
          { nearAccountId: accountId, actionArgs: greet(`${name} ${index}`) },
        );
      let result = await run();
      // A browser shows one prompt at a time: a user would try again.
      while (result.errorCode === 'REQUEST_PENDING' || result.errorCode === 'CANCELLED') result = await run();
      results.push(result);
    }
    return results;
  };
  const all = (await Promise.all([tenOf(page, 'one'), tenOf(other, 'other')])).flat();
  expect(all.filter(({ fate }) => fate !== 'executed')).toEqual([]);
  expect(new Set(all.map(({ transactionId }) => transactionId)).size).toBe(20);
});

test('a transaction whose nonce another device used is signed again within the same approval', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  await fund({ stack, accountId });
  const device = elsewhere(wallet, stack);
  // The wallet has read the nonce; then the other device spends it.
  await page.evaluate(() => facade.manager.prefetchBlockheight());
  await device.callFunction({
    contractId: REGISTRY,
    methodName: 'set_greeting',
    args: { greeting: 'elsewhere' },
    waitUntil: 'FINAL',
  });
  const before = wallet.prompts.length;
  const result = await page.evaluate(
    ({ nearAccountId, actionArgs }) =>
      facade.manager.executeAction({ nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs }),
    { nearAccountId: accountId, actionArgs: greet('here') },
  );
  expect(result).toMatchObject({ success: true, fate: 'executed' });
  expect(wallet.prompts.length - before).toBe(1);
  await expect.poll(() => stack.oracle.greeting()).toBe('here');
});

test('another device that sends during a batch causes no second prompt and no duplicate', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  await fund({ stack, accountId });
  const device = elsewhere(wallet, stack);
  const before = wallet.prompts.length;
  const sending = sendBatch(page, accountId, 'batch', 6, { mode: 'sequential' });
  await expect
    .poll(() => stack.chain.calls.filter(({ name }) => name === 'send_tx').length)
    .toBeGreaterThan(1);
  const spent: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const greeting = `elsewhere ${index}`;
    // It may lose the race for a nonce, as the batch may.
    await device
      .callFunctionRaw({ contractId: REGISTRY, methodName: 'set_greeting', args: { greeting } })
      .then(() => spent.push(greeting))
      .catch((error: Error) => expect(error.message).toMatch(/nonce/i));
  }
  const results = await sending;
  expect(results.map(({ fate }) => fate)).toEqual(Array(6).fill('executed'));
  expect(new Set(results.map(({ transactionId }) => transactionId)).size).toBe(6);
  expect(wallet.prompts.length - before).toBe(1);
});

test(
  'a batch whose page is reloaded midway is looked up afterwards and never sent again',
  FRAMED,
  async ({ facade: wallet, stack, facadeUrl, expectedConsole }) => {
    expectedConsole.push(REQUEST_FAILED);
    const { page, accountId } = wallet;
    // The page ends while the second transaction is in transit; it arrives after the page is gone.
    const second = holdEverywhere(stack, 'send_tx', { where: fromTransaction(2) });
    await page.evaluate(
      ({ nearAccountId, actions }) => {
        void facade.manager.signAndSendTransactions({
          nearAccountId,
          transactions: actions.map((action) => ({ receiverId: 'w3a-v1.testnet', actions: [action] })),
        });
      },
      { nearAccountId: accountId, actions: ['first', 'second', 'third'].map(greet) },
    );
    await second.first;
    await page.goto('about:blank');
    second.release();
    await expect.poll(() => stack.oracle.greeting()).toBe('second');

    await page.goto(facadeUrl);
    const resumed = await page.evaluate(() => facade.manager.init());
    const [batch] = (resumed as ResumeResult).batches ?? [];
    expect(batch).toMatchObject({ nearAccountId: accountId });
    expect(batch?.transactions.map(({ fate }) => fate)).toEqual(['executed', 'executed', 'not-sent']);
    const [first] = batch?.transactions ?? [];
    expect(await stack.oracle.transaction(first?.transactionId ?? '', accountId)).toMatchObject({
      succeeded: true,
    });
    expect(await page.evaluate(() => facade.manager.resume())).not.toHaveProperty('batches');
    expect(await stack.oracle.greeting()).toBe('second');
  },
);

test('a transaction that the contract refuses ends a sequential batch, and each result reports its own outcome', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const send = (executionWait: ExecutionWait) =>
    page.evaluate(
      ({ nearAccountId, actions, wait }) =>
        facade.manager.signAndSendTransactions({
          nearAccountId,
          transactions: actions.map((action) => ({ receiverId: 'w3a-v1.testnet', actions: [action] })),
          options: { executionWait: wait, waitUntil: 'FINAL' },
        }),
      {
        nearAccountId: accountId,
        actions: [greet('good'), greet('x'.repeat(281)), greet('after')],
        wait: executionWait,
      },
    );
  const inOrder = await send({ mode: 'sequential' });
  expect(inOrder).toMatchObject([
    { success: true, fate: 'executed' },
    {
      success: false,
      fate: 'failed',
      errorCode: 'TRANSACTION_FAILED',
      error: expect.stringMatching(/280 bytes/),
    },
    { success: false, fate: 'not-sent', errorCode: 'NOT_SENT' },
  ]);
  for (const { transactionId } of inOrder) expect(transactionId).toMatch(/^\w{43,44}$/);
  expect(await stack.oracle.greeting()).toBe('good');
  const staggered = await send({ mode: 'parallelStaggered' });
  expect(staggered.map(({ fate }) => fate)).toEqual(['executed', 'failed', 'executed']);
});

test('estimates use the chain’s own prices', async ({ stack }) => {
  const config = await stack.oracle.provider.experimental_protocolConfig({ finality: 'final' });
  expect(config).toMatchObject(KNOWN_FEES);
});

test('an estimate equals what the chain charges up front, to the yocto', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const { amount } = await stack.oracle.provider.viewAccount({ accountId });
  const rest = 10n ** 19n;
  const request = (yocto: bigint) => ({
    receiverId: REGISTRY,
    actions: [{ type: 'Transfer' as const, amount: String(yocto) }],
  });
  const { gasYocto } = transactionCost(accountId, request(rest));
  // Storage of 182 bytes and the key are free; the account can pay this and not one yocto more.
  const affordable = BigInt(amount) - gasYocto;
  const send = (yocto: bigint) =>
    page.evaluate(
      ({ nearAccountId, receiverId, action }) =>
        facade.manager.executeAction({ nearAccountId, receiverId, actionArgs: action }),
      { nearAccountId: accountId, receiverId: REGISTRY, action: request(yocto).actions[0]! },
    );
  expect(await send(affordable + 1n)).toMatchObject({ success: false, errorCode: 'INSUFFICIENT_BALANCE' });
  expect(await send(affordable)).toMatchObject({ success: true, fate: 'executed' });
});

test('errors of the node are reported with the texts of the catalogue', async ({
  facade: wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED);
  const { page, accountId } = wallet;
  const execute = () =>
    page.evaluate(
      ({ nearAccountId, actionArgs }) =>
        facade.manager.executeAction({ nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs }),
      { nearAccountId: accountId, actionArgs: greet('never') },
    );
  const faults = [
    [{ kind: 'status', status: 503, body: '' }, /^RPC request failed: 503 Service Unavailable$/],
    [{ kind: 'rewrite-answer', rewrite: () => ({}) }, /^Empty response from RPC server$/],
  ] as const;
  for (const [fault, message] of faults) {
    for (const node of stack.nodes) node.fail('query:view_access_key', fault);
    expect(await execute()).toMatchObject({
      success: false,
      errorCode: 'NEAR_RPC_FAILED',
      error: expect.stringMatching(message),
      fate: 'not-sent',
    });
    for (const node of stack.nodes) node.heal();
  }
});

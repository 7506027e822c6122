// Transactions of two concurrent pages of an origin, which share its storage and its locks.
import type { Frame, Page } from '@playwright/test';
import type { ActionInput, ActionResult, ExecutionWait } from 'latchkey';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

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

test('two pages send at the same time, in staggered batches and one by one, and the chain executes each transaction once', async ({
  facade: wallet,
  facadeUrl,
  stack,
}) => {
  const { page, accountId } = wallet;
  await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 10n ** 25n });
  const other = await anotherPage(page, facadeUrl, accountId);

  await test.step('ten in a batch of each page', async () => {
    const wait: ExecutionWait = { mode: 'parallelStaggered', staggerMs: 20 };
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

  await test.step('ten of each page, one after the other', async () => {
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
        while (result.errorCode === 'REQUEST_PENDING' || result.errorCode === 'CANCELLED')
          result = await run();
        results.push(result);
      }
      return results;
    };
    const all = (await Promise.all([tenOf(page, 'one'), tenOf(other, 'other')])).flat();
    expect(all.filter(({ fate }) => fate !== 'executed')).toEqual([]);
    expect(new Set(all.map(({ transactionId }) => transactionId)).size).toBe(20);
  });
});

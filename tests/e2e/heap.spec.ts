// What a page that is used for a long time keeps: its heap and its workers stay as they were.
import { RELAYER } from '../../demo/stack/services.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

/** What the browser itself may add in a round: a kept model or event of each call is more. */
const GROWTH_BYTES = 200_000;
const TIMES = 100;
/** Compiled code and caches grow in some rounds, by up to 300 KB; what each call keeps grows in all of them. */
const ROUNDS = 3;

test('100 logins and 100 signatures leave the heap and the workers of the page as they were', async ({
  facade: wallet,
}) => {
  test.setTimeout(300_000);
  const { page, accountId } = wallet;
  // Never detached: that would switch the passkey off.
  const session = await page.context().newCDPSession(page);
  const use = (times: number) =>
    page.evaluate(
      async ([nearAccountId, count, receiverId]) => {
        const transactions = [{ receiverId, actions: [{ type: 'Transfer' as const, amount: '1' }] }];
        for (let done = 0; done < count; done += 1) {
          const { success, error } = await facade.manager.loginPasskey(nearAccountId);
          if (!success) throw new Error(error);
          await facade.manager.signTransactionsWithActions({ nearAccountId, transactions });
        }
        // The test's own confirmer keeps each of them.
        facade.shown.length = 0;
      },
      [accountId, times, RELAYER] as const,
    );
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };

  await use(20);
  // The session's own, and a spare signer.
  const settled = () => expect.poll(() => page.workers().length).toBe(2);
  await settled();
  const growth: number[] = [];
  while (growth.length < ROUNDS && !growth.some((bytes) => bytes < GROWTH_BYTES)) {
    const before = await heap();
    await use(TIMES);
    await settled();
    growth.push((await heap()) - before);
  }
  expect(Math.min(...growth)).toBeLessThan(GROWTH_BYTES);
});

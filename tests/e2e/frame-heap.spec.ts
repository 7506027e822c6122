// What a page that is used for a long time keeps: its heap and its workers stay as they were. Its wallet runs in a frame, as it would
// in the page, and also draws each confirmation.
// Specification: core 2
import type { CDPSession, Page } from '@playwright/test';
import { RELAYER } from '../../dev/services/services.js';
import { closeSettings } from '../support/steps.js';
import { drawnIn, homeOf } from '../support/wallet.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';
import { type Held, heldIn } from './heap-snapshot.js';

declare const facade: FacadePage;

/** What the browser itself may add in a round: a kept model or event of each call is more. */
const GROWTH_BYTES = 100_000;
const TIMES = 50;
/** How many calls fill what keeps a bounded number of them. */
const FILLED = 100;
/** Caches grow in some rounds; what each call keeps grows in all of them. */
const ROUNDS = 3;

// A recorded trace keeps in the page's heap what the page has drawn.
test.use({ trace: 'off' });

test('50 logins and 50 signatures leave the heap and the workers of the page and of its wallet as they were', async ({
  facade: wallet,
}) => {
  test.setTimeout(600_000);
  const { page, accountId } = wallet;
  await letPaymentsProceed(page);
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
  const heaps = await heapsOf(page);
  const held = () => Promise.all(heaps.map(heldIn));

  await use(FILLED);
  // The session's own, and a spare signer.
  const settled = () => expect.poll(() => page.workers().length).toBe(2);
  await settled();
  const rounds: Growth[] = [];
  while (rounds.length < ROUNDS && !rounds.some(isFlat)) {
    const before = await held();
    await use(TIMES);
    await settled();
    rounds.push(growthOf(before, await held()));
  }
  expect(rounds.some(isFlat), JSON.stringify(rounds)).toBe(true);
});

interface Growth {
  readonly bytes: number;
  /** The names of which there are more by one or more for each call. */
  readonly perCall: readonly string[];
}

function growthOf(before: readonly Held[], after: readonly Held[]): Growth {
  const bytesIn = (heaps: readonly Held[]) => heaps.reduce((sum, { bytes }) => sum + bytes, 0);
  const perCall = after.flatMap(({ counts }, heap) =>
    [...counts]
      .filter(([name, count]) => count - (before[heap]?.counts.get(name) ?? 0) >= TIMES)
      .map(([name]) => name),
  );
  return { bytes: bytesIn(after) - bytesIn(before), perCall };
}

const isFlat = ({ bytes, perCall }: Growth): boolean => bytes < GROWTH_BYTES && perCall.length === 0;

/** A session for each heap: the page's and the wallet's. Never detached: that would switch the passkey off. */
async function heapsOf(page: Page): Promise<CDPSession[]> {
  const context = page.context();
  const ofPage = await context.newCDPSession(page);
  // Where the frame has no process of its own, as in the headless shell, both documents are in one heap.
  const ofWallet = await context.newCDPSession(await homeOf(page)).catch((error: Error) => {
    if (!error.message.includes('does not have a separate CDP session')) throw error;
  });
  return ofWallet ? [ofPage, ofWallet] : [ofPage];
}

/** The user lets payments proceed by themselves: the wallet draws each confirmation, and confirms it itself. */
async function letPaymentsProceed(page: Page): Promise<void> {
  await page.evaluate(() => void facade.manager.openSettings());
  const settings = drawnIn(page).getByRole('dialog', { name: 'Transaction Settings' });
  await settings.getByLabel('When a request comes').selectOption('Auto proceed');
  await expect(settings.getByText('Saved')).toBeVisible();
  await closeSettings(page);
}

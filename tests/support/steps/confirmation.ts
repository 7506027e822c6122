// A user's steps in the wallet's confirmation.
import type { Locator, Page } from 'playwright-core';
import { drawnIn, type Wallet } from '../wallet.js';
import { gone, isGoneWithin, POLL_MS, pressNow, pressUntilGone, STEP_TIMEOUT_MS, textOf } from './press.js';

/** The open confirmation. */
export const confirmDialog = (page: Page): Locator =>
  drawnIn(page).getByRole('dialog', {
    name: /^(Create your passkey|Bring your account|Confirm (transaction|\d+ transactions)|Sign a message|Link (a new|this) device|A page wants to let a device in)$/,
  });

/** The layer that shows confirmations, if one is open. Cheap to look for, unlike a role. */
export const confirmationOf = (page: Page): Locator => drawnIn(page).locator('latchkey-confirm');

/** The confirmation's agree button while it takes a press: only once, and after a moment at rest. */
export const agreeButton = (page: Page): Locator =>
  confirmDialog(page)
    .getByRole('button', { name: /^(Create passkey|Confirm|Sign message|Link device|Give full access)$/ })
    .and(drawnIn(page).locator('[aria-disabled="false"]'));

/** How long a confirmation may take to scroll. */
const SCROLL_MS = 300;

/** Scrolls and unfolds a confirmation that waits until all of it was seen. */
export async function seeAll(dialog: Locator): Promise<void> {
  const more = dialog.getByRole('button', { name: 'Show more' });
  while (await more.isVisible()) {
    await pressNow(more);
    await isGoneWithin(more, SCROLL_MS);
  }
}

/** Moves the mouse over a confirmation that has just opened: in a frame, a press counts only of a mouse that was there for a while. */
export const reach = (page: Page): Promise<void> => page.mouse.move(1, 1);

/** Presses this button of a confirmation until a press counts. */
export async function agree(
  dialog: Locator,
  name: string | RegExp,
  how: 'click' | 'dblclick' = 'click',
): Promise<void> {
  const button = dialog.getByRole('button', { name });
  await button.waitFor();
  await reach(dialog.page());
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    await seeAll(dialog);
    await pressNow(button, how);
    // Busy or gone. If it is no longer busy, the button that takes a press has another name.
    if (await dialog.evaluateAll((open) => open.every(({ ariaBusy }) => ariaBusy === 'true'))) return;
    if ((await button.count()) === 0) return;
  }
  throw new Error('The confirmation took no press.');
}

/** Waits for the end of a step and agrees to its confirmation; repeats a press that came too soon to count. */
export async function approveUntil(page: Page, done: Locator): Promise<void> {
  const button = agreeButton(page);
  let isReached = false;
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    if (await done.isVisible()) return uncovered(page);
    if ((await confirmationOf(page).count()) > 0) {
      if (!isReached) await reach(page);
      isReached = true;
      await seeAll(confirmDialog(page));
      if (await button.isVisible()) await pressNow(button);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const said = await textOf(page.getByRole('main'));
  throw new Error(`The step did not come to its end. The page says:\n${said}`);
}

/** Presses Cancel in the confirmation and waits until it is gone. */
export const cancel = ({ page }: Wallet): Promise<void> =>
  pressUntilGone(confirmDialog(page).getByRole('button', { name: 'Cancel' }), confirmationOf(page));

/** Presses Cancel in the confirmation that offers another try. */
export async function giveUp(wallet: Wallet): Promise<void> {
  await confirmDialog(wallet.page).getByRole('button', { name: 'Try again' }).waitFor();
  await cancel(wallet);
}

/** Waits until no confirmation covers the page: a closing one swallows typed text. */
export const uncovered = (page: Page): Promise<void> => gone(confirmationOf(page));

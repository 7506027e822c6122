// A user's steps in the wallet's confirmation.
import type { Locator, Page } from 'playwright-core';
import { AGREE, approveUntil, reach, seeAll } from '../../../dev/playwright/screens.js';
import { drawnIn, type Wallet } from '../wallet.js';
import { gone, pressNow, pressUntilGone, STEP_TIMEOUT_MS } from './press.js';

export { AGREE, approveUntil, reach, seeAll };

/** The titles of a confirmation of transactions, which say what these do. */
export const TRANSACTION =
  /^(Send|Call|Confirm|Stake|Add|Remove|Delete|Deploy|Publish|Run|Create (this|an)) /;

/** The open confirmation. */
export const confirmDialog = (page: Page): Locator => confirmationOf(page).getByRole('dialog');

/** The layer that shows confirmations, if one is open. Cheap to look for, unlike a role. */
export const confirmationOf = (page: Page): Locator => drawnIn(page).locator('latchkey-confirm');

/** The confirmation's agree button while it takes a press: only once, and after a moment at rest. */
export const agreeButton = (page: Page): Locator =>
  confirmDialog(page)
    .getByRole('button', { name: AGREE })
    .and(drawnIn(page).locator('[aria-disabled="false"]'));

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

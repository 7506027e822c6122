// What the tour waits for, wherever the wallet draws.
import type { Locator } from 'playwright-core';
import { confirmDialog } from '../stack/steps.js';
import type { Wallet } from '../stack/wallet.js';

const POLL_MS = 25;
/** A guard against waiting for ever. */
const LIMIT_MS = 30_000;

/** Waits until it is out of its document, where that is a frame that was hidden meanwhile too. */
export async function gone(what: Locator): Promise<void> {
  // Asked from here: a hidden frame draws no more, and Playwright's own wait goes by what it draws.
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; ) {
    if ((await what.count()) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`It stays: ${what}`);
}

/** Waits for a confirmation whose button says this. */
export async function confirmed({ page }: Wallet, button: string): Promise<void> {
  await confirmDialog(page).getByRole('button', { name: button, exact: true }).waitFor();
}

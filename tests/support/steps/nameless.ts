// A user's steps with an account without a name, in the demo's page and others whose menu offers one.
import type { Locator, Page } from 'playwright-core';
import { isFramed, type Wallet } from '../wallet.js';
import { agree, approveUntil, confirmDialog, uncovered } from './confirmation.js';
import { gone, textOf } from './press.js';

/** The id of an account without a name. */
export const NAMELESS = /^[\da-f]{64}$/;
/** What stands for it before its proof; the demo leaves out what follows the dot. */
export const UNPROVEN = /^wallet-[\da-f]{12}(\.unproven)?$/;

/** The demo's address at which its login menu offers accounts without a name. */
export const namelessMenuOf = (appUrl: string): string => new URL('/?nameless', appUrl).href;

/** The login menu's offer. */
export const namelessOffer = (page: Page): Locator =>
  page.getByRole('button', { name: 'Create a wallet without a name' });

/** The heading of the page of an account without a name, which is logged in: its address, or what stands for it. */
export const namelessAccount = (page: Page): Locator =>
  page.getByRole('heading', { level: 1, name: new RegExp(`${NAMELESS.source}|${UNPROVEN.source}`) });

/** Agrees to make an account without a name, where the wallet asks: in a frame. */
export async function agreeToCreate(page: Page): Promise<void> {
  if (isFramed(page)) await agree(confirmDialog(page), 'Create passkey');
}

/** Makes an account without a name, and returns what stands for its address. */
export async function createNameless({ page }: Wallet): Promise<string> {
  await page.locator('[aria-disabled="false"]').and(namelessOffer(page)).click();
  await agreeToCreate(page);
  await namelessAccount(page).waitFor();
  await uncovered(page);
  return textOf(namelessAccount(page));
}

/** Proves the passkey by another touch, and returns the address that the page shows then. */
export async function showAddress(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Show my address' }).click();
  await gone(page.getByText('Check your passkey before you receive money'));
  return textOf(page.getByRole('heading', { level: 1, name: NAMELESS }));
}

/** Has the registry record the passkey of an account without a name, on the demo's page. */
export async function registerPasskey({ page }: Wallet): Promise<void> {
  await page.getByRole('button', { name: 'Register this passkey' }).click();
  await approveUntil(page, page.getByText('The registry has this passkey.'));
}

/** Recovers by the passkey that the user chooses, and returns the account's id. */
export async function recoverNameless({ page }: Wallet): Promise<string> {
  await page.getByRole('radio', { name: 'Recover' }).check();
  await page.getByRole('button', { name: /^Passkey on this device/ }).click();
  await approveUntil(page, namelessAccount(page));
  return textOf(namelessAccount(page));
}

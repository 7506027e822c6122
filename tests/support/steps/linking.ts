// A user's steps on both devices of a linking, and in the list of devices.
import type { Locator, Page } from 'playwright-core';
import { chooseMode } from '../../../dev/playwright/login-menu.js';
import { accountOf, type Wallet } from '../wallet.js';
import { agree, confirmDialog, uncovered } from './confirmation.js';
import { loggedInAs } from './login-menu.js';
import { chooseInMenu, closeMenu } from './pages.js';

/** Shows the code by which this device joins another one's account; returns its picture. */
export async function showLinkCode({ page }: Wallet): Promise<Locator> {
  await page.getByRole('button', { name: 'Scan and Link Device' }).click();
  return linkCode(page);
}

async function linkCode(page: Page): Promise<Locator> {
  const image = page.getByRole('img', { name: 'QR code that links this device' });
  await image.waitFor();
  return image;
}

/** As showLinkCode, for a typed account: the device creates its passkey first. */
export async function showLinkCodeFor({ page }: Wallet, username: string): Promise<Locator> {
  await chooseMode(page, 'Login');
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByText(`Is ${accountOf(username)} on another device?`).waitFor();
  await page.getByRole('button', { name: 'Scan and Link Device' }).click();
  await agree(confirmDialog(page), 'Create passkey');
  const image = await linkCode(page);
  await uncovered(page);
  return image;
}

/** Scans the camera's picture, and waits for the confirmation with the check code. */
export async function scan({ page }: Wallet): Promise<Locator> {
  await chooseInMenu(page, 'Scan and Link Device');
  const dialog = confirmDialog(page);
  await dialog.getByRole('button', { name: 'Link device' }).waitFor();
  return dialog;
}

/** Scans the camera's picture and agrees; returns the check code that was shown. */
export async function scanAndConfirm(wallet: Wallet): Promise<string> {
  const dialog = await scan(wallet);
  const code = await checkCodeIn(dialog);
  await agree(dialog, 'Link device');
  await uncovered(wallet.page);
  return code;
}

/** The check code that the new device shows once the user says that its code was scanned. */
export async function scannedCodeOf({ page }: Wallet): Promise<string> {
  await page.getByRole('button', { name: 'It was scanned' }).click();
  return checkCodeIn(page);
}

/** The check code of a page or a dialog, to compare with another device's. */
export const checkCodeIn = (within: Page | Locator): Promise<string> =>
  within.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){3}$/).innerText();

/** Agrees to become a device of the account, and waits until it is logged in. */
export async function joinAccount({ page }: Wallet, username: string): Promise<void> {
  await agree(confirmDialog(page), 'Create passkey');
  await loggedInAs(page, username).waitFor();
}

export const linkedDevices = (page: Page): Locator => page.getByRole('dialog', { name: 'Linked Devices' });

/** Opens the list of the account's devices. */
export async function openDevices({ page }: Wallet): Promise<void> {
  await chooseInMenu(page, 'Linked Devices');
  await linkedDevices(page).getByRole('listitem').first().waitFor();
}

/** Opens the list of the account's devices, reads it and closes it. */
export async function listDevices(wallet: Wallet): Promise<string[]> {
  await openDevices(wallet);
  const names = await linkedDevices(wallet.page).getByRole('listitem').getByRole('heading').allInnerTexts();
  await closeDevices(wallet);
  return names;
}

/** Removes the device of this number from the open list, up to the wallet's confirmation. */
export async function removeDevice({ page }: Wallet, number: number): Promise<void> {
  const list = linkedDevices(page);
  await list.getByRole('button', { name: `Remove Device ${number}` }).click();
  const question = list.getByRole('group', { name: `Remove Device ${number}?` });
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
}

/** Closes the list of the account's devices. */
export async function closeDevices({ page }: Wallet): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('latchkey-devices').waitFor({ state: 'detached' });
  await closeMenu(page);
}

// A user's steps in the login menu: registration, login and recovery.
import type { Locator, Page } from 'playwright-core';
import { type LoginMenuMode, submitLoginMenu } from '../../../dev/playwright/login-menu.js';
import { clearSiteData, isFramed, type Wallet } from '../wallet.js';
import { agree, approveUntil, confirmDialog } from './confirmation.js';
import { chooseInMenu, toastOf, toHome } from './pages.js';
import { textOf } from './press.js';

export const loginMenu = (page: Page): Locator =>
  page.getByRole('region', { name: /^(Register Account|Login|Recover Account)$/ });

/** Watches the page from now on for a hint of the login menu, which appears once for two seconds. */
export function hintOf(page: Page, text: string): Promise<void> {
  return loginMenu(page).getByRole('status').getByText(text, { exact: true }).waitFor();
}

/** The problem that the login menu reports. */
export const loginProblem = (page: Page): Locator => loginMenu(page).getByRole('alert');

async function problemIn(page: Page): Promise<string> {
  await approveUntil(page, loginProblem(page));
  return textOf(loginProblem(page));
}

/** The heading of the page of this user, who is logged in. */
export const loggedInAs = (page: Page, username: string): Locator =>
  page.getByRole('heading', { level: 1, name: username, exact: true });

/** Fills in the username and presses Continue, in this mode of the login menu. */
async function submitUsername(page: Page, mode: LoginMenuMode, username: string): Promise<void> {
  await toHome(page);
  await submitLoginMenu(page, mode, username);
}

/** Registers a username and waits until it is logged in. Returns the transaction's id, '' if the page shows none. */
export async function register(wallet: Wallet, username: string): Promise<string> {
  const said = toastOf(wallet.page, 'Registration completed successfully');
  await startRegistration(wallet, username);
  await approveUntil(wallet.page, loggedInAs(wallet.page, username));
  return /\(transaction (\w+)\)/.exec(await said)?.[1] ?? '';
}

/** Fills in the username and presses Continue, in register mode. */
export const startRegistration = ({ page }: Wallet, username: string): Promise<void> =>
  submitUsername(page, 'Register', username);

/** As startRegistration, up to the browser's prompt, which in a frame needs another click. */
export async function askForNewPasskey(wallet: Wallet, username: string): Promise<void> {
  const { page } = wallet;
  await startRegistration(wallet, username);
  if (isFramed(page)) await agree(confirmDialog(page), 'Create passkey');
}

export async function logOut({ page }: Wallet): Promise<void> {
  await chooseInMenu(page, 'Lock Wallet');
  await loginMenu(page).waitFor();
}

/** Logs in with a username known on this device and waits until the wallet shows. */
export async function logIn(wallet: Wallet, username: string): Promise<void> {
  await startLogin(wallet, username);
  await approveUntil(wallet.page, loggedInAs(wallet.page, username));
}

/** As startRegistration, in login mode. */
export const startLogin = ({ page }: Wallet, username: string): Promise<void> =>
  submitUsername(page, 'Login', username);

/** Reopens the page with the same passkeys and no data, as after a move to another browser profile. */
export async function forgetEverything(wallet: Wallet): Promise<void> {
  const { page } = wallet;
  const url = new URL('/', page.url()).href;
  // From another page, because an open one may be writing.
  await page.goto('about:blank');
  await clearSiteData(wallet, url);
  await page.goto(url);
  await loginMenu(page).waitFor();
}

/** As startRegistration, in recover mode; blank to discover accounts. */
export const startRecovery = ({ page }: Wallet, username: string): Promise<void> =>
  submitUsername(page, 'Recover', username);

/** Recovers an account and waits until it is logged in; `typed` goes into the field, blank to discover the account. */
export async function recover(wallet: Wallet, username: string, typed = username): Promise<void> {
  await startRecovery(wallet, typed);
  await loggedInAs(wallet.page, username).waitFor();
}

/** Starts a recovery that must fail, and returns what the page says. */
export async function recoverExpectingError(wallet: Wallet, typed: string): Promise<string> {
  await startRecovery(wallet, typed);
  return problemIn(wallet.page);
}

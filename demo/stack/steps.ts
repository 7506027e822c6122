// What a person does in the demo app, each step by the names that a screen reader tells.
import type { Locator, Page } from 'playwright-core';
import type { SignedMessage } from './oracle.js';
import { accountOf, type Wallet } from './wallet.js';

const POLL_MS = 25;
const STEP_TIMEOUT_MS = 15_000;

/** Registers a username and waits until it is logged in. Returns the transaction's id, '' where the page has none. */
export async function register(wallet: Wallet, username: string): Promise<string> {
  await startRegistration(wallet, username);
  await approveUntil(wallet.page, loggedInAs(wallet.page, username));
  const toast = await textOf(wallet.page.getByText(/^Registration completed successfully/));
  return /\(transaction (\w+)\)/.exec(toast)?.[1] ?? '';
}

/** Fills in the username and presses Continue, in register mode. */
export async function startRegistration({ page }: Wallet, username: string): Promise<void> {
  await page.getByRole('radio', { name: 'Register' }).check();
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Presses Cancel in the confirmation and waits until it is gone. */
export async function cancel({ page }: Wallet): Promise<void> {
  await confirmDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await uncovered(page);
}

/** Presses Cancel in the confirmation that offers another try. */
export async function giveUp(wallet: Wallet): Promise<void> {
  await confirmDialog(wallet.page).getByRole('button', { name: 'Try again' }).waitFor();
  await cancel(wallet);
}

/** What the login menu reports as a problem. */
export const loginProblem = (page: Page): Locator => loginMenu(page).getByRole('alert');

/** Starts a registration that must fail, and returns what the page says. */
export async function registerExpectingError(wallet: Wallet, username: string): Promise<string> {
  await startRegistration(wallet, username);
  return problemIn(wallet.page);
}

export async function logOut({ page }: Wallet): Promise<void> {
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await loginMenu(page).waitFor();
}

/** Logs in with a username known on this device and waits until the wallet shows. */
export async function logIn(wallet: Wallet, username: string): Promise<void> {
  await startLogin(wallet, username);
  await approveUntil(wallet.page, loggedInAs(wallet.page, username));
}

/** Starts a login that must fail, and returns what the page says. */
export async function logInExpectingError(wallet: Wallet, username: string): Promise<string> {
  await startLogin(wallet, username);
  return problemIn(wallet.page);
}

export async function startLogin({ page }: Wallet, username: string): Promise<void> {
  await page.getByRole('radio', { name: 'Login' }).check();
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Types a greeting and presses Set greeting. */
export async function startGreeting({ page }: Wallet, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'New greeting' }).fill(text);
  await page.getByRole('button', { name: 'Set greeting' }).click();
}

/** Sets the greeting and waits for its transaction, whose id it returns. */
export async function setGreeting(wallet: Wallet, text: string): Promise<string> {
  const id = wallet.page.getByTestId('transaction-id');
  const before = (await id.isVisible()) ? await textOf(id) : '';
  await startGreeting(wallet, text);
  await approveUntil(
    wallet.page,
    latestTransaction(wallet.page).filter({ has: id, hasNotText: before || '\0' }),
  );
  const outcome = await textOf(latestTransaction(wallet.page));
  if (!outcome.includes('Success')) throw new Error(`The greeting was not set: ${outcome}`);
  return textOf(id);
}

/** Tries to set a greeting that must fail, and returns what the page says. */
export async function setGreetingExpectingError(wallet: Wallet, text: string): Promise<string> {
  await startGreeting(wallet, text);
  const failed = latestTransaction(wallet.page).getByText(/Failed: /);
  await approveUntil(wallet.page, failed);
  return textOf(failed);
}

/** Signs a message for a recipient and returns it with its signature. */
export async function signMessage(wallet: Wallet, message: string): Promise<SignedMessage> {
  const { page } = wallet;
  const recipient = 'guestbook.testnet';
  const card = page.getByRole('region', { name: 'Sign a message' });
  await card.getByRole('textbox', { name: 'Message' }).fill(message);
  await card.getByRole('textbox', { name: 'Recipient' }).fill(recipient);
  await card.getByRole('button', { name: 'Sign message' }).click();
  await approveUntil(page, card.getByTestId('nep413-signature'));
  const [signature, publicKey, nonce] = await Promise.all(
    ['signature', 'public-key', 'nonce'].map((part) => textOf(card.getByTestId(`nep413-${part}`))),
  );
  const accountId = await textOf(page.getByRole('link', { name: accountOf('') }));
  return {
    accountId,
    message,
    recipient,
    signature: signature ?? '',
    publicKey: publicKey ?? '',
    nonce: nonce ?? '',
  };
}

const textOf = async (locator: Locator): Promise<string> => ((await locator.textContent()) ?? '').trim();

/** The confirmation that is open. */
export const confirmDialog = (page: Page): Locator =>
  page.getByRole('dialog', {
    name: /^(Create your passkey|Confirm (transaction|\d+ transactions)|Sign a message)$/,
  });

export const loginMenu = (page: Page): Locator =>
  page.getByRole('region', { name: /^(Register Account|Login)$/ });

const loggedInAs = (page: Page, username: string): Locator =>
  page.getByRole('heading', { level: 1, name: username, exact: true });

const latestTransaction = (page: Page): Locator => page.getByRole('region', { name: 'Latest transaction' });

/** Waits for the end of a step; presses the confirmation's button where it waits for one. */
async function approveUntil(page: Page, done: Locator): Promise<void> {
  const button = confirmDialog(page).getByRole('button', { name: /^(Create passkey|Confirm|Sign message)$/ });
  let pressed = false;
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    if (await done.isVisible()) return uncovered(page);
    if (!pressed && (await button.isVisible())) {
      await button.click();
      pressed = true;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const said = await textOf(page.getByRole('main'));
  throw new Error(`The step did not come to its end. The page says:\n${said}`);
}

/** Waits until no confirmation lies over the page: what is typed while it closes is lost. */
async function uncovered(page: Page): Promise<void> {
  await page.locator('latchkey-confirm').waitFor({ state: 'detached' });
}

async function problemIn(page: Page): Promise<string> {
  await approveUntil(page, loginProblem(page));
  return textOf(loginProblem(page));
}

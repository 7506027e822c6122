// A user's steps in the demo app, each by the accessible names of the controls.
import { errors, type FrameLocator, type Locator, type Page } from 'playwright-core';
import type { SignedMessage } from './oracle.js';
import { accountOf, clearSiteData, drawnIn, isFramed, type Wallet } from './wallet.js';

/** The path of the page with the other cards. */
const DEMOS = '/multitx';
const POLL_MS = 25;
const SETTLE_MS = 350;
const PRESS_TIMEOUT_MS = 2_000;
const COUNTING_LOOKS = 20;
/** A guard against waiting forever; benches measure the speed of a step. */
const STEP_TIMEOUT_MS = 30_000;
/** A toast may appear at any time during a step. */
const TOAST_TIMEOUT_MS = 2 * STEP_TIMEOUT_MS;

/** Registers a username and waits until it is logged in. Returns the transaction's id, '' if the page shows none. */
export async function register(wallet: Wallet, username: string): Promise<string> {
  const said = toastOf(wallet.page, 'Registration completed successfully');
  await startRegistration(wallet, username);
  await approveUntil(wallet.page, loggedInAs(wallet.page, username));
  return /\(transaction (\w+)\)/.exec(await said)?.[1] ?? '';
}

/** Watches the page from now on for the toast with this text, which disappears after two seconds. */
export function toastOf(page: Page, text: string): Promise<string> {
  const said = page
    .waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('[data-sonner-toast]')]
          .filter((toast) => toast.checkVisibility({ visibilityProperty: true }))
          .map((toast) => toast.textContent ?? '')
          .find((found) => found.includes(wanted)),
      text,
      { timeout: TOAST_TIMEOUT_MS },
    )
    .then(async (found) => (await found.jsonValue()) ?? '');
  said.catch(() => undefined);
  return said;
}

/** Watches the page from now on for a hint of the login menu, which appears once for two seconds. */
export function hintOf(page: Page, text: string): Promise<void> {
  return loginMenu(page).getByRole('status').getByText(text, { exact: true }).waitFor();
}

/** The button that opens the menu of the user who is logged in. */
export const userMenu = (page: Page): Locator => page.getByRole('banner').locator('[aria-haspopup="menu"]');

/** Opens the user's menu, unless it is open, and presses this item. */
export async function chooseInMenu(
  page: Page,
  name: 'Scan and Link Device' | 'Linked Devices' | 'Transaction Settings' | 'Lock Wallet',
): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  if (!(await item.isVisible())) await userMenu(page).click();
  await item.click();
}

/** Closes the user's menu if it is open. */
export async function closeMenu(page: Page): Promise<void> {
  const menu = page.getByRole('menu', { name: 'Wallet' });
  if (!(await menu.isVisible())) return;
  await userMenu(page).click();
  await menu.waitFor({ state: 'hidden' });
}

const pathOf = (page: Page): string => new URL(page.url()).pathname;

const pressLink = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

/** Goes to the demo's page with the greeting and the login menu, from the one with the other cards. */
export async function toHome(page: Page): Promise<void> {
  await closeMenu(page);
  if (pathOf(page) === DEMOS) await pressLink(page, 'Home');
}

/** Goes to the demo's page with the batches, messages, app keys and key export. */
export async function toDemos(page: Page): Promise<void> {
  await closeMenu(page);
  if (pathOf(page) !== DEMOS) await pressLink(page, 'Demos');
}

/** Presses a mode of the login menu until it is chosen: Chromium drops a press where a frame has just closed. */
async function chooseMode(page: Page, name: 'Register' | 'Login' | 'Recover'): Promise<void> {
  const mode = page.getByRole('radio', { name });
  await mode.waitFor();
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    await pressNow(mode);
    if (await mode.isChecked()) return;
  }
  throw new Error(`The login menu does not change to ${name}.`);
}

/** Fills in the username and presses Continue, in register mode. */
export async function startRegistration({ page }: Wallet, username: string): Promise<void> {
  await toHome(page);
  await chooseMode(page, 'Register');
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** As startRegistration, up to the browser's prompt, which in a frame needs another click. */
export async function askForNewPasskey(wallet: Wallet, username: string): Promise<void> {
  const { page } = wallet;
  await startRegistration(wallet, username);
  if (isFramed(page)) await agree(confirmDialog(page), 'Create passkey');
}

/** Presses Cancel in the confirmation and waits until it is gone. */
export const cancel = ({ page }: Wallet): Promise<void> =>
  pressUntilGone(confirmDialog(page).getByRole('button', { name: 'Cancel' }), confirmationOf(page));

/** Presses this until its layer has closed: Chromium drops a press on a frame that has just moved. */
export async function pressUntilGone(button: Locator, layer: Locator): Promise<void> {
  await button.waitFor();
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    await pressNow(button);
    if (await isGoneWithin(layer, PRESS_TIMEOUT_MS)) return;
  }
  throw new Error('What was to close takes no press.');
}

/** Presses Cancel in the confirmation that offers another try. */
export async function giveUp(wallet: Wallet): Promise<void> {
  await confirmDialog(wallet.page).getByRole('button', { name: 'Try again' }).waitFor();
  await cancel(wallet);
}

/** The problem that the login menu reports. */
export const loginProblem = (page: Page): Locator => loginMenu(page).getByRole('alert');

/** Starts a registration that must fail, and returns what the page says. */
export async function registerExpectingError(wallet: Wallet, username: string): Promise<string> {
  await startRegistration(wallet, username);
  return problemIn(wallet.page);
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

/** Starts a login that must fail, and returns what the page says. */
export async function logInExpectingError(wallet: Wallet, username: string): Promise<string> {
  await startLogin(wallet, username);
  return problemIn(wallet.page);
}

export async function startLogin({ page }: Wallet, username: string): Promise<void> {
  await toHome(page);
  await chooseMode(page, 'Login');
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
}

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

/** Fills in the username, blank to discover accounts, and presses Continue, in recover mode. */
export async function startRecovery({ page }: Wallet, username: string): Promise<void> {
  await toHome(page);
  await chooseMode(page, 'Recover');
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
}

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

/** Types a greeting and presses Set greeting. */
export async function startGreeting({ page }: Wallet, text: string): Promise<void> {
  await toHome(page);
  await page.getByRole('textbox', { name: 'New greeting' }).fill(text);
  await page.getByRole('button', { name: 'Set greeting' }).click();
}

/** Sets the greeting and waits for its transaction, whose id it returns. */
export async function setGreeting(wallet: Wallet, text: string): Promise<string> {
  await toHome(wallet.page);
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

const batchCard = (page: Page): Locator => page.getByRole('region', { name: 'Send to several' });

/** One transfer of a batch; the amount in NEAR. */
export interface Transfer {
  recipient: string;
  near: string;
}

/** Fills in a row for each transfer and presses Send all. */
export async function startBatch({ page }: Wallet, transfers: readonly Transfer[]): Promise<void> {
  await toDemos(page);
  const card = batchCard(page);
  const rowOf = (index: number): Locator => card.getByRole('group', { name: `Transfer ${index + 1}` });
  // A page that is not drawn yet shows no row either, and a row too many stays empty.
  await rowOf(0).waitFor();
  for (const [index, { recipient, near }] of transfers.entries()) {
    const row = rowOf(index);
    if (!(await row.isVisible())) await card.getByRole('button', { name: 'Add transfer' }).click();
    await row.getByRole('textbox', { name: 'Recipient' }).fill(recipient);
    await row.getByRole('textbox', { name: 'NEAR' }).fill(near);
  }
  await card.getByRole('button', { name: 'Send all' }).click();
}

/** Sends the transfers with one confirmation and returns the page's result for each. */
export async function sendBatch(wallet: Wallet, transfers: readonly Transfer[]): Promise<string[]> {
  await startBatch(wallet, transfers);
  const ends = batchCard(wallet.page).getByRole('list', { name: 'What became of each' });
  await approveUntil(wallet.page, ends);
  return ends.getByRole('listitem').allInnerTexts();
}

/** Fills in a message for a recipient and presses Sign message. */
export async function startMessage({ page }: Wallet, message: string, recipient: string): Promise<void> {
  await toDemos(page);
  const card = messageCard(page);
  await card.getByRole('textbox', { name: 'Message' }).fill(message);
  await card.getByRole('textbox', { name: 'Recipient' }).fill(recipient);
  await card.getByRole('button', { name: 'Sign message' }).click();
}

const messageCard = (page: Page): Locator => page.getByRole('region', { name: 'Sign a message' });

/** Signs a message for a recipient and returns it with its signature. */
export async function signMessage(wallet: Wallet, message: string): Promise<SignedMessage> {
  const { page } = wallet;
  const recipient = 'guestbook.testnet';
  const card = messageCard(page);
  await startMessage(wallet, message, recipient);
  await approveUntil(page, card.getByTestId('nep413-signature'));
  const [signature, publicKey, nonce] = await Promise.all(
    ['signature', 'public-key', 'nonce'].map((part) => textOf(card.getByTestId(`nep413-${part}`))),
  );
  const inExplorer = page.getByRole('banner').getByRole('link', { name: 'in the explorer' });
  return {
    accountId: (await inExplorer.getAttribute('title')) ?? '',
    message,
    recipient,
    signature: signature ?? '',
    publicKey: publicKey ?? '',
    nonce: nonce ?? '',
  };
}

/** The document of the open key viewer. */
export const keyViewer = (page: Page): FrameLocator =>
  drawnIn(page).locator('latchkey-key-viewer').frameLocator('iframe');

/** Closes the key viewer. The press removes the button's own frame, so Chromium may never report the press as complete. */
export const closeKeyViewer = (page: Page, button: 'Cancel' | 'Done'): Promise<void> =>
  pressUntilGone(
    keyViewer(page).getByRole('button', { name: button }),
    drawnIn(page).locator('latchkey-key-viewer'),
  );

/** Closes the user's settings, which the wallet draws in its frame. */
export const closeSettings = (page: Page): Promise<void> =>
  pressUntilGone(
    drawnIn(page)
      .getByRole('dialog', { name: 'Transaction Settings' })
      .getByRole('button', { name: 'Close' }),
    drawnIn(page).locator('latchkey-settings'),
  );

/** Opens the key viewer, and waits until its warning accepts a press: it ignores earlier ones. */
export async function openKeyViewer({ page }: Wallet): Promise<FrameLocator> {
  await toDemos(page);
  await page.getByRole('button', { name: 'Export keys' }).click();
  await settled(keyViewer(page));
  return keyViewer(page);
}

/** Continues from the warning, and waits until the viewer has the key. */
export async function continueToKey(viewer: FrameLocator): Promise<void> {
  await pressContinue(viewer);
  await viewer.getByRole('button', { name: 'Show' }).waitFor();
}

/** Continues from the warning; repeats a press that came too soon to count. */
export async function pressContinue(viewer: FrameLocator): Promise<void> {
  const button = viewer.getByRole('button', { name: 'Continue with passkey' });
  const busy = viewer.locator('[aria-busy="true"]');
  await button.waitFor();
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    await pressNow(button);
    for (let looks = 0; looks < COUNTING_LOOKS; looks += 1) {
      if ((await busy.isVisible()) || !(await button.isVisible())) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  throw new Error('The viewer took no press.');
}

/** Presses the control. One that no longer takes a press has been pressed already, or is gone. */
async function pressNow(button: Locator, how: 'click' | 'dblclick' = 'click'): Promise<void> {
  try {
    await button[how]({ timeout: PRESS_TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
  }
}

/** The key that the viewer shows. */
export async function revealKey(viewer: FrameLocator): Promise<string> {
  await viewer.getByRole('button', { name: 'Show' }).click();
  return textOf(viewer.getByText(/^ed25519:\w{80,}$/));
}

async function settled(viewer: FrameLocator): Promise<void> {
  await viewer.getByRole('dialog', { name: 'Export your private key' }).waitFor();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

const textOf = async (locator: Locator): Promise<string> => ((await locator.textContent()) ?? '').trim();

/** The open confirmation. */
export const confirmDialog = (page: Page): Locator =>
  drawnIn(page).getByRole('dialog', {
    name: /^(Create your passkey|Bring your account|Confirm (transaction|\d+ transactions)|Sign a message|Link (a new|this) device)$/,
  });

export const loginMenu = (page: Page): Locator =>
  page.getByRole('region', { name: /^(Register Account|Login|Recover Account)$/ });

const loggedInAs = (page: Page, username: string): Locator =>
  page.getByRole('heading', { level: 1, name: username, exact: true });

const latestTransaction = (page: Page): Locator => page.getByRole('region', { name: 'Latest transaction' });

/** The confirmation's agree button while it takes a press: only once, and after a moment at rest. */
export const agreeButton = (page: Page): Locator =>
  confirmDialog(page)
    .getByRole('button', { name: /^(Create passkey|Confirm|Sign message|Link device)$/ })
    .and(drawnIn(page).locator('[aria-disabled="false"]'));

/** Scrolls and unfolds a confirmation that waits until all of it was seen. */
export async function seeAll(dialog: Locator): Promise<void> {
  const more = dialog.getByRole('button', { name: 'Show more' });
  while (await more.isVisible()) await pressNow(more);
}

/** Presses this button of a confirmation until a press counts: in a frame, a mouse's first press does not. */
export async function agree(
  dialog: Locator,
  name: string | RegExp,
  how: 'click' | 'dblclick' = 'click',
): Promise<void> {
  const button = dialog.getByRole('button', { name });
  await button.waitFor();
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
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    if (await done.isVisible()) return uncovered(page);
    await seeAll(confirmDialog(page));
    if (await button.isVisible()) await pressNow(button);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const said = await textOf(page.getByRole('main'));
  throw new Error(`The step did not come to its end. The page says:\n${said}`);
}

/** Waits until no confirmation covers the page: a closing one swallows typed text. */
export const uncovered = (page: Page): Promise<void> => gone(confirmationOf(page));

/** Waits until it has left its document, even in a frame that is already hidden. */
export async function gone(what: Locator): Promise<void> {
  if (!(await isGoneWithin(what, STEP_TIMEOUT_MS))) throw new Error(`It stays: ${what}`);
}

/** The layer that shows confirmations. */
const confirmationOf = (page: Page): Locator => drawnIn(page).locator('latchkey-confirm');

async function isGoneWithin(layer: Locator, limitMs: number): Promise<boolean> {
  // Polls from here: a hidden frame no longer paints, and Playwright's own wait depends on painting.
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; ) {
    if ((await layer.count()) === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

async function problemIn(page: Page): Promise<string> {
  await approveUntil(page, loginProblem(page));
  return textOf(loginProblem(page));
}

/** Shows the code by which this device joins another one's account; returns its picture. */
export async function showLinkCode({ page }: Wallet): Promise<Locator> {
  await page.getByRole('button', { name: 'Scan and Link Device' }).click();
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
  const image = page.getByRole('img', { name: 'QR code that links this device' });
  await image.waitFor();
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

/** The check code of a page or a dialog, to compare with another device's. */
export const checkCodeIn = (within: Page | Locator): Promise<string> =>
  within.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){3}$/).innerText();

/** Agrees to become a device of the account, and waits until it is logged in. */
export async function joinAccount({ page }: Wallet, username: string): Promise<void> {
  await agree(confirmDialog(page), 'Create passkey');
  await loggedInAs(page, username).waitFor();
}

/** Opens the list of the account's devices, reads it and closes it. */
export async function listDevices(wallet: Wallet): Promise<string[]> {
  await openDevices(wallet);
  const names = await linkedDevices(wallet.page).getByRole('listitem').getByRole('heading').allInnerTexts();
  await closeDevices(wallet);
  return names;
}

/** Closes the list of the account's devices. */
export async function closeDevices({ page }: Wallet): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('latchkey-devices').waitFor({ state: 'detached' });
  await closeMenu(page);
}

/** Opens the list of the account's devices. */
export async function openDevices({ page }: Wallet): Promise<void> {
  await chooseInMenu(page, 'Linked Devices');
  await linkedDevices(page).getByRole('listitem').first().waitFor();
}

export const linkedDevices = (page: Page): Locator => page.getByRole('dialog', { name: 'Linked Devices' });

// Walks through every screen of the demo and takes a picture of each.
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { RELAYER } from '../../dev/services/services.js';
import type { Device } from '../../tests/support/device.js';
import type { LocalStack } from '../../tests/support/local-stack.js';
import {
  AGREE,
  agree,
  approveUntil,
  askForNewPasskey,
  cancel,
  chooseInMenu,
  closeDevices,
  closeKeyViewer,
  confirmDialog,
  continueToKey,
  forgetEverything,
  giveUp,
  gone,
  joinAccount,
  logIn,
  loginMenu,
  loginProblem,
  logOut,
  openDevices,
  openKeyViewer,
  pay,
  register,
  removeDevice,
  scan,
  scanAndConfirm,
  sendBatch,
  setGreeting,
  showLinkCode,
  showLinkCodeFor,
  signMessage,
  startBatch,
  startGreeting,
  startLogin,
  startMessage,
  startRegistration,
  toDemos,
  userMenu,
} from '../../tests/support/steps.js';
import { drawnIn, isFramed, openWatchedWallet, type WatchedWallet } from '../../tests/support/wallet.js';
import type { Camera } from './camera.js';
import { photographFrame } from './frame-surfaces.js';
import { HOME_SCREENS, photographHome } from './home-surfaces.js';
import { NEW_KIND_SCREENS, photographNewKinds } from './new-kinds-surfaces.js';
import { photographTrouble, photographWait } from './trouble-surfaces.js';
import { confirmed } from './wait.js';

const CREATE_ROUTE = '/create_account_and_register_user';
const TRANSFERS = [
  { recipient: RELAYER, near: '0.001' },
  { recipient: RELAYER, near: '0.002' },
];
/** Longer than a device that was let in may take to join (`tempKeyDeleteDelayMs`). */
const ADMITTED_MS = 120_000;
const MESSAGE = 'This account is mine.\nSigned on the tour.';

/** The screens with a picture. */
const SCREENS = [
  ...[
    'welcome-register',
    'welcome-login',
    'welcome-recover',
    'welcome-safety',
    'waiting',
    'problem-and-toast',
    'notice-pending',
  ],
  ...['waiting-for-network', 'notice-payment', 'confirm-repeated', 'offline'],
  ...['demos-logged-out', 'docs', 'user-menu', 'demos', 'demos-used', 'transaction-button'],
  'confirm-prepaid-key-modal',
  ...['wallet-and-toast', 'wallet-used', 'link-code', 'link-code-over', 'link-code-for-account'],
  ...['scanner-no-camera', 'scanner', 'scanner-error', 'linked-devices', 'confirm-again'],
  ...['confirm-remove-device-modal', 'confirm-passkey-missing', 'login-passkey-missing'],
  ...['key-viewer-warning-modal', 'key-viewer-warning-drawer'],
  ...['key-viewer-hidden-modal', 'key-viewer-hidden-drawer'],
  ...['registration', 'transaction', 'batch', 'message', 'link-device', 'link-this-device'].flatMap(
    (what) => [`confirm-${what}-modal`, `confirm-${what}-drawer`],
  ),
];
/** The screens that exist only if the wallet has its own origin. */
const FRAME_SCREENS = [
  ...['settings', 'storage-refused-prompt', 'storage-refused-confirm', 'wallet-down'],
  ...['confirm-registration-asked-modal', 'confirm-registration-asked-drawer'],
  ...HOME_SCREENS,
  ...NEW_KIND_SCREENS,
  ...['window-offer', 'window-open', 'window-confirm', 'window-lost', 'host-not-allowed'],
];

/** The expected pictures, in these looks, that these files lack. */
export function missingPictures(
  files: readonly string[],
  looks: readonly string[],
  framed: boolean,
): string[] {
  return [...SCREENS, ...(framed ? FRAME_SCREENS : [])]
    .flatMap((screen) => looks.map((look) => `${screen}-${look}.png`))
    .filter((file) => !files.includes(file));
}

/** A desktop with a camera, a phone and a tablet: three browser profiles that share nothing. */
export interface Room {
  desk: Device;
  phone: WatchedWallet;
  tablet: WatchedWallet;
  stack: LocalStack;
  username: string;
}

/** Creates the room with new devices. Close `desk.browser` afterwards. */
export async function openRoom(desk: Device, stack: LocalStack, username: string): Promise<Room> {
  const open = async (width: number, height: number, hasTouch = false) => {
    const context: BrowserContext = await desk.browser.newContext({
      viewport: { width, height },
      hasTouch,
      reducedMotion: 'reduce',
    });
    return openWatchedWallet(context, stack);
  };
  return { desk, stack, username, phone: await open(360, 740, true), tablet: await open(1100, 860) };
}

/** Each chapter leaves the room in the state that the next one needs. */
export async function photograph(room: Room, camera: Camera): Promise<void> {
  await theWelcome(room, camera);
  await whatGoesWrong(room, camera);
  await theWallet(room, camera);
  await theScanner(room, camera);
  await theLinking(room, camera);
  await theDrawers(room, camera);
}

async function theWelcome({ desk }: Room, camera: Camera): Promise<void> {
  const { page } = desk;
  for (const mode of ['Register', 'Login', 'Recover']) {
    await page.getByRole('radio', { name: mode }).check();
    await camera.take(page, `welcome-${mode.toLowerCase()}`);
  }
  for (const summary of await page.getByText('Why is this safe?').all()) await summary.click();
  await camera.take(page, 'welcome-safety');
  await toDemos(page);
  await camera.take(page, 'demos-logged-out');
  await page.getByRole('link', { name: 'Docs', exact: true }).click();
  await page.getByRole('article').waitFor();
  await camera.take(page, 'docs');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
}

async function whatGoesWrong(room: Room, camera: Camera): Promise<void> {
  const { desk, stack, username } = room;
  const { page } = desk;
  await theRegistration(desk, username, camera, 'modal');
  await desk.passkey.refuse();
  await askForNewPasskey(desk, username);
  await confirmed(desk, 'Try again');
  await camera.take(page, 'confirm-again');
  await giveUp(desk);
  await loginProblem(page).waitFor();
  await camera.take(page, 'problem-and-toast');
  await desk.passkey.renew();

  stack.relay.fail(CREATE_ROUTE, { kind: 'refuse' });
  await askForNewPasskey(desk, `${username}-lost`);
  await page.getByText('Registration not known yet').waitFor();
  await camera.take(page, 'notice-pending');
  stack.relay.heal();
  await forgetEverything(desk);
  await photographWait(room, camera);
}

async function theWallet(room: Room, camera: Camera): Promise<void> {
  const { desk, stack, username } = room;
  const { page } = desk;
  await register(desk, username);
  await camera.take(page, 'wallet-and-toast');
  await logOut(desk);
  stack.relay.fail('*', { kind: 'refuse' });
  await desk.passkey.setPresence(false);
  await startLogin(desk, username);
  await page.getByText('Waiting for Passkey…').waitFor();
  await camera.take(page, 'waiting');
  // In a frame, the wallet covers the page during the browser's prompt.
  if (isFramed(page)) await page.reload();
  else await page.getByRole('button', { name: 'Back' }).click();
  await desk.passkey.setPresence(true);
  stack.relay.heal();
  await logIn(desk, username);

  await startGreeting(desk, 'Look before you sign');
  await confirmed(desk, AGREE);
  await camera.take(page, 'confirm-transaction-modal');
  await cancel(desk);
  await startBatch(desk, TRANSFERS);
  await confirmed(desk, AGREE);
  await camera.take(page, 'confirm-batch-modal');
  await cancel(desk);
  await startMessage(desk, MESSAGE, 'guestbook.testnet');
  await confirmed(desk, 'Sign message');
  await camera.take(page, 'confirm-message-modal');
  await cancel(desk);

  await pay(desk);
  await setGreeting(desk, 'Seen on the tour');
  await camera.take(page, 'wallet-used');
  await quiet(desk);
  await theButton(page, camera);
  await userMenu(page).click();
  await page.getByRole('menu').waitFor();
  await camera.take(page, 'user-menu');
  await toDemos(page);
  await camera.take(page, 'demos');
  await addPrepaidKey(desk, camera);
  await sendBatch(desk, TRANSFERS);
  await signMessage(desk, MESSAGE);
  await leaveToasts(page);
  await camera.take(page, 'demos-used');
  await theViewer(desk, camera, 'modal');
  if (isFramed(page)) {
    await photographFrame(room, camera);
    await photographHome(room, camera);
    await photographNewKinds(room, camera);
  }
  await photographTrouble(room, camera);
}

/** The embedded transaction button while the keyboard is on it: a pointer would leave it as the window changes its size. */
export async function theButton(page: Page, camera: Camera): Promise<void> {
  const frame = page.frameLocator('iframe[title="Transaction button"]');
  await frame.getByRole('button', { name: 'Send two transfers' }).focus();
  await frame.getByRole('region', { name: 'What this signs' }).waitFor();
  await camera.take(page, 'transaction-button');
  await page.keyboard.press('Escape');
}

/** A prepaid app key, from its confirmation to the list that shows what is left on it. */
export async function addPrepaidKey({ page }: WatchedWallet, camera: Camera): Promise<void> {
  const keys = page.getByRole('region', { name: 'App keys' });
  await keys.getByRole('textbox', { name: 'Contract' }).fill('game.testnet');
  await keys.getByRole('textbox', { name: 'Methods' }).fill('play, pass');
  await keys.getByRole('spinbutton').fill('0.01');
  await keys.getByRole('button', { name: 'Add app key' }).click();
  await confirmDialog(page).getByRole('button', { name: 'Cancel' }).waitFor();
  await camera.take(page, 'confirm-prepaid-key-modal');
  await approveUntil(page, keys.getByRole('list', { name: 'App keys of this account' }));
}

async function theScanner({ desk }: Room, camera: Camera): Promise<void> {
  const { page } = desk;
  const scanner = drawnIn(page).getByRole('dialog', { name: 'Scan and Link Device' });
  // The fake camera has no picture yet, so the browser finds no camera.
  await chooseInMenu(page, 'Scan and Link Device');
  await scanner.getByRole('alert').waitFor();
  await camera.take(page, 'scanner-no-camera');
  await page.keyboard.press('Escape');
  await gone(scanner);
  desk.seeNothing();
  await chooseInMenu(page, 'Scan and Link Device');
  await scanner.getByText('Scanning...').waitFor();
  await camera.take(page, 'scanner');
  await page.keyboard.press('Escape');
  await gone(scanner);
  desk.seeCode('https://example.com/pay');
  await chooseInMenu(page, 'Scan and Link Device');
  await scanner.getByRole('alert').waitFor();
  await camera.take(page, 'scanner-error');
  await page.keyboard.press('Escape');
  await gone(scanner);
}

async function theLinking({ desk, phone, tablet, username }: Room, camera: Camera): Promise<void> {
  const image = await showLinkCode(tablet);
  await camera.take(tablet.page, 'link-code');
  await desk.see(image);
  await scan(desk);
  await camera.take(desk.page, 'confirm-link-device-modal');
  await agree(confirmDialog(desk.page), 'Link device');
  await confirmed(tablet, 'Create passkey');
  await camera.take(tablet.page, 'confirm-link-this-device-modal');
  await join(desk, tablet, username);

  // The phone is admitted and then declines: its temporary key stays in the list until Device1 deletes it.
  await desk.see(await showLinkCode(phone));
  await scanAndConfirm(desk);
  await confirmed(phone, 'Create passkey');
  await camera.take(phone.page, 'confirm-link-this-device-drawer');
  await openDevices(desk);
  await camera.take(desk.page, 'linked-devices');
  await removeDevice(desk, 2);
  await confirmed(desk, AGREE);
  await camera.take(desk.page, 'confirm-remove-device-modal');
  await cancel(desk);
  await closeDevices(desk);
  await phone.page.getByRole('button', { name: 'Show a new code' }).waitFor({ timeout: ADMITTED_MS });
  await camera.take(phone.page, 'link-code-over');
}

async function theDrawers({ desk, phone, tablet, stack, username }: Room, camera: Camera): Promise<void> {
  const { page } = phone;
  await forgetEverything(phone);
  await theRegistration(phone, `${username}-phone`, camera, 'drawer');
  await register(phone, `${username}-phone`);
  await startGreeting(phone, 'From a phone');
  await confirmed(phone, AGREE);
  await camera.take(page, 'confirm-transaction-drawer');
  await cancel(phone);
  await startBatch(phone, TRANSFERS);
  await confirmed(phone, AGREE);
  await camera.take(page, 'confirm-batch-drawer');
  await cancel(phone);
  await startMessage(phone, MESSAGE, 'guestbook.testnet');
  await confirmed(phone, 'Sign message');
  await camera.take(page, 'confirm-message-drawer');
  await cancel(phone);
  await theViewer(phone, camera, 'drawer');

  await forgetEverything(tablet);
  await desk.see(await showLinkCodeFor(tablet, `${username}-phone`));
  await camera.take(tablet.page, 'link-code-for-account');
  await scan(phone);
  await camera.take(page, 'confirm-link-device-drawer');
  await cancel(phone);
  stack.relay.heal();
}

/** Joins the account, with a new code if the pictures took longer than a temporary key's lifetime. */
async function join(desk: Device, tablet: WatchedWallet, username: string): Promise<void> {
  const again = tablet.page.getByRole('button', { name: 'Show a new code' });
  const joined = tablet.page.getByRole('heading', { level: 1, name: username, exact: true });
  await approveUntil(tablet.page, joined.or(again));
  if (await joined.isVisible()) return;
  await again.click();
  await desk.see(tablet.page.getByRole('img', { name: 'QR code that links this device' }));
  await scanAndConfirm(desk);
  await joinAccount(tablet, username);
}

/** The confirmation of a registration while the browser waits for the passkey's touch. */
async function theRegistration(
  wallet: WatchedWallet,
  username: string,
  camera: Camera,
  variant: string,
): Promise<void> {
  const { page, passkey } = wallet;
  const asked = wallet.prompts.length;
  await passkey.setPresence(false);
  await startRegistration(wallet, username);
  if (isFramed(page)) {
    await confirmed(wallet, 'Create passkey');
    await camera.take(page, `confirm-registration-asked-${variant}`);
    await agree(confirmDialog(page), 'Create passkey');
  }
  while (wallet.prompts.length === asked) await page.waitForTimeout(25);
  await camera.take(page, `confirm-registration-${variant}`);
  await page.reload();
  await loginMenu(page).waitFor();
  await passkey.setPresence(true);
}

/** The key viewer before and after the prompt. The key stays hidden: no picture shows it. */
async function theViewer(wallet: WatchedWallet, camera: Camera, variant: string): Promise<void> {
  await quiet(wallet);
  const viewer: FrameLocator = await openKeyViewer(wallet);
  await camera.take(wallet.page, `key-viewer-warning-${variant}`);
  await continueToKey(viewer);
  await camera.take(wallet.page, `key-viewer-hidden-${variant}`);
  await closeKeyViewer(wallet.page, 'Done');
}

/**
 * Waits until the toasts are gone. They stay while the pointer is on them, and also after the window changed its size under
 * it, until the pointer comes and leaves again. A picture with a toast is a picture too, so this ends by itself.
 */
async function quiet({ page }: WatchedWallet): Promise<void> {
  const toast = page.locator('[data-sonner-toast]').first();
  for (const deadline = Date.now() + TOASTS_MS; Date.now() < deadline && (await toast.count()) > 0; ) {
    const at = await toast.boundingBox();
    if (at) await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
    await leaveToasts(page);
    await toast.waitFor({ state: 'detached', timeout: TOAST_MS }).catch(() => undefined);
  }
}

/** Toasts of one kind of event last so long, and all of them together. */
const TOAST_MS = 5_000;
const TOASTS_MS = 20_000;

/** Moves the pointer to where no toast appears at any width: below the upper edge, left of the lower right corner. */
const leaveToasts = (page: Page): Promise<void> => page.mouse.move(1, 320);

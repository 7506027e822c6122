// Screens of a wallet with its own origin only: its settings, and its notice when it may store nothing.
import { NO_FRAME_STORAGE } from '../../scripts/chromium.mjs';
import { launchChromium } from '../../tests/support/browser.js';
import {
  AGREE,
  cancel,
  chooseInMenu,
  closeSettings,
  recover,
  register,
  startGreeting,
  startRecovery,
} from '../../tests/support/steps.js';
import { drawnIn, openWatchedWallet, type WatchedWallet } from '../../tests/support/wallet.js';
import type { Camera } from './camera.js';
import type { Room } from './surfaces.js';
import { confirmed } from './wait.js';
import { photographWindows } from './window-surfaces.js';

export async function photographFrame(room: Room, camera: Camera): Promise<void> {
  await theSettings(room.desk, camera);
  await theRefusedStorage(room, camera);
  await photographWindows(room, camera);
}

/** The user's own settings. */
async function theSettings({ page }: WatchedWallet, camera: Camera): Promise<void> {
  await chooseInMenu(page, 'Transaction Settings');
  const settings = drawnIn(page).getByRole('dialog', { name: 'Transaction Settings' });
  await settings.getByLabel('Theme').and(drawnIn(page).locator(':enabled')).waitFor();
  await camera.take(page, 'settings');
  await closeSettings(page);
}

/** The wallet works in memory, and says so next to the browser's prompt and in each confirmation. */
async function theRefusedStorage({ stack, username }: Room, camera: Camera): Promise<void> {
  const browser = await launchChromium([NO_FRAME_STORAGE]);
  try {
    const context = await browser.newContext({
      viewport: { width: 1100, height: 860 },
      reducedMotion: 'reduce',
    });
    const guest = await openWatchedWallet(context, stack);
    const { page, passkey } = guest;
    await register(guest, `${username}-guest`);
    await page.reload();
    await passkey.setPresence(false);
    await startRecovery(guest, `${username}-guest`);
    await drawnIn(page)
      .getByRole('status')
      .filter({ hasText: 'won’t save your account inside this page' })
      .waitFor();
    await camera.take(page, 'storage-refused-prompt');
    await passkey.setPresence(true);
    await page.reload();
    await recover(guest, `${username}-guest`);
    await startGreeting(guest, 'Kept nowhere');
    await confirmed(guest, AGREE);
    await camera.take(page, 'storage-refused-confirm');
    await cancel(guest);
  } finally {
    await browser.close();
  }
}

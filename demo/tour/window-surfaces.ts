// Screens of a wallet whose frame cannot see whether it is covered: it asks in a window of its own. And of a page that may not
// use the wallet at all.
import type { Page } from 'playwright-core';
import { hideVisibility } from '../../tests/support/other-browsers.js';
import { register, startGreeting, TRANSACTION } from '../../tests/support/steps.js';
import { drawnIn, openWatchedWallet } from '../../tests/support/wallet.js';
import type { Camera } from './camera.js';
import type { Room } from './surfaces.js';

/** Leaves the room as it was. */
export async function photographWindows({ desk, stack, username }: Room, camera: Camera): Promise<void> {
  const context = await desk.browser.newContext({
    viewport: { width: 1100, height: 860 },
    reducedMotion: 'reduce',
  });
  await hideVisibility(context);
  const guest = await openWatchedWallet(context, stack);
  const { page } = guest;
  await register(guest, `${username}-window`);
  await startGreeting(guest, 'Confirmed in a window');
  const offer = drawnIn(page).getByRole('dialog', { name: 'The wallet needs its own window' });
  await offer.waitFor();
  await camera.take(page, 'window-offer');
  const window = await opened(page, () => offer.getByRole('button', { name: 'Open the window' }).click());
  await window.getByRole('dialog', { name: TRANSACTION }).waitFor();
  // The window has the theme of its request. Without one, it follows the browser, as the pictures need.
  await window.evaluate(() => delete document.documentElement.dataset.latchkeyTheme);
  await camera.take(window, 'window-confirm');
  await page.bringToFront();
  await camera.take(page, 'window-open');
  await window.close();

  await page.goto(`${stack.walletOrigin}/wallet-service/?popup#create:1:x`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await camera.take(page, 'window-lost');
  // The same server under a name that the wallet does not know.
  await page.goto(stack.appUrl.replace('//', '//unlisted.'));
  await page.getByRole('region', { name: 'The wallet could not start' }).waitFor();
  await camera.take(page, 'host-not-allowed');
  await context.close();
}

async function opened(page: Page, press: () => Promise<unknown>): Promise<Page> {
  const coming = page.context().waitForEvent('page');
  await press();
  return coming;
}

/** The wallet's request in a frame that needs the wallet's own window. */
import type { FrameLocator, Locator, Page } from '@playwright/test';
import { seeAll } from '../../../demo/stack/steps.js';
import { drawnIn } from '../../../demo/stack/wallet.js';
import type { Host } from '../attack-host/fixture.js';

/** Its request in the frame, next to the screen that asks for a window. */
export const confirmation = ({ wallet }: Host): Locator =>
  wallet.getByRole('dialog', { name: /^(Create your passkey|Confirm transaction|Sign a message)$/ });

/** The screen that asks for a window. */
export const screen = (wallet: Page | FrameLocator): Locator =>
  wallet.getByRole('dialog', { name: 'The wallet needs its own window' });

/** Opens the window that the frame asks for. */
export async function openWindow(page: Page, wallet: Page | FrameLocator = drawnIn(page)): Promise<Page> {
  const coming = page.context().waitForEvent('page');
  await screen(wallet)
    .getByRole('button', { name: /^(Open the window|Try again)$/ })
    .click();
  return coming;
}

/** Sees all of the confirmation in this window, and confirms, which closes it. */
export async function confirmIn(window: Page): Promise<void> {
  const dialog = window.getByRole('dialog', { name: 'Confirm transaction' });
  const button = dialog.getByRole('button', { name: 'Confirm' });
  await button.waitFor();
  await seeAll(dialog);
  await pressAndClose(button, window);
}

/** Presses a button that closes its own window, so the press may never complete. */
export async function pressAndClose(button: Locator, window: Page): Promise<void> {
  const closing = window.waitForEvent('close');
  const pressed = button.click().catch((error: unknown) => {
    if (!window.isClosed()) throw error;
  });
  await Promise.race([closing, pressed.then(() => closing)]);
}

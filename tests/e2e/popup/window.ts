/** What the wallet asks in a frame that needs a window of the wallet's own. */
import type { FrameLocator, Locator, Page } from '@playwright/test';
import { drawnIn } from '../../../demo/stack/wallet.js';
import type { Host } from '../attack-host/fixture.js';

/** What it asks in its frame, next to the screen that asks for a window. */
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

/** Presses what closes the window that it is in: such a press may never come to its end. */
export async function pressAndClose(button: Locator, window: Page): Promise<void> {
  const closing = window.waitForEvent('close');
  const pressed = button.click().catch((error: unknown) => {
    if (!window.isClosed()) throw error;
  });
  await Promise.race([closing, pressed.then(() => closing)]);
}

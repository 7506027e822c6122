/** The wallet's request in a frame that needs the wallet's own window. */
import { setTimeout } from 'node:timers/promises';
import type { FrameLocator, Locator, Page } from '@playwright/test';
import { pressNow, STEP_TIMEOUT_MS } from '../../support/steps/press.js';
import { AGREE, reach, seeAll, TRANSACTION } from '../../support/steps.js';
import { drawnIn } from '../../support/wallet.js';
import type { Host } from '../attack-host/fixture.js';
import { expect } from '../fixtures.js';

/** Its request in the frame, next to the screen that asks for a window. */
export const confirmation = ({ wallet }: Host): Locator =>
  wallet.locator('latchkey-confirm').getByRole('dialog');

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
  const dialog = window.getByRole('dialog', { name: TRANSACTION });
  const button = dialog.getByRole('button', { name: AGREE });
  await button.waitFor();
  await seeAll(dialog);
  await pressAndClose(button, window);
}

/**
 * Presses a button that closes its own window, until a press counts: a mouse must have been in the window for a while. The
 * press may never complete.
 */
export async function pressAndClose(button: Locator, window: Page): Promise<void> {
  await reach(window);
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; !window.isClosed() && Date.now() < deadline; ) {
    await pressNow(button);
  }
  expect(window.isClosed()).toBe(true);
}

/**
 * Clicks this button for three seconds, and then presses Enter for one, as in a game whose user looks at something else. The
 * window must stay as it is.
 *
 * Each press carries the time when it was made, as from a real mouse: a busy machine delivers them later, and then not as
 * fast. The first is too far from where the mouse was last seen to count, and so none of those that follow it fast does.
 */
export async function mash(window: Page, button: Locator, { withEnter = false } = {}): Promise<void> {
  await button.waitFor();
  const { x, y } = (await button.boundingBox())!;
  await window.mouse.move(x + 20, y + 20);
  // Never detached: that would take the virtual authenticator away.
  const session = await window.context().newCDPSession(window);
  const mouse = { x: x + 30, y: y + 20, button: 'left', clickCount: 1 } as const;
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 } as const;
  const begun = Date.now();
  await pressBetween(begun, begun + 3_000, (timestamp) => [
    session.send('Input.dispatchMouseEvent', { ...mouse, type: 'mousePressed', timestamp }),
    session.send('Input.dispatchMouseEvent', { ...mouse, type: 'mouseReleased', timestamp }),
  ]);
  if (withEnter) {
    await pressBetween(begun + 3_000, begun + 4_000, (timestamp) => [
      session.send('Input.dispatchKeyEvent', { ...enter, type: 'keyDown', text: '\r', timestamp }),
      session.send('Input.dispatchKeyEvent', { ...enter, type: 'keyUp', timestamp }),
    ]);
  }
  await expect(button).toBeVisible();
}

/** Presses every 60 ms from one time to another. `press` gets the time of each in seconds, and gives what waits for its answers. */
async function pressBetween(
  begun: number,
  ended: number,
  press: (timestamp: number) => Promise<unknown>[],
): Promise<void> {
  const answers: Promise<unknown>[] = [];
  for (let madeAt = begun; madeAt < ended; madeAt += 60) {
    answers.push(...press(madeAt / 1000));
    await setTimeout(60);
  }
  await Promise.all(answers);
}

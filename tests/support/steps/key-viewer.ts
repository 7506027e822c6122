// A user's steps in the key viewer.
import type { FrameLocator, Page } from 'playwright-core';
import { drawnIn, type Wallet } from '../wallet.js';
import { toDemos } from './pages.js';
import { POLL_MS, pressNow, pressUntilGone, STEP_TIMEOUT_MS, textOf } from './press.js';

const SETTLE_MS = 350;

const COUNTING_LOOKS = 20;

/** The document of the open key viewer. */
export const keyViewer = (page: Page): FrameLocator =>
  drawnIn(page).locator('latchkey-key-viewer').frameLocator('iframe');

/** Opens the key viewer, and waits until its warning accepts a press: it ignores earlier ones. */
export async function openKeyViewer({ page }: Wallet): Promise<FrameLocator> {
  await toDemos(page);
  await page.getByRole('button', { name: 'Export keys' }).click();
  await settled(keyViewer(page));
  return keyViewer(page);
}

async function settled(viewer: FrameLocator): Promise<void> {
  await viewer.getByRole('dialog', { name: 'Export your private key' }).waitFor();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
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

/** The key that the viewer shows. */
export async function revealKey(viewer: FrameLocator): Promise<string> {
  await viewer.getByRole('button', { name: 'Show' }).click();
  return textOf(viewer.getByText(/^ed25519:\w{80,}$/));
}

/** Closes the key viewer. The press removes the button's own frame, so Chromium may never report the press as complete. */
export const closeKeyViewer = (page: Page, button: 'Cancel' | 'Done'): Promise<void> =>
  pressUntilGone(
    keyViewer(page).getByRole('button', { name: button }),
    drawnIn(page).locator('latchkey-key-viewer'),
  );

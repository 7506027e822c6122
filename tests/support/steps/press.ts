// Presses, and waits for what a press changes.
import type { Locator } from 'playwright-core';
import {
  isGoneWithin,
  POLL_MS,
  PRESS_TIMEOUT_MS,
  pressNow,
  STEP_TIMEOUT_MS,
} from '../../../dev/playwright/press.js';

export { isGoneWithin, POLL_MS, PRESS_TIMEOUT_MS, pressNow, STEP_TIMEOUT_MS };

/**
 * Presses this until its layer has closed: Chromium drops a press on a frame that has just moved. On a machine that draws less
 * than a frame in a second a press takes longer, so each try has more time than the one before.
 */
export async function pressUntilGone(button: Locator, layer: Locator): Promise<void> {
  await button.waitFor();
  const deadline = Date.now() + STEP_TIMEOUT_MS;
  for (let tries = 1; Date.now() < deadline; tries += 1) {
    await pressNow(button, 'click', tries * PRESS_TIMEOUT_MS);
    if (await isGoneWithin(layer, PRESS_TIMEOUT_MS)) return;
  }
  throw new Error('What was to close takes no press.');
}

/** Waits until it has left its document, even in a frame that is already hidden. */
export async function gone(what: Locator): Promise<void> {
  if (!(await isGoneWithin(what, STEP_TIMEOUT_MS))) throw new Error(`It stays: ${what}`);
}

export const textOf = async (locator: Locator): Promise<string> =>
  ((await locator.textContent()) ?? '').trim();

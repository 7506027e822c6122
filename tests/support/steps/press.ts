// Presses, and waits for what a press changes.
import { errors, type Locator } from 'playwright-core';

export const POLL_MS = 100;

const PRESS_TIMEOUT_MS = 2_000;

/** A guard against waiting forever; benches measure the speed of a step. */
export const STEP_TIMEOUT_MS = 30_000;

/** Presses the control. One that no longer takes a press has been pressed already, or is gone. */
export async function pressNow(
  button: Locator,
  how: 'click' | 'dblclick' = 'click',
  timeout = PRESS_TIMEOUT_MS,
): Promise<void> {
  try {
    await button[how]({ timeout });
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
  }
}

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

/** Whether it leaves its document before the limit. */
export async function isGoneWithin(layer: Locator, limitMs: number): Promise<boolean> {
  // Polls from here: a hidden frame no longer paints, and Playwright's own wait depends on painting.
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; ) {
    if ((await layer.count()) === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

export const textOf = async (locator: Locator): Promise<string> =>
  ((await locator.textContent()) ?? '').trim();

// Presses, and waits for what a press changes.
import type { Locator } from '@playwright/test';

export const POLL_MS = 100;

export const PRESS_TIMEOUT_MS = 2_000;

/** A guard against waiting forever. */
export const STEP_TIMEOUT_MS = 30_000;

/** Presses the control. One that no longer takes a press has been pressed already, or is gone, also with its window. */
export async function pressNow(
  button: Locator,
  how: 'click' | 'dblclick' = 'click',
  timeout = PRESS_TIMEOUT_MS,
): Promise<void> {
  try {
    await button[how]({ timeout });
  } catch (error) {
    // By its name: the class is that of the Playwright that a test imports, which may be another copy.
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    if (!isLate && !button.page().isClosed()) throw error;
  }
}

/** Whether it leaves its document before the limit. */
export async function isGoneWithin(layer: Locator, limitMs: number): Promise<boolean> {
  // Polls from here: a hidden frame no longer paints, and Playwright's own wait depends on painting.
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; ) {
    if ((await layer.count()) === 0) return true;
    await pause();
  }
  return false;
}

export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

// A user at the login menu of latchkey-react.
import type { Page } from '@playwright/test';
import { pressNow, STEP_TIMEOUT_MS } from './press.js';

/** A mode of the login menu. */
export type LoginMenuMode = 'Register' | 'Login' | 'Recover';

/** Presses a mode of the login menu until it is chosen: Chromium drops a press where a frame has just closed. */
export async function chooseMode(page: Page, name: LoginMenuMode): Promise<void> {
  const mode = page.getByRole('radio', { name });
  await mode.waitFor();
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    await pressNow(mode);
    if (await mode.isChecked()) return;
  }
  throw new Error(`The login menu does not change to ${name}.`);
}

/** Chooses a mode of the login menu, fills in the username, and presses Continue. */
export async function submitLoginMenu(page: Page, mode: LoginMenuMode, username: string): Promise<void> {
  await chooseMode(page, mode);
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
}

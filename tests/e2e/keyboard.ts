// A user with a keyboard and no pointer: the keys that reach a control, and what answers a confirmation.
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { ARMING_MS } from '../../ts/src/confirm/guard.js';
import { confirmDialog } from '../support/steps.js';
import { expect } from './fixtures.js';

/** More than any screen has controls. */
const MOST_PRESSES = 60;
const POLL_MS = 50;

const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluateAll((found) => found.some((element) => element.matches(':focus')));

/** Presses this key until the control has the focus. */
async function reach(page: Page, key: 'Tab' | 'ArrowDown', wanted: Locator): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    if (await hasFocus(wanted)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${wanted}.`);
}

/** Presses Tab until the control has the focus. */
export const tabTo = (page: Page, wanted: Locator): Promise<void> => reach(page, 'Tab', wanted);

/** Opens the menu of this button, and presses the item of this name, both with the keyboard. */
export async function chooseByKeyboard(page: Page, trigger: Locator, name: string): Promise<void> {
  await tabTo(page, trigger);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await reach(page, 'ArrowDown', page.getByRole('menuitem', { name }));
  await page.keyboard.press('Enter');
}

/** Takes the next of the settings' confirmation options with an arrow key, waits until it is kept, and leaves by Escape. */
export async function changeOptionByKeyboard(page: Page, settings: Locator): Promise<void> {
  const options = settings.getByLabel('Confirmation Options');
  await expect(options).toBeEnabled();
  await tabTo(page, options);
  await page.keyboard.press('ArrowDown');
  await expect(settings.getByText('Saved')).toBeVisible();
  await page.keyboard.press('Escape');
}

/** Goes to the confirmation's button and presses Enter whenever it takes a press, until the step is done. Reads to the end before. */
export async function answerUntil(page: Page, name: string | RegExp, done: Locator): Promise<void> {
  const dialog = confirmDialog(page);
  const ready = dialog.getByRole('button', { name, exact: true, disabled: false });
  const more = dialog.getByRole('button', { name: 'Show more' });
  await until(
    () => done.isVisible(),
    async () => {
      const next = (await more.isVisible()) ? more : ready;
      if (await next.isVisible()) await page.keyboard.press((await hasFocus(next)) ? 'Enter' : 'Tab');
    },
  );
}

/** Presses Enter on the control that has the focus until the press has counted, with a rest before each. */
export const pressEnterUntil = (page: Page, isDone: () => Promise<boolean>): Promise<void> =>
  // The press may remove its own frame: Chromium then never reports the key's release.
  until(isDone, async () => void page.keyboard.press('Enter').catch(() => undefined), 2 * ARMING_MS);

async function until(
  isDone: () => Promise<boolean>,
  act: () => Promise<void>,
  everyMs = POLL_MS,
): Promise<void> {
  await expect(async () => {
    if (await isDone()) return;
    await act();
    expect(await isDone()).toBe(true);
  }).toPass({ intervals: [everyMs], timeout: 60_000 });
}

/** What another page of the user gets from the clipboard: a wallet's page may not read it. */
export async function pasted(context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  await page.setContent('<textarea></textarea>');
  await page.locator('textarea').focus();
  await page.keyboard.press('ControlOrMeta+V');
  return page.locator('textarea').inputValue();
}

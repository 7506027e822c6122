// A user's way through the demo's pages and the menu of the user who is logged in.
import type { Locator, Page } from 'playwright-core';
import { drawnIn } from '../wallet.js';
import { POLL_MS, pressUntilGone, STEP_TIMEOUT_MS } from './press.js';

/** The path of the page with the other cards. */
const DEMOS = '/multitx';

const pathOf = (page: Page): string => new URL(page.url()).pathname;

const pressLink = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

/** Goes to the demo's page with the greeting and the login menu, from the one with the other cards. */
export async function toHome(page: Page): Promise<void> {
  await closeMenu(page);
  if (pathOf(page) === DEMOS) await pressLink(page, 'Home');
}

/** Goes to the demo's page with the batches, messages, app keys and key export. */
export async function toDemos(page: Page): Promise<void> {
  await closeMenu(page);
  if (pathOf(page) !== DEMOS) await pressLink(page, 'Demos');
}

/** The button that opens the menu of the user who is logged in. */
export const userMenu = (page: Page): Locator => page.getByRole('banner').locator('[aria-haspopup="menu"]');

/** Opens the user's menu, unless it is open, and presses this item. */
export async function chooseInMenu(
  page: Page,
  name: 'Scan and Link Device' | 'Linked Devices' | 'Transaction Settings' | 'Lock Wallet',
): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  if (!(await item.isVisible())) await userMenu(page).click();
  await item.click();
}

/** Closes the user's menu if it is open. */
export async function closeMenu(page: Page): Promise<void> {
  const menu = page.getByRole('menu', { name: 'Wallet' });
  if (!(await menu.isVisible())) return;
  await userMenu(page).click();
  await menu.waitFor({ state: 'hidden' });
}

/** Closes the user's settings, which the wallet draws in its frame. */
export const closeSettings = (page: Page): Promise<void> =>
  pressUntilGone(
    drawnIn(page)
      .getByRole('dialog', { name: 'Transaction Settings' })
      .getByRole('button', { name: 'Close' }),
    drawnIn(page).locator('latchkey-settings'),
  );

/** A toast may appear at any time during a step. */
const TOAST_TIMEOUT_MS = 2 * STEP_TIMEOUT_MS;

/** Watches the page from now on for the toast with this text, which disappears after two seconds. */
export function toastOf(page: Page, text: string): Promise<string> {
  const said = page
    .waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('[data-sonner-toast]')]
          .filter((toast) => toast.checkVisibility({ visibilityProperty: true }))
          .map((toast) => toast.textContent ?? '')
          .find((found) => found.includes(wanted)),
      text,
      { timeout: TOAST_TIMEOUT_MS, polling: POLL_MS },
    )
    .then(async (found) => (await found.jsonValue()) ?? '');
  said.catch(() => undefined);
  return said;
}

// The whole flow by keyboard, and an accessible name for every control.
// Specification: demo 2
import type { Page } from '@playwright/test';
import { AGREE, askForNewPasskey, confirmDialog, loggedInAs } from '../support/steps.js';
import { accountOf, homeOf } from '../support/wallet.js';
import { expect, FRAMED, test } from './fixtures.js';
import { answerUntil, tabTo } from './keyboard.js';

/** Expects an accessible name on every control, except one that disappears during the check, such as a toast's. */
async function expectNamedControls(page: Page): Promise<void> {
  await expect(async () => {
    for (const role of ['button', 'link', 'textbox', 'radio'] as const) {
      for (const control of await page.getByRole(role).all()) {
        await expect(control).toHaveAccessibleName(/\S/, { timeout: 1000 });
      }
    }
  }).toPass({ timeout: 15_000 });
}

test('an account is registered, used and locked by keyboard alone', async ({ wallet, stack, username }) => {
  const { page } = wallet;
  await expectNamedControls(page);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await tabTo(page, page.getByRole('textbox', { name: 'Username' }));
  await page.keyboard.type(username);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(loggedInAs(page, username)).toBeVisible({ timeout: 30_000 });
  expect(await stack.oracle.accountExists(accountOf(username))).toBe(true);

  await expectNamedControls(page);
  await tabTo(page, page.getByRole('textbox', { name: 'New greeting' }));
  await page.keyboard.type(`by keyboard, ${username}`);
  await page.keyboard.press('Enter');
  await expect(confirmDialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await answerUntil(page, AGREE, page.getByTestId('transaction-id'));
  await expect(page.locator('latchkey-confirm')).toHaveCount(0);
  expect(await stack.oracle.greeting()).toContain(`by keyboard, ${username}`);

  // A toast gives the focus back to the control before it, as long as it shows: Tab gets past it only then.
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  await tabTo(page, page.getByRole('button', { name: username, exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Export Keys' })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Login' })).toBeFocused();
});

test(
  'the confirmation holds the focus and Escape answers no',
  FRAMED,
  async ({ wallet, stack, username }) => {
    const { page } = wallet;
    await wallet.passkey.refuse();
    await askForNewPasskey(wallet, username);
    const dialog = confirmDialog(page);
    await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(dialog.getByRole('alert')).toBeVisible();
    const home = await homeOf(page);
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press('Tab');
      expect(await home.evaluate(() => document.activeElement?.localName)).toBe('latchkey-confirm');
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('alert')).toContainText('Registration was cancelled');
    expect(await stack.oracle.accountExists(accountOf(username))).toBe(false);
  },
);

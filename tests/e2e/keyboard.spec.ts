// An account's whole life in the app with a keyboard and no pointer: where the focus goes, and where it comes back to.
// Specification: demo 2
import type { Locator, Page } from '@playwright/test';
import {
  AGREE,
  askForNewPasskey,
  confirmDialog,
  gone,
  keyViewer,
  linkedDevices,
  loggedInAs,
  uncovered,
  userMenu,
} from '../support/steps.js';
import { accountOf, drawnIn, homeOf } from '../support/wallet.js';
import { expect, FRAMED, test } from './fixtures.js';
import { answerUntil, changeOptionByKeyboard, chooseByKeyboard, pressEnterUntil, tabTo } from './keyboard.js';

const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

test(
  'an account is registered, pays, looks at its devices, changes its settings, shows its key and is locked without a pointer',
  FRAMED,
  async ({ wallet, stack, framed, username }) => {
    const { page } = wallet;
    const { keyboard } = page;
    const trigger = userMenu(page);

    await test.step('after a refused passkey, Tab stays in the confirmation, and Escape answers no', async () => {
      await wallet.passkey.refuse();
      await askForNewPasskey(wallet, username);
      const dialog = confirmDialog(page);
      await expect(button(dialog, 'Try again')).toBeVisible();
      await expect(dialog.getByRole('alert')).toBeVisible();
      const home = await homeOf(page);
      for (let presses = 0; presses < 8; presses += 1) {
        await keyboard.press('Tab');
        expect(await home.evaluate(() => document.activeElement?.localName)).toBe('latchkey-confirm');
      }
      await keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('alert')).toContainText('Registration was cancelled');
      expect(await stack.oracle.accountExists(accountOf(username))).toBe(false);
      await wallet.passkey.renew();
      await page.reload();
    });

    await test.step('a held key asks for a passkey, and answers nothing', async () => {
      const asked = wallet.prompts.length;
      await tabTo(page, page.getByRole('textbox', { name: 'Username' }));
      await keyboard.type(username);
      await expect(button(page, 'Continue')).toBeEnabled();
      await keyboard.down('Enter');
      if (framed) {
        // The focus starts at the answer that changes nothing.
        await expect(button(confirmDialog(page), 'Cancel')).toBeFocused();
        await expect(button(confirmDialog(page), 'Create passkey')).toHaveAttribute('aria-disabled', 'false');
        for (let repeats = 0; repeats < 5; repeats += 1) await keyboard.down('Enter');
        await expect(confirmDialog(page)).toBeVisible();
        expect(wallet.prompts).toHaveLength(asked);
      }
      await keyboard.up('Enter');
      await answerUntil(page, 'Create passkey', loggedInAs(page, username));
      expect(await stack.oracle.accountExists(accountOf(username))).toBe(true);
      await uncovered(page);
    });

    await test.step('a payment is confirmed, and the focus returns to its form', async () => {
      const greeting = page.getByRole('textbox', { name: 'New greeting' });
      await tabTo(page, greeting);
      await keyboard.type(`by keyboard, ${username}`);
      await keyboard.press('Enter');
      await expect(button(confirmDialog(page), 'Cancel')).toBeFocused();
      await answerUntil(page, AGREE, page.getByTestId('transaction-id'));
      await uncovered(page);
      await expect(greeting).toBeFocused();
      expect(await stack.oracle.greeting()).toContain(`by keyboard, ${username}`);
    });

    await test.step('the devices are listed, and Escape returns to their item, then to the menu’s button', async () => {
      // A toast gives the focus back to the control before it, as long as it shows: Tab gets past it only then.
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
      await chooseByKeyboard(page, trigger, 'Linked Devices');
      await expect(linkedDevices(page).getByRole('listitem').first()).toBeVisible();
      await keyboard.press('Tab');
      await keyboard.press('Escape');
      await gone(page.locator('latchkey-devices'));
      await expect(page.getByRole('menuitem', { name: 'Linked Devices' })).toBeFocused();
      await keyboard.press('Escape');
      await expect(trigger).toBeFocused();
    });

    await test.step('a setting is chosen with the arrow keys, and Escape returns to the menu’s button', async () => {
      await chooseByKeyboard(page, trigger, 'Transaction Settings');
      const settings = drawnIn(page).getByRole('dialog', { name: 'Transaction Settings' });
      await changeOptionByKeyboard(page, settings);
      await gone(drawnIn(page).locator('latchkey-settings'));
      await expect(trigger).toBeFocused();
    });

    await test.step('the key is shown and hidden, and its viewer returns to the menu’s button', async () => {
      await chooseByKeyboard(page, trigger, 'Export Keys');
      const viewer = keyViewer(page);
      await expect(viewer.getByRole('button', { name: 'Cancel' })).toBeFocused();
      const proceed = viewer.getByRole('button', { name: 'Continue with passkey' });
      await expect(proceed).not.toHaveAttribute('aria-disabled', 'true');
      await tabTo(page, proceed);
      await keyboard.press('Enter');
      await expect(viewer.getByRole('button', { name: 'Show' })).toBeFocused();
      // The viewer has another size now, and takes a press only once it has been at rest.
      const key = viewer.getByText(/^ed25519:\w{80,}$/);
      await pressEnterUntil(page, () => key.isVisible());
      await expect(viewer.getByRole('button', { name: 'Hide' })).toBeFocused();
      await tabTo(page, viewer.getByRole('button', { name: 'Done' }));
      const layer = drawnIn(page).locator('latchkey-key-viewer');
      // It only ends the viewer, so the first press counts. The press removes its own frame: Chromium may never report its end.
      void keyboard.press('Enter').catch(() => undefined);
      await expect(layer).toHaveCount(0);
      await expect(trigger).toBeFocused();
    });

    await test.step('the wallet is locked, and the focus is on the login', async () => {
      await chooseByKeyboard(page, trigger, 'Lock Wallet');
      await expect(page.getByRole('heading', { level: 2, name: 'Login' })).toBeFocused();
    });

    await test.step('the code that links this device shows, and Back leads to the field of the menu', async () => {
      const link = button(page, 'Scan and Link Device');
      await tabTo(page, link);
      await keyboard.press('Enter');
      await expect(page.getByRole('img', { name: 'QR code that links this device' })).toBeVisible();
      await tabTo(page, button(page, 'Back'));
      await keyboard.press('Enter');
      await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused();
    });
  },
);

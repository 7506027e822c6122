// A user who refuses the browser's prompt: at a registration, at a signature and at a login.
// Specification: core 4, core 5, core 8
import {
  AGREE,
  agree,
  askForNewPasskey,
  cancel,
  confirmDialog,
  giveUp,
  loggedInAs,
  loginProblem,
  logOut,
  startGreeting,
  startLogin,
  uncovered,
  userMenu,
} from '../support/steps.js';
import { accountOf, homeOf } from '../support/wallet.js';
import { expect, FRAMED, REQUEST_FAILED, test } from './fixtures.js';
import { storageDump } from './storage-dump.js';

test(
  'a refused prompt is not repeated by itself: Try again asks once more, and giving up changes nothing',
  FRAMED,
  async ({ wallet, stack, username, expectedConsole }) => {
    expectedConsole.push(REQUEST_FAILED, /server lock/i);
    const { page, passkey, prompts } = wallet;
    const accountId = accountOf(username);
    const kinds = () => prompts.map(({ kind }) => kind);

    await test.step('a registration', async () => {
      await passkey.refuse();
      await askForNewPasskey(wallet, username);
      await giveUp(wallet);
      await expect(loginProblem(page)).toContainText(
        "Registration was cancelled. Please try again when you're ready to set up your passkey.",
      );
      expect(kinds()).toEqual(['create']);
      expect(await stack.oracle.accountExists(accountId)).toBe(false);
      expect(await storageDump(await homeOf(page))).not.toContain(accountId);

      await askForNewPasskey(wallet, username);
      await confirmDialog(page).getByRole('button', { name: 'Try again' }).waitFor();
      await passkey.renew();
      await agree(confirmDialog(page), 'Try again');
      await expect(loggedInAs(page, username)).toBeVisible();
      expect(kinds()).toEqual(['create', 'create', 'create']);
      expect(await stack.oracle.authenticators(accountId)).toHaveLength(1);
      await uncovered(page);
    });

    await test.step('a signature', async () => {
      const before = await stack.oracle.greeting();
      await passkey.refuse();
      const activity = await wallet.during(async () => {
        await startGreeting(wallet, 'never said');
        await agree(confirmDialog(page), AGREE);
        await giveUp(wallet);
      });
      expect(activity.prompts.map(({ kind }) => kind)).toEqual(['get']);
      expect(activity.rpc).not.toContain('send_tx');
      expect(await stack.oracle.greeting()).toBe(before);
    });

    await test.step('a login that the relay cannot help', async () => {
      await logOut(wallet);
      stack.relay.fail('*', { kind: 'refuse' });
      const before = prompts.length;
      await startLogin(wallet, username);
      const again = confirmDialog(page).getByRole('button', { name: 'Try again' });
      await expect(async () => {
        if (await again.isVisible()) await cancel(wallet);
        await expect(loginProblem(page)).toBeVisible({ timeout: 500 });
      }).toPass();
      await expect(loginProblem(page)).toContainText(
        "Login was cancelled. Please try again when you're ready to authenticate.",
      );
      await expect(page.getByText('It may have been deleted here.')).toBeVisible();
      await expect(userMenu(page)).toBeHidden();
      expect(prompts).toHaveLength(before + 1);
    });
  },
);

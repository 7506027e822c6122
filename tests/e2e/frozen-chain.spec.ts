// A chain that stops answering before there is anything to confirm.
// Specification: core 4
import { holdEverywhere } from '../support/local-stack.js';
import {
  cancel,
  loginMenu,
  loginProblem,
  logOut,
  register,
  startGreeting,
  startLogin,
  startRegistration,
  TRANSACTION,
} from '../support/steps.js';
import { drawnIn } from '../support/wallet.js';
import { expect, FRAMED, REQUEST_FAILED, test } from './fixtures.js';

test(
  'a frozen chain is named before a registration, a signing and a login, and Cancel gives the page back',
  FRAMED,
  async ({ wallet, stack, username, expectedConsole }) => {
    expectedConsole.push(REQUEST_FAILED);
    const { page } = wallet;
    const waiting = drawnIn(page).getByRole('dialog', { name: 'Waiting for the network' });
    const stopWaiting = async () => {
      await waiting.getByRole('button', { name: 'Cancel' }).click();
      await expect(waiting).toHaveCount(0);
    };

    await test.step('a registration', async () => {
      const { release } = holdEverywhere(stack, '*');
      await startRegistration(wallet, `${username}-never`);
      await expect(waiting).toContainText('No transaction was signed or sent.');
      await stopWaiting();
      await expect(loginProblem(page)).toContainText('cancel');
      await expect(loginMenu(page).getByRole('textbox', { name: 'Username' })).toBeEditable();
      release();
    });

    await register(wallet, username);
    await test.step('a signing', async () => {
      const sends = () =>
        stack.nodes.flatMap(({ calls }) => calls).filter(({ name }) => name === 'send_tx').length;
      const before = sends();
      const confirmation = drawnIn(page).getByRole('dialog', { name: TRANSACTION });
      const { release } = holdEverywhere(stack, '*');
      // A reading of the last few seconds still serves: such a request is shown without a wait.
      await expect(async () => {
        await startGreeting(wallet, 'never set');
        await expect(waiting.or(confirmation)).toBeVisible();
        if (await confirmation.isVisible()) await cancel(wallet);
        await expect(waiting).toBeVisible();
      }).toPass();
      await stopWaiting();
      await expect(page.getByRole('region', { name: 'Latest transaction' })).toContainText('cancel');
      expect(sends()).toBe(before);

      await startGreeting(wallet, 'after the freeze');
      await expect(waiting).toBeVisible();
      release();
      await expect(confirmation).toBeVisible();
      await expect(waiting).toHaveCount(0);
      await cancel(wallet);
    });

    await logOut(wallet);
    await test.step('a login, where a framed wallet had hidden its frame', async () => {
      const { release } = holdEverywhere(stack, '*');
      await startLogin(wallet, username);
      await stopWaiting();
      await expect(loginProblem(page)).toContainText('cancel');
      // No prompt was open, so no passkey can be missing.
      await expect(loginMenu(page)).not.toContainText('It may have been deleted here');
      release();
    });
  },
);

// A chain that stops answering before there is anything to confirm.
// Specification: core 4
import { holdEverywhere } from '../support/local-stack.js';
import {
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

test('a frozen chain is named before a registration and before a signing, and Cancel gives the page back', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED);
  const { page } = wallet;
  const waiting = drawnIn(page).getByRole('dialog', { name: 'Waiting for the network' });
  const cancel = waiting.getByRole('button', { name: 'Cancel' });

  const { release } = holdEverywhere(stack, '*');
  await startRegistration(wallet, `${username}-never`);
  await expect(waiting).toContainText('No transaction was signed or sent.');
  await cancel.click();
  await expect(waiting).toHaveCount(0);
  await expect(loginProblem(page)).toContainText('cancel');
  await expect(loginMenu(page).getByRole('textbox', { name: 'Username' })).toBeEditable();
  release();

  await register(wallet, username);
  const sends = () =>
    stack.nodes.flatMap(({ calls }) => calls).filter(({ name }) => name === 'send_tx').length;
  const before = sends();
  const { release: unfreeze } = holdEverywhere(stack, '*');
  // A reading of the last few seconds still serves: such a request is shown without a wait.
  await expect(async () => {
    await startGreeting(wallet, 'never set');
    const confirmation = drawnIn(page).getByRole('dialog', { name: TRANSACTION });
    await expect(waiting.or(confirmation)).toBeVisible();
    if (await confirmation.isVisible()) await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await expect(waiting).toBeVisible();
  }).toPass();
  await cancel.click();
  await expect(waiting).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Latest transaction' })).toContainText('cancel');
  expect(sends()).toBe(before);

  await startGreeting(wallet, 'after the freeze');
  await expect(waiting).toBeVisible();
  unfreeze();
  await expect(drawnIn(page).getByRole('dialog', { name: TRANSACTION })).toBeVisible();
  await expect(waiting).toHaveCount(0);
});

test(
  'a frozen chain is named at a login, also where the wallet had hidden its frame, and Cancel ends the login',
  FRAMED,
  async ({ wallet, stack, username, expectedConsole }) => {
    expectedConsole.push(REQUEST_FAILED);
    const { page } = wallet;
    await register(wallet, username);
    await logOut(wallet);

    const { release } = holdEverywhere(stack, '*');
    await startLogin(wallet, username);
    const waiting = drawnIn(page).getByRole('dialog', { name: 'Waiting for the network' });
    await waiting.getByRole('button', { name: 'Cancel' }).click();
    await expect(waiting).toHaveCount(0);
    await expect(loginProblem(page)).toContainText('cancel');
    // No prompt was open, so no passkey can be missing.
    await expect(loginMenu(page)).not.toContainText('It may have been deleted here');
    release();
  },
);

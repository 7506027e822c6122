// What a reload leaves behind: the demo shows it until it was seen.
// Specification: core 4, core 7

import { RELAYER } from '../../dev/services/services.js';
import { holdEverywhere } from '../support/local-stack.js';
import {
  AGREE,
  agree,
  askForNewPasskey,
  confirmDialog,
  logIn,
  register,
  setGreeting,
  startBatch,
  toastOf,
} from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect, FRAMED, REQUEST_FAILED, test } from './fixtures.js';

const CREATE_ROUTE = '/create_account_and_register_user';

test('a payment whose page was reloaded is not known yet, is looked up by itself, and is warned of when it is asked again', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED);
  await register(wallet, username);
  const { page } = wallet;
  const notices = page.getByRole('status', { name: 'From before' });
  const pay = () => startBatch(wallet, [{ recipient: RELAYER, near: '0.001' }]);

  // At both addresses: a page that is being left may still ask the next one.
  const payment = holdEverywhere(stack, 'send_tx');
  await pay();
  await agree(confirmDialog(page), AGREE);
  await payment.first;
  await page.reload();
  await expect(notices).toContainText('Payment not known yet');
  await expect(notices).toContainText(`Not known yet: 0.001 NEAR to ${RELAYER}`);
  await expect(notices.getByRole('link')).toHaveAttribute('href', /\/transactions\/\w{40,}/);

  await logIn(wallet, username);
  await pay();
  await expect(confirmDialog(page)).toContainText('This may pay twice.');
  await confirmDialog(page).getByRole('button', { name: 'Cancel' }).click();

  payment.release();
  await expect(notices).toContainText(`Done: 0.001 NEAR to ${RELAYER}`, { timeout: 20_000 });
  await notices.getByRole('button', { name: 'Got it' }).click();
  await expect(notices).toHaveCount(0);
});

test(
  'after a reload during a registration, the wallet finds the account that the relay still creates',
  FRAMED,
  async ({ wallet, stack, username, expectedConsole }) => {
    expectedConsole.push(REQUEST_FAILED);
    const accountId = accountOf(username);
    const release = stack.relay.hold(CREATE_ROUTE);
    await askForNewPasskey(wallet, username);
    await expect
      .poll(() =>
        stack.relay.calls.some((call) => call.name === CREATE_ROUTE && call.body.includes(accountId)),
      )
      .toBe(true);
    await wallet.page.reload();
    await expect(wallet.page.getByText('Registration not known yet')).toBeVisible();
    expect(await stack.oracle.accountExists(accountId)).toBe(false);
    const said = toastOf(wallet.page, `${accountId} is registered. You can log in.`);
    release();

    await said;
    await logIn(wallet, username);
    expect(wallet.prompts.filter(({ kind }) => kind === 'create')).toHaveLength(1);
    await setGreeting(wallet, `reloaded, ${username}`);
    expect(await stack.oracle.greeting()).toContain(`reloaded, ${username}`);
  },
);

// What a reload leaves behind: the demo shows it until it was seen.
// Specification: core 4

import { RELAYER } from '../../dev/services/services.js';
import { holdEverywhere } from '../support/local-stack.js';
import { AGREE, agree, confirmDialog, logIn, register, startBatch } from '../support/steps.js';
import { expect, REQUEST_FAILED, test } from './fixtures.js';

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

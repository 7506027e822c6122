// The facade's own page with the React modal.
// Specification: core 2, core 3, core 4
import { RELAYER } from '../../dev/services/services.js';
import { cancel, confirmDialog } from '../support/steps.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

test('the modal shows every receiver, amounts in NEAR and a warning for a key with full access', async ({
  facade: wallet,
  stack,
}) => {
  const running = wallet.page.evaluate(
    ({ nearAccountId, receiverId }) => {
      facade.useModal();
      return facade.manager.signAndSendTransactions({
        nearAccountId,
        transactions: [
          { receiverId, actions: [{ type: 'Transfer', amount: '15000000000000000000000' }] },
          {
            receiverId: nearAccountId,
            actions: [
              {
                type: 'AddKey',
                publicKey: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2',
                accessKey: { permission: 'FullAccess' },
              },
            ],
          },
        ],
        options: { confirmationConfig: { behavior: 'requireClick' } },
      });
    },
    { nearAccountId: wallet.accountId, receiverId: RELAYER },
  );
  const dialog = confirmDialog(wallet.page);
  await expect(dialog).toHaveAccessibleName('Confirm 2 steps');
  const lines = dialog.getByRole('region', { name: 'What it does' });
  await expect(lines).toContainText(RELAYER);
  await expect(lines).toContainText('0.015 NEAR');
  await expect(lines).toContainText('Add a full-access key');
  const key = dialog.getByRole('region', { name: 'Transaction 2 of 2' });
  await expect(key).toContainText(wallet.accountId);
  await expect(key).toContainText('Careful.');
  await cancel(wallet);
  expect(await running).toMatchObject([
    { success: false, errorCode: 'CANCELLED' },
    { success: false, errorCode: 'CANCELLED' },
  ]);
  expect(await stack.oracle.fullAccessKeys(wallet.accountId)).toHaveLength(1);
});

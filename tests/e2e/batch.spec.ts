// Several transfers from the demo's card: one confirmation, one prompt, and one result for each.
// Specification: button 8, demo 2, demo 4

import { RELAYER } from '../../dev/services/services.js';
import { confirmDialog, register, sendBatch, startBatch, toDemos } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect, expectCallsOf, expectFinal, REQUEST_FAILED, test } from './fixtures.js';

test('several transfers need one prompt, and a failed one does not stop the others', async ({
  wallet,
  stack,
  username,
}) => {
  await register(wallet, username);
  const before = await stack.oracle.balance(RELAYER);
  let ends: string[] = [];
  const { prompts, rpc } = await wallet.during(() =>
    expectFinal(stack, async () => {
      ends = await sendBatch(wallet, [
        { recipient: RELAYER, near: '0.001' },
        { recipient: accountOf(`${username}-nobody`), near: '0.002' },
        { recipient: RELAYER, near: '0.003' },
      ]);
    }),
  );
  expect(prompts.map(({ kind }) => kind)).toEqual(['get']);
  expectCallsOf('send_tx', rpc, 3);
  expect(ends.map((text) => text.split('\n').slice(0, 2))).toEqual([
    [`0.001 NEAR to ${RELAYER}`, 'Final'],
    [`0.002 NEAR to ${accountOf(`${username}-nobody`)}`, 'Failed'],
    [`0.003 NEAR to ${RELAYER}`, 'Final'],
  ]);
  expect(await stack.oracle.balance(RELAYER)).toBeGreaterThanOrEqual(before + 4n * 10n ** 21n);
});

test('a batch that the user does not confirm sends nothing and says so', async ({ wallet, username }) => {
  await register(wallet, username);
  const { page } = wallet;
  await toDemos(page);
  const card = page.getByRole('region', { name: 'Send to several' });
  await card.getByRole('textbox', { name: 'NEAR 1' }).fill('1e3');
  await expect(card.getByRole('status')).toHaveText('An amount is a number above 0, such as 0.001.');
  await expect(card.getByRole('button', { name: 'Send all' })).toBeDisabled();

  const { rpc } = await wallet.during(async () => {
    await startBatch(wallet, [{ recipient: RELAYER, near: '0.001' }]);
    await expect(confirmDialog(page)).toHaveAccessibleName('Send 0.001 NEAR');
    await confirmDialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(card.getByRole('alert')).toHaveText(/^Operation was cancelled/);
  });
  expect(rpc).not.toContain('send_tx');
});

test('a batch that could not be signed says so before the reason, and its toast says that it is a transfer', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /A background refresh failed/);
  await register(wallet, username);
  const { page } = wallet;
  await toDemos(page);
  for (const node of stack.nodes)
    for (const view of ['query:view_account', 'query:view_access_key'])
      node.fail(view, { kind: 'status', status: 503, body: '' });
  await startBatch(wallet, [{ recipient: RELAYER, near: '0.001' }]);
  const card = page.getByRole('region', { name: 'Send to several' });
  const reason = 'RPC request failed: 503 Service Unavailable';
  await expect(card.getByRole('alert')).toHaveText(`Failed to sign batch transactions: ${reason}`);
  await expect(
    page.getByText('Transfer failed: The network didn’t answer. Your keys and money are safe.'),
  ).toBeVisible();
});

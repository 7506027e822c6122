// The wallet's own page: money that its user sends and receives, under its strict policy, over the real chain and relay.
// Specification: core 5
import { createHash } from 'node:crypto';
import { REGISTRY } from '../../dev/services/services.js';
import { holdEverywhere } from '../support/local-stack.js';
import { AGREE, agree, approveUntil, confirmDialog, pressUntilGone, seeAll } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect } from './fixtures.js';
import { goTo, heading, register, row, startSending, test } from './home-page.js';
import { mash } from './popup/window.js';

test('a user registers on the wallet’s own page, sends all but what fees need and still more, and finds both after a reload', async ({
  home,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  const account = accountOf(username);
  await expect(heading(page, 'Your wallet')).toBeVisible();
  await register(page, username);
  await expect(heading(page, 'Overview')).toBeVisible();
  await expect(page.getByRole('region', { name: 'You can spend' })).toContainText(/\d NEAR/);
  await expect(page.getByText('Nothing yet')).toBeVisible();

  // An account that the transfer makes.
  const made = createHash('sha256').update(username).digest('hex');
  const before = await stack.oracle.balance(account);
  await page.getByRole('link', { name: 'Send', exact: true }).click();
  await page.getByRole('textbox', { name: 'Receiver' }).fill(made);
  await page.getByRole('button', { name: 'All but 0.01 NEAR, kept for fees' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
  await seeAll(confirmDialog(page));
  await mash(page, confirmDialog(page).getByRole('button', { name: AGREE }));
  const receipt = page.getByRole('heading', { name: 'Done', exact: true });
  await approveUntil(page, receipt);
  expect(await stack.oracle.balance(made)).toBe(before - 10n ** 22n);

  await page.getByRole('button', { name: 'Send something else' }).click();
  await expect(page.getByText(/^You can spend 0\.00/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^All but/ })).toBeHidden();
  const had = await stack.oracle.balance(REGISTRY);
  await startSending(page, REGISTRY, '0.001000000000000000000001');
  await approveUntil(page, receipt);
  const link = page.getByRole('link', { name: 'Look it up in the explorer' });
  const [, transaction = ''] = /\/transactions\/(\w+)$/.exec((await link.getAttribute('href')) ?? '') ?? [];
  expect(await stack.oracle.transaction(transaction, account)).toMatchObject({
    receiverId: REGISTRY,
    succeeded: true,
  });
  expect((await stack.oracle.balance(REGISTRY)) - had).toBe(1_000_000_000_000_000_000_001n);

  await page.reload();
  await page.getByRole('button', { name: `Open ${account}` }).click();
  await goTo(page, 'Activity');
  for (const receiver of [made, REGISTRY]) {
    const sent = page.getByRole('region', { name: 'Transactions' }).getByRole('listitem');
    await expect(sent.filter({ hasText: `to ${receiver}` })).toContainText('Done');
  }
  await expect(row(page, 'Sent ≈ 0.001 NEAR')).toContainText(`to ${REGISTRY}`);
  expect(complaints).toEqual([]);
});

test('a transfer that cannot be made or that the user does not approve is not sent, and one without an answer is not known yet', async ({
  home,
  stack,
  username,
}) => {
  const { page } = home;
  await register(page, username);
  await goTo(page, 'Settings');
  await page.getByRole('button', { name: 'Change' }).click();
  const settings = page.getByRole('dialog', { name: 'Transaction Settings' });
  const behavior = settings.getByLabel('When a request comes');
  await expect(behavior).toBeEnabled();
  await behavior.selectOption('Require click');
  await expect(settings.getByText('Saved')).toBeVisible();
  await pressUntilGone(settings.getByRole('button', { name: 'Close' }), settings);
  await page.goto(`${home.origin}/#/send`);
  const spendable = await page.getByText(/^You can spend [\d.]+ NEAR/).textContent();
  for (const [receiver, amount, problem] of [
    ['nobody-has-this.testnet', '0.001', 'There is no account nobody-has-this.testnet'],
    // What its fee makes too dear, the wallet itself refuses before its prompt.
    [REGISTRY, /[\d.]+/.exec(spendable ?? '')?.[0] ?? '', /balance|enough|needs/i],
  ] as const) {
    await startSending(page, receiver, amount);
    await expect(page.getByRole('alert').filter({ hasText: problem })).toBeVisible();
    await expect(confirmDialog(page)).toBeHidden();
  }
  await startSending(page, REGISTRY, '0.001');
  await pressUntilGone(confirmDialog(page).getByRole('button', { name: 'Cancel' }), confirmDialog(page));
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was sent' })).toBeVisible();

  const payment = holdEverywhere(stack, 'send_tx');
  await startSending(page, REGISTRY, '0.002');
  await agree(confirmDialog(page), AGREE);
  await expect
    .poll(async () => page.evaluate(readActivity, accountOf(username)))
    .toMatchObject({ version: 1, entries: [{ fate: 'unknown', receiverId: REGISTRY }] });
  await payment.first;
  await page.reload();
  await page.getByRole('button', { name: `Open ${accountOf(username)}` }).click();
  await goTo(page, 'Activity');
  await expect(row(page, 'Sent')).toHaveCount(1);
  await expect(row(page, 'Sent 0.002 NEAR')).toContainText('Not known yet');
  await expect(row(page, 'Sent 0.002 NEAR')).toContainText('don’t send it again');
  // The nodes get it now, and the page follows it by itself.
  payment.release();
  await expect(row(page, 'Sent 0.002 NEAR')).toContainText('Done', { timeout: 60_000 });
});

/** The stored activity of an account, as it lies on disk. */
async function readActivity(accountId: string): Promise<unknown> {
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await settled(indexedDB.open('PasskeyClientDB'));
  const record = await settled(
    database.transaction('appState').objectStore('appState').get(`activity:${accountId}`),
  );
  database.close();
  return record?.value;
}

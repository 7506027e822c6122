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

test('a user registers on the wallet’s own page, sends, and finds it in the activity after a reload', async ({
  home,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  await expect(heading(page, 'Your wallet')).toBeVisible();
  await register(page, username);
  await expect(heading(page, 'Overview')).toBeVisible();
  await expect(page.getByRole('region', { name: 'You can spend' })).toContainText(/\d NEAR/);
  await expect(page.getByText('Nothing yet')).toBeVisible();

  const before = await stack.oracle.balance(REGISTRY);
  await page.getByRole('link', { name: 'Send', exact: true }).click();
  await startSending(page, REGISTRY, '0.010000000000000000000001');
  await seeAll(confirmDialog(page));
  await mash(page, confirmDialog(page).getByRole('button', { name: AGREE }));
  const receipt = page.getByRole('heading', { name: 'Done', exact: true });
  await approveUntil(page, receipt);
  const link = page.getByRole('link', { name: 'Look it up in the explorer' });
  const [, transaction = ''] = /\/transactions\/(\w+)$/.exec((await link.getAttribute('href')) ?? '') ?? [];
  expect(await stack.oracle.transaction(transaction, accountOf(username))).toMatchObject({
    receiverId: REGISTRY,
    succeeded: true,
  });
  expect((await stack.oracle.balance(REGISTRY)) - before).toBe(10_000_000_000_000_000_000_001n);

  await page.reload();
  await page.getByRole('button', { name: `Open ${accountOf(username)}` }).click();
  await goTo(page, 'Activity');
  await expect(row(page, 'Sent ≈ 0.01 NEAR')).toContainText(`to ${REGISTRY}`);
  await expect(row(page, 'Sent ≈ 0.01 NEAR')).toContainText('Done');
  expect(complaints).toEqual([]);
});

test('the form refuses what cannot be sent before anything is asked', async ({ home, username }) => {
  const { page, complaints } = home;
  await register(page, username);
  await page.goto(`${home.origin}/#/send`);
  const alert = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text });
  for (const [receiver, amount, problem] of [
    ['', '1', 'Type the account that gets it.'],
    ['not an account', '1', 'No account can have this name.'],
    [accountOf(username), '1', 'the account that you send from'],
    [REGISTRY, '', 'Type how much'],
    [REGISTRY, '1,5', 'Write the amount in digits with a point'],
    [REGISTRY, '0.0000000000000000000000001', 'at most 24 decimals'],
    [REGISTRY, '0', 'more than 0'],
    [REGISTRY, '1000000', 'more than you can spend'],
    ['nobody-has-this.testnet', '0.001', 'There is no account nobody-has-this.testnet'],
  ] as const) {
    await startSending(page, receiver, amount);
    await expect(alert(problem)).toBeVisible();
    await expect(confirmDialog(page)).toBeHidden();
  }
  // What its fee makes too dear, the wallet itself refuses before its prompt.
  const spendable = await page.getByText(/^You can spend [\d.]+ NEAR/).textContent();
  await startSending(page, REGISTRY, /[\d.]+/.exec(spendable ?? '')?.[0] ?? '');
  await expect(alert(/balance|enough|needs/i)).toBeVisible();
  await goTo(page, 'Activity');
  await expect(page.getByText('Nothing yet')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a user sends all but what fees need to an account that it makes, and can still send after it', async ({
  home,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  await register(page, username);
  await page.goto(`${home.origin}/#/send`);
  const made = createHash('sha256').update(username).digest('hex');
  await page.getByRole('textbox', { name: 'Receiver' }).fill(made);
  const before = await stack.oracle.balance(accountOf(username));
  await page.getByRole('button', { name: 'All but 0.01 NEAR, kept for fees' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
  await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
  expect(await stack.oracle.balance(made)).toBe(before - 10n ** 22n);

  await page.getByRole('button', { name: 'Send something else' }).click();
  await expect(page.getByText(/^You can spend 0\.00/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^All but/ })).toBeHidden();
  const had = await stack.oracle.balance(REGISTRY);
  await startSending(page, REGISTRY, '0.001');
  await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
  expect((await stack.oracle.balance(REGISTRY)) - had).toBe(10n ** 21n);
  expect(complaints).toEqual([]);
});

test('a transfer that the user does not approve is not sent, and one without an answer is not known yet until it is', async ({
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

test('the address to receive at is copied and drawn as a code, once the passkey has answered the same again [S37]', async ({
  home,
  context,
  username,
}) => {
  const { page, origin, complaints } = home;
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await register(page, username);
  const check = page.getByRole('status', { name: 'Check your passkey before you receive money' });
  await expect(check).toBeVisible();
  const copy = page.getByRole('button', { name: 'Copy Your address' });
  await expect(copy).toHaveCount(0);
  await page.goto(`${origin}/#/receive`);
  await expect(page.getByRole('img', { name: 'QR code of your address' })).toHaveCount(0);
  await check.getByRole('button', { name: 'Check my passkey' }).click();
  await expect(check).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'QR code of your address' })).toBeVisible();
  await copy.click();
  await expect(page.getByText('Copied')).toBeAttached();
  complaints.length = 0;
});

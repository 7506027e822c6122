// Tokens on the wallet's own page, under its strict policy, over the real chain: added, sent with storage, and noticed as they come.
// Specification: core 5
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { actions } from 'near-api-js';
import { deploySaying, deployTokens } from '../devnet/tokens.js';
import type { LocalStack } from '../support/local-stack.js';
import { AGREE, approveUntil, confirmDialog, seeAll } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect } from './fixtures.js';
import { goTo, register, row, test } from './home-page.js';
import { mash } from './popup/window.js';

const GAS = 30n * 10n ** 12n;

/** How often the page looks at the account's keys until two looks in a row have seen no new transaction of it. */
const LOOKS = 3;
/** Longer than the change of a fee takes to come in. */
const BETWEEN_LOOKS = { timeout: 60_000, intervals: [1_000] };

/** Has the page look for what came in, as it does whenever its user sees it again. */
const seeAgain = (page: Page): Promise<unknown> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

/** Waits until what comes in is no change of a fee to the page, because the account has sent nothing for a while. */
async function untilQuiet(page: Page, { chain }: LocalStack): Promise<void> {
  const looks = () => chain.calls.filter(({ name }) => name === 'query:view_access_key_list').length;
  const before = looks();
  await expect
    .poll(async () => {
      await seeAgain(page);
      return looks();
    }, BETWEEN_LOOKS)
    .toBeGreaterThanOrEqual(before + LOOKS);
}

test('a token is added by its address and sent with the receiver’s storage, and it and NEAR are noticed as they come in', async ({
  home,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  const accountId = accountOf(username);
  // Nothing in these names is like the account's.
  const id = createHash('sha256').update(accountId).digest('hex').slice(0, 12);
  const [coin, fake] = [`coin-${id}.testnet`, `fake-${id}.testnet`];
  const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";
  const friend = stack.oracle.accountAs('testnet');
  await register(page, username);
  await friend.transfer({ receiverId: accountId, amount: 10n ** 24n });
  await deployTokens(stack.oracle, coin, accountId);
  await deploySaying(stack.oracle, fake, { name: 'NEAR Protocol', symbol: 'NΕAR', decimals: 0, icon });

  const tokens = page.getByRole('region', { name: 'Tokens' });
  const add = async (contractId: string): Promise<void> => {
    await tokens.getByRole('textbox', { name: 'Token’s address' }).fill(contractId);
    await tokens.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await expect(tokens.getByText('No tokens yet')).toBeVisible();
  await tokens.getByText('Add a token').click();
  await add('testnet');
  await expect(tokens.getByRole('alert')).toContainText(
    'At testnet there is no token that this wallet can use',
  );
  await add(coin);
  const item = (contractId: string) => tokens.getByRole('listitem').filter({ hasText: contractId });
  await expect(item(coin)).toContainText('“TEST”');
  await expect(item(coin)).toContainText('1,000');
  await add(fake);
  await expect(item(fake)).toContainText('Not NEAR');
  await item(fake)
    .getByRole('button', { name: `Hide ${fake}` })
    .click();
  await expect(item(fake)).toHaveCount(0);

  await test.step('sent, with storage', async () => {
    await item(coin).getByRole('button', { name: 'Send “TEST”' }).click();
    await page.getByRole('textbox', { name: 'Receiver' }).fill(friend.accountId);
    await page.getByRole('textbox', { name: /^Amount in .*TEST/ }).fill('12.34');
    await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
    const dialog = confirmDialog(page);
    await expect(dialog).toContainText('Send tokens');
    await expect(dialog).toContainText('For storage0.00125 NEAR for');
    await expect(dialog).toContainText('Sends12.34 “TEST” to');
    await seeAll(dialog);
    await expect(dialog).not.toContainText('Looks like another');
    await mash(page, dialog.getByRole('button', { name: AGREE }));
    await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
    await expect(page.getByText('and 0.00125 NEAR, so that the receiver can hold this token')).toBeVisible();
    const held = await stack.oracle.provider.callFunction({
      contractId: coin,
      method: 'ft_balance_of',
      args: { account_id: friend.accountId } as never,
    });
    expect(held).toBe('1234');
    await goTo(page, 'Activity');
    const sent = row(page, 'Sent 12.34 “TEST”');
    await expect(sent).toContainText(`to ${friend.accountId}`);
    await expect(sent).toContainText('Paid 0.00125 NEAR for storage');
  });

  await test.step('noticed', async () => {
    await goTo(page, 'Overview');
    await expect(item(coin)).toContainText('987.66');
    await untilQuiet(page, stack);
    await friend.transfer({ receiverId: accountId, amount: 2n * 10n ** 24n });
    await friend.signAndSendTransaction({
      receiverId: coin,
      actions: [actions.functionCall('ft_transfer', { receiver_id: accountId, amount: '234' }, GAS, 1n)],
      waitUntil: 'FINAL',
    });
    await seeAgain(page);
    for (const amount of ['2 NEAR', '2.34 “TEST”'])
      await expect(page.getByRole('status').filter({ hasText: `Received ${amount}` })).toBeVisible();
    await expect(item(coin)).toContainText('990');
    const listed = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem');
    const ofCoin = listed.filter({ hasText: 'Received 2.34 “TEST”' });
    await expect(ofCoin).toContainText(`Token’s address: ${coin}`);
    await expect(listed.filter({ hasText: 'Received 2 NEAR' })).toContainText('Came in');
    await page.reload();
    await page.getByRole('button', { name: `Open ${accountId}` }).click();
    await expect(ofCoin).toBeVisible();
    await expect(item(coin)).toContainText('990');
    await expect(item(fake)).toHaveCount(0);
  });
  expect(complaints).toEqual([]);
});

// Tokens on the wallet's own page, under its strict policy, over the real chain: added, sent with storage, and noticed as they come.
// Specification: core 5
import { createHash } from 'node:crypto';
import { actions } from 'near-api-js';
import { violations } from '../../demo/tour/accessibility.js';
import { showTheme } from '../../demo/tour/camera.js';
import { deploySaying, deployTokens } from '../devnet/tokens.js';
import type { LocalStack } from '../support/local-stack.js';
import { AGREE, approveUntil, confirmDialog, seeAll } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect } from './fixtures.js';
import { goTo, register, row, test } from './home-page.js';
import { mash } from './popup/window.js';

const GAS = 30n * 10n ** 12n;
/** What the token asks for a holder: 0.00125 NEAR. */
const STORAGE_YOCTO = 125n * 10n ** 19n;

/** How often the page looks at the account's keys until two looks in a row have seen no new transaction of it. */
const LOOKS = 3;

/** Waits until what comes in is no change of a fee to the page, because the account has sent nothing for a while. */
async function untilQuiet({ chain }: LocalStack): Promise<void> {
  const looks = () => chain.calls.filter(({ name }) => name === 'query:view_access_key_list').length;
  const before = looks();
  await expect.poll(looks, { timeout: 90_000 }).toBeGreaterThanOrEqual(before + LOOKS);
}

test('a token is added by its address and sent with the receiver’s storage, and NEAR is noticed as it comes in', async ({
  home,
  stack,
  username,
}, testInfo) => {
  test.setTimeout(180_000);
  const { page, origin, complaints } = home;
  const accountId = accountOf(username);
  // Nothing in these names is like the account's.
  const id = createHash('sha256').update(accountId).digest('hex').slice(0, 12);
  const [coin, fake] = [`coin-${id}.testnet`, `fake-${id}.testnet`];
  const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";
  await register(page, username);
  await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 10n ** 24n });
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
  await page.screenshot({ path: testInfo.outputPath('overview.png'), fullPage: true });
  expect(await violations(page)).toEqual([]);

  const receiver = createHash('sha256').update(username).digest('hex');
  await item(coin).getByRole('button', { name: 'Send “TEST”' }).click();
  await page.getByRole('textbox', { name: 'Receiver' }).fill(receiver);
  await page.getByRole('textbox', { name: /^Amount in .*TEST/ }).fill('12.34');
  await page.screenshot({ path: testInfo.outputPath('send.png'), fullPage: true });
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = confirmDialog(page);
  await expect(dialog).toContainText('Send tokens');
  await expect(dialog).toContainText('For storage0.00125 NEAR for');
  await expect(dialog).toContainText('Sends12.34 “TEST” to');
  await seeAll(dialog);
  await expect(dialog).not.toContainText('Looks like another');
  await page.screenshot({ path: testInfo.outputPath('confirmation.png') });
  await mash(page, dialog.getByRole('button', { name: AGREE }));
  await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
  await expect(page.getByText('and 0.00125 NEAR, so that the receiver can hold this token')).toBeVisible();
  await page.screenshot({ path: testInfo.outputPath('receipt.png'), fullPage: true });
  const held = await stack.oracle.provider.callFunction({
    contractId: coin,
    method: 'ft_balance_of',
    args: { account_id: receiver } as never,
  });
  expect(held).toBe('1234');
  await goTo(page, 'Activity');
  const sent = row(page, 'Sent 12.34 “TEST”');
  await expect(sent).toContainText(`to ${receiver}`);
  await expect(sent).toContainText('Paid 0.00125 NEAR for storage');

  await untilQuiet(stack);
  await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 2n * 10n ** 24n });
  await expect(page.getByText('Received 2 NEAR').first()).toBeVisible({ timeout: 60_000 });
  await expect(row(page, 'Received 2 NEAR')).toContainText('Came in');
  await page.screenshot({ path: testInfo.outputPath('activity.png'), fullPage: true });

  await page.goto(`${origin}/#/`);
  await item(fake)
    .getByRole('button', { name: `Hide ${fake}` })
    .click();
  await expect(item(fake)).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: `Open ${accountId}` }).click();
  await expect(item(coin)).toContainText('987.66');
  await expect(item(fake)).toHaveCount(0);
  await page.setViewportSize({ width: 320, height: 640 });
  await showTheme(page, 'dark');
  await page.screenshot({ path: testInfo.outputPath('overview-narrow.png'), fullPage: true });
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a token that comes in while the page is open is said, and shows in the balance and in the activity', async ({
  home,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  const accountId = accountOf(username);
  const coin = `coin-${createHash('sha256').update(accountId).digest('hex').slice(0, 12)}.testnet`;
  await register(page, username);
  await deployTokens(stack.oracle, coin, 'testnet');
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await tokens.getByText('Add a token').click();
  await tokens.getByRole('textbox', { name: 'Token’s address' }).fill(coin);
  await tokens.getByRole('button', { name: 'Add', exact: true }).click();
  const item = tokens.getByRole('listitem').filter({ hasText: coin });
  await expect(item).toContainText('“TEST”');
  const received = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem');
  await expect(received).toHaveCount(0);

  await untilQuiet(stack);
  await stack.oracle.accountAs('testnet').signAndSendTransaction({
    receiverId: coin,
    actions: [
      actions.functionCall('storage_deposit', { account_id: accountId }, GAS, STORAGE_YOCTO),
      actions.functionCall('ft_transfer', { receiver_id: accountId, amount: '1234' }, GAS, 1n),
    ],
    waitUntil: 'FINAL',
  });
  const notice = page.getByRole('status').filter({ hasText: 'Received 12.34 “TEST”' });
  await expect(notice).toBeVisible({ timeout: 60_000 });
  await expect(item).toContainText('12.34');
  await expect(received).toContainText(['Received 12.34 “TEST”']);
  await expect(received).toContainText([`Token’s address: ${coin}`]);
  await page.reload();
  await page.getByRole('button', { name: `Open ${accountId}` }).click();
  await expect(received).toContainText(['Received 12.34 “TEST”']);
  expect(complaints).toEqual([]);
});

test('the screen that receives says what arrives, where test money comes from, and what does not arrive', async ({
  home,
  username,
}, testInfo) => {
  const { page, origin } = home;
  await register(page, username);
  await page.goto(`${origin}/#/receive`);
  await page.getByRole('button', { name: 'Go on without the check' }).click();
  const add = page.getByRole('region', { name: 'Add money' });
  await expect(add).toContainText('choose the network NEAR');
  await expect(add).toContainText('What does not arrive: coins of other networks');
  await expect(add.getByRole('link', { name: 'Get money for the test network' })).toHaveAttribute(
    'href',
    'https://docs.near.org/getting-started/faucet',
  );
  await expect(add.getByRole('button')).toHaveCount(0);
  await page.screenshot({ path: testInfo.outputPath('receive.png'), fullPage: true });
  expect(await violations(page)).toEqual([]);
});

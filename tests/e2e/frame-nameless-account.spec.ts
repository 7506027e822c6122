// An account without a name whose passkey is not proven yet, in a wallet in a frame and on the wallet's own page.
import { fileURLToPath } from 'node:url';
import { agreeToCreate, NAMELESS, namelessOffer, UNPROVEN } from '../support/steps.js';
import { homeOf, openWatchedWallet } from '../support/wallet.js';
import { everyNodeKnows, expect, settle, test } from './fixtures.js';
import { goTo, sections, useMenu } from './home-page.js';
import { storageDump } from './storage-dump.js';

const PAGE = fileURLToPath(new URL('./menu-page', import.meta.url));

test('the address is shown nowhere before its proof, and money sent there before is found after it', async ({
  context,
  stack,
  expectedConsole,
}) => {
  const address = `${await stack.addPage(PAGE, 'unproven')}?nameless`;
  const wallet = await openWatchedWallet(context, stack, 'always', address);
  const { page } = wallet;
  await namelessOffer(page).click();
  await agreeToCreate(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(UNPROVEN);
  const [, accountId = ''] =
    /"nearAccountId":"([\da-f]{64})"/.exec(await storageDump(await homeOf(page))) ?? [];
  expect(accountId).toMatch(NAMELESS);
  const shown = page.getByText(accountId);
  await expect(shown).toHaveCount(0);

  await page.goto(`${stack.walletOrigin}/`);
  await useMenu(page, 'Recover', '');
  for (const section of ['Activity', 'Devices', 'App access', 'Apps', 'Accounts', 'Settings', 'Overview']) {
    await goTo(page, section);
    await expect(sections(page).getByRole('link', { name: section })).toHaveAttribute('aria-current', 'page');
    await expect(shown).toHaveCount(0);
  }
  expect(await page.evaluate(() => document.querySelector('a[href*="/address/"]'))).toBeNull();
  await page.getByRole('link', { name: 'Receive', exact: true }).click();
  await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 2n * 10n ** 24n });
  await everyNodeKnows(stack);
  await expect(shown).toHaveCount(0);
  await goTo(page, 'Overview');
  await page.getByRole('button', { name: 'Show my address' }).click();
  await expect(shown.first()).toBeVisible();

  await expect(page.getByRole('paragraph').filter({ has: shown })).toBeFocused();
  await expect(page.getByRole('region', { name: 'You can spend' })).toContainText(/1\.9\d* NEAR|2 NEAR/);
  const secondWay = page.getByRole('status', { name: 'A second way in' });
  await expect(secondWay.getByRole('button', { name: 'Make a recovery phrase' })).toBeVisible();
  await goTo(page, 'Devices');
  await expect(page.getByRole('button', { name: 'Register this passkey' })).toBeVisible();
  settle(stack, wallet, expectedConsole);
});

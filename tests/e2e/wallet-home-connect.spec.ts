// Accounts that the wallet's own page, its /connect and the pages that frame it share.
import type { Page } from '@playwright/test';
import { agree, approveUntil, confirmDialog, loginMenu } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import {
  answerOf,
  chooser,
  clickAndOpen,
  closed,
  makeAccount,
  test as withDapps,
} from './connect-page/fixture.js';
import { testWithDevices } from './devices.js';
import { expect } from './fixtures.js';
import { goTo, heading, register } from './home-page.js';

const accountsOf = (page: Page) => page.getByRole('main').getByRole('listitem');

withDapps(
  'accounts that the page and /connect add are offered in both, and a dapp gets the one that the user chooses',
  async ({ dapps, context, stack, username }) => {
    withDapps.setTimeout(180_000);
    const [first, second, third] = ['a', 'b', 'c'].map((letter) => `${username}${letter}`) as [
      string,
      string,
      string,
    ];
    const home = await context.newPage();
    await home.goto(`${stack.walletOrigin}/`);
    await register(home, first);
    await goTo(home, 'Accounts');
    await home.getByRole('button', { name: 'Add an account' }).click();
    await loginMenu(home).getByRole('textbox', { name: 'Username' }).fill(second);
    await home.getByRole('button', { name: 'Continue' }).click();
    await approveUntil(home, heading(home, 'Overview'));
    await goTo(home, 'Accounts');
    await expect(accountsOf(home).filter({ hasText: 'Open now' })).toContainText(accountOf(second));

    const shop = await dapps.open('shop.localhost');
    const choosing = await clickAndOpen(shop, 'window:connect', {});
    for (const name of [first, second])
      await expect(chooser(choosing).getByRole('radio', { name: accountOf(name) })).toBeVisible();
    await chooser(choosing)
      .getByRole('radio', { name: accountOf(first) })
      .check();
    await agree(chooser(choosing), 'Connect').catch((error: unknown) => {
      if (!choosing.isClosed()) throw error;
    });
    expect(await answerOf(shop)).toMatchObject({ value: { success: true, accountId: accountOf(first) } });
    await closed(choosing);

    const game = await dapps.open('game.localhost');
    const adding = await clickAndOpen(game, 'window:connect', {});
    await makeAccount(adding, third);
    expect(await answerOf(game)).toMatchObject({ value: { success: true, accountId: accountOf(third) } });
    await closed(adding);
    await home.reload();
    for (const name of [first, second, third])
      await expect(home.getByRole('button', { name: `Open ${accountOf(name)}` })).toBeVisible();
  },
);

/** The wallet's own page in browsers with a camera each. */
const test = testWithDevices((stack) => ({ ...stack, appUrl: `${stack.walletOrigin}/`, walletOrigin: null }));

test('a user who has one account open shows this browser’s code to bring another account here', async ({
  open,
  username,
}) => {
  test.setTimeout(180_000);
  const [a, b] = [await open(), await open()];
  await register(a.page, `${username}a`);
  await register(b.page, `${username}b`);
  await goTo(b.page, 'Devices');
  await b.page.getByRole('button', { name: 'Show this device’s code' }).click();
  const image = b.page.getByRole('img', { name: 'QR code that links this device' });
  await image.waitFor();
  await goTo(a.page, 'Devices');
  await a.see(image);
  await a.page.getByRole('button', { name: 'Add a device' }).click();
  const scanned = confirmDialog(a.page);
  await scanned.getByRole('button', { name: 'Link device' }).waitFor();
  await agree(scanned, 'Link device');
  await agree(confirmDialog(b.page), 'Create passkey');
  await expect(b.page.getByText(`This device now belongs to ${accountOf(`${username}a`)}.`)).toBeVisible();
  await goTo(b.page, 'Accounts');
  for (const letter of ['a', 'b'])
    await expect(accountsOf(b.page).filter({ hasText: accountOf(`${username}${letter}`) })).toHaveCount(1);
});

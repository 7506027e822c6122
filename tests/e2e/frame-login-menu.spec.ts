// The kit's login menu on a page of its own, with the wallet's register button in it.
import { fileURLToPath } from 'node:url';
import { approveUntil, uncovered } from '../support/steps.js';
import { accountOf, drawnIn, openWatchedWallet } from '../support/wallet.js';
import { expect, settle, test } from './fixtures.js';

const PAGE = fileURLToPath(new URL('./menu-page', import.meta.url));

test("a click on the wallet's own button in the menu registers, and a changed name removes it", async ({
  context,
  stack,
  username,
  expectedConsole,
}) => {
  const wallet = await openWatchedWallet(context, stack, 'always', await stack.addPage(PAGE, 'menu'));
  const { page } = wallet;
  const name = page.getByRole('textbox', { name: 'Username' });
  const button = drawnIn(page).getByRole('button', { name: 'Create a passkey' });
  await name.fill('someone');
  await expect(button).toContainText(accountOf('someone'));
  await name.fill('-');
  await expect(button).toHaveCount(0);

  await name.fill(username);
  await expect(button).toContainText(accountOf(username));
  const place = page.locator('.wallet-button .place');
  const [covered, drawn] = [await place.boundingBox(), await page.locator('iframe').boundingBox()];
  expect(drawn).toEqual(covered);
  await button.click();
  await approveUntil(page, page.getByRole('heading', { level: 1, name: accountOf(username) }));
  await uncovered(page);
  expect(await stack.oracle.authenticators(accountOf(username))).toHaveLength(1);
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);
  settle(stack, wallet, expectedConsole);
});

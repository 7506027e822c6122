// The embedded transaction button on a page of its own, whose configuration asks for a click to confirm.
// Specification: button 10
import { fileURLToPath } from 'node:url';
import { RELAYER } from '../../dev/services/services.js';
import { approveUntil, confirmDialog } from '../support/steps.js';
import { accountOf, openWatchedWallet } from '../support/wallet.js';
import { expect, settle, test } from './fixtures.js';

const PAGE = fileURLToPath(new URL('./button-page', import.meta.url));

test("a click on the page's transaction button pays, and nothing asks again", async ({
  context,
  stack,
  username,
  expectedConsole,
}) => {
  const url = `${await stack.addPage(PAGE, 'button')}?to=${RELAYER}`;
  const wallet = await openWatchedWallet(context, stack, 'always', url);
  const { page } = wallet;
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await approveUntil(page, page.getByRole('heading', { level: 1, name: accountOf(username) }));

  const frame = page.frameLocator('iframe[title="Transaction button"]');
  const button = frame.getByRole('button', { name: 'Send Transaction' });
  const both = frame.locator('.both');
  await button.hover();
  await expect(frame.getByRole('region', { name: 'What this signs' })).toContainText('You send 0.0003 NEAR');
  const paid = page.getByText('Paid 2');
  const { prompts } = await wallet.during(async () => {
    await expect(async () => {
      await button.hover({ timeout: 3_000 });
      await expect(both).toHaveAttribute('data-armed', 'true', { timeout: 3_000 });
      await button.click({ timeout: 3_000 });
      await expect(button).toHaveAttribute('aria-busy', 'true', { timeout: 3_000 });
    }).toPass();
    await expect(paid).toBeVisible({ timeout: 60_000 });
  });
  await expect(confirmDialog(page)).toHaveCount(0);
  expect(prompts.map(({ kind }) => kind)).toEqual(['get']);
  // The specification wants both; the frame is the page's own, and has the page's policy.
  expectedConsole.push(/both allow-scripts and allow-same-origin/);
  settle(stack, wallet, expectedConsole);
});

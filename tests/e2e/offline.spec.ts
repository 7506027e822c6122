// Without a network: one plain sentence everywhere, and the status says it.
// Specification: core 4
import {
  chooseInMenu,
  closeMenu,
  linkedDevices,
  listDevices,
  NAMELESS,
  namelessMenuOf,
  namelessOffer,
  paymentStep,
  register,
  showAddress,
  startPayment,
  UNPROVEN,
  uncovered,
} from '../support/steps.js';
import { expect, FRAMED, REQUEST_FAILED, test } from './fixtures.js';

const SENTENCE = 'This device is offline. Your keys and your money are safe. Connect, then try again.';

test(
  'offline is one sentence in every read, in a payment and for code that cannot load, and the status says it',
  FRAMED,
  async ({ wallet, context, username, expectedConsole }) => {
    // A frame that is offline reports its background refreshes too.
    expectedConsole.push(REQUEST_FAILED, /background refresh failed|could not be read/);
    const { page } = wallet;
    const status = page.getByRole('status', { name: 'Wallet' });
    await register(wallet, username);
    await listDevices(wallet);

    await context.setOffline(true);
    await expect(status).toHaveText('offline');
    const banner = page.getByText('This device is offline. Your keys and your money are safe.', {
      exact: true,
    });
    await expect(banner).toBeVisible();
    await page.setViewportSize({ width: 320, height: 640 });
    await expect(banner).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 800 });
    await chooseInMenu(page, 'Linked Devices');
    await expect(linkedDevices(page).getByRole('alert')).toHaveText(SENTENCE);
    await page.keyboard.press('Escape');
    await chooseInMenu(page, 'Scan and Link Device');
    await expect(page.locator('[data-sonner-toast]').filter({ hasText: SENTENCE })).toBeVisible();
    await closeMenu(page);
    const prompts = wallet.prompts.length;
    await startPayment(wallet);
    await expect(paymentStep(page).getByText(SENTENCE)).toBeVisible();
    expect(wallet.prompts).toHaveLength(prompts);
    // The card reads at most once a second, and has read when it appeared.
    const greeting = page.getByRole('region', { name: 'Greeting on the chain' }).getByRole('alert');
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh greeting' }).click();
      await expect(greeting).toHaveText(SENTENCE, { timeout: 1_000 });
    }).toPass();

    await context.setOffline(false);
    await expect(status.filter({ hasText: 'offline' })).toHaveCount(0);
    await expect(banner).toHaveCount(0);
    expect(await listDevices(wallet)).toHaveLength(1);
  },
);

test('offline, an account without a name is made and its passkey checked, and a payment says what it waits for', async ({
  wallet,
  context,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /server lock|background refresh failed|could not be read/i);
  const { page, prompts } = wallet;
  await page.goto(namelessMenuOf(stack.appUrl));
  await expect(namelessOffer(page)).toHaveAttribute('aria-disabled', 'false');
  await page.waitForLoadState('networkidle');

  await context.setOffline(true);
  await namelessOffer(page).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(UNPROVEN);
  await uncovered(page);
  expect(await showAddress(page)).toMatch(NAMELESS);
  expect(prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);

  await startPayment(wallet);
  await expect(paymentStep(page).getByText(SENTENCE)).toBeVisible();
  expect(prompts).toHaveLength(2);
});

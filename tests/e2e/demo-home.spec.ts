// The demo's first page: three steps that a visitor takes on it, with the code and the safety of each.
// Specification: demo 1, demo 2
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { violations } from '../../demo/tour/accessibility.js';
import { REGISTRY, ROOT } from '../../dev/services/services.js';
import {
  cancel,
  confirmDialog,
  loginMenu,
  pay,
  paymentStep,
  register,
  startPayment,
  uncovered,
} from '../support/steps.js';
import { accountOf, drawnIn } from '../support/wallet.js';
import { expect, expectFinal, FRAMED, test } from './fixtures.js';
import { tabTo } from './keyboard.js';

/** What moves without the user's doing (https://wicg.github.io/layout-instability); TypeScript knows no type of it. */
interface LayoutShift {
  readonly sources: readonly { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

const step = (page: Page, name: 'Make an account' | 'Pay' | 'Add a second device') =>
  page.getByRole('region', { name, exact: true });

test(
  'a visitor is led to the three steps of the first page, makes an account, pays after a refusal, and scans, with one prompt each',
  FRAMED,
  async ({ wallet, stack, username }) => {
    const { page } = wallet;
    const linking = step(page, 'Add a second device');

    await test.step('without an account the first step comes first', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(loginMenu(page)).toBeVisible();
      await expect(step(page, 'Pay').getByRole('button', { name: /^Pay/ })).toBeDisabled();
      await linking.getByRole('link', { name: 'Make an account first' }).click();
      await expect(page.getByRole('heading', { name: 'Make an account', exact: true })).toBeInViewport();
      await tabTo(page, page.getByRole('radio', { name: 'Register' }));
      await page.setViewportSize({ width: 1100, height: 860 });
    });

    await test.step('an account is made', async () => {
      const { prompts } = await wallet.during(() => register(wallet, username));
      expect(prompts.map(({ kind }) => kind)).toEqual(['create']);
      await expect(step(page, 'Make an account')).toContainText(`${accountOf(username)} is open`);
      await expect(page.getByRole('heading', { name: 'Done: Make an account' })).toBeVisible();
    });

    await test.step('a payment that the user refuses says so next to its button, and nowhere else', async () => {
      await startPayment(wallet);
      await expect(confirmDialog(page)).toBeVisible();
      await cancel(wallet);
      await expect(paymentStep(page).getByRole('alert')).toBeVisible();
      await expect(page.locator('[data-sonner-toast][data-type="error"]')).toHaveCount(0);
      await expect(page.getByRole('heading', { name: 'Done: Pay' })).toHaveCount(0);
    });

    await test.step('the payment is made', async () => {
      const before = await stack.oracle.balance(REGISTRY);
      let id = '';
      const { prompts } = await wallet.during(() =>
        expectFinal(stack, async () => {
          id = await pay(wallet);
        }),
      );
      expect(prompts.map(({ kind }) => kind)).toEqual(['get']);
      expect(await stack.oracle.balance(REGISTRY)).toBeGreaterThanOrEqual(before + 10n ** 21n);
      await expect(paymentStep(page).getByRole('alert')).toHaveCount(0);
      await expect(paymentStep(page).getByRole('listitem')).toContainText(`0.001 NEAR to ${REGISTRY}`);
      await expect(page.getByRole('heading', { name: 'Done: Pay' })).toBeVisible();
      await expect(page.getByTestId('transaction-id')).toHaveText(id);
    });

    await test.step('the scanner opens, and gives the focus back to its button', async () => {
      await uncovered(page);
      // A toast gives the focus back to the control before it, as long as it shows: Tab gets past it only then.
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
      const scan = linking.getByRole('button', { name: 'Scan the code' });
      await tabTo(page, scan);
      await page.keyboard.press('Enter');
      const scanner = drawnIn(page).getByRole('dialog', { name: 'Scan and Link Device' });
      await expect(scanner).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(scanner).toHaveCount(0);
      await expect(scan).toBeFocused();
    });
  },
);

test(
  'each step shows the whole file that runs it, and by keyboard why it is safe, which a wallet in a frame can claim more of',
  FRAMED,
  async ({ wallet, context, framed }) => {
    const { page } = wallet;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const file of ['make-account.tsx', 'use-payment.ts', 'scan-device.tsx']) {
      const source = await readFile(join(ROOT, 'demo/app/src/home/shown', file), 'utf8');
      const code = page.getByRole('figure', { name: `Code of ${file}` });
      expect(await code.locator('code').textContent()).toBe(source);
      const colourOf = (part: string) =>
        code
          .locator(part)
          .first()
          .evaluate((element) => getComputedStyle(element).color);
      expect(await colourOf('.hljs-keyword')).not.toBe(await colourOf('code'));
      await code.getByRole('button', { name: 'Copy', exact: true }).click();
      await expect(code.getByRole('button', { name: 'Copied' })).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(source);
    }

    const linking = step(page, 'Add a second device');
    await tabTo(page, linking.locator('summary'));
    await page.keyboard.press('Enter');
    await expect(linking.getByRole('listitem')).toHaveText([
      ...(framed ? [/The wallet scans the code itself.* S30$/] : []),
      /the same 16 characters.* S33$/,
      /replaces no passkey.* S34$/,
    ]);
    await linking.getByRole('link', { name: 'All claims' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible();
  },
);

test('nothing moves on a phone or a desktop while the page loads', FRAMED, async ({ wallet }) => {
  const { page } = wallet;
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[])
        for (const { node, previousRect, currentRect } of entry.sources)
          moved.push(`${node?.outerHTML?.slice(0, 80)}: ${JSON.stringify([previousRect, currentRect])}`);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const size of [
    { width: 390, height: 844 },
    { width: 1100, height: 860 },
  ]) {
    await page.setViewportSize(size);
    await page.reload();
    await expect(loginMenu(page)).toBeVisible();
    await page.waitForLoadState('networkidle');
    const moved = await page.evaluate(() => (window as unknown as { moved: string[] }).moved);
    expect({ size, moved }).toEqual({ size, moved: [] });
  }
});

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE' });

  test('the first page and the login menu speak German', async ({ wallet }) => {
    const { page } = wallet;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dein Gerät ist der Schlüssel.');
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.getByRole('region', { name: 'Konto anlegen' }).getByRole('radio')).toHaveCount(3);
    await expect(page.getByRole('radio', { name: 'Register', exact: true })).toHaveCount(0);
    for (const summary of await page.locator('main summary').all()) await summary.click();
    await page.setViewportSize({ width: 320, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
});

// The demo's first page: three steps that a visitor takes on it, with the code and the safety of each.
// Specification: demo 1, demo 2
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { violations } from '../../demo/tour/accessibility.js';
import { showTheme } from '../../demo/tour/camera.js';
import { drawn, shownFrames } from '../../demo/tour/screen.js';
import { REGISTRY, ROOT } from '../../dev/services/services.js';
import {
  cancel,
  confirmDialog,
  loginMenu,
  pay,
  paymentStep,
  register,
  startPayment,
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

test('the code of each step is the whole file that runs it, in colours, and is copied by its button', async ({
  wallet,
  context,
}) => {
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
});

test(
  'a visitor makes an account and pays, both on the first page and with one prompt each',
  FRAMED,
  async ({ wallet, stack, username }) => {
    const { page } = wallet;
    await expect(step(page, 'Pay').getByRole('button', { name: /^Pay/ })).toBeDisabled();
    const made = await wallet.during(() => register(wallet, username));
    expect(made.prompts.map(({ kind }) => kind)).toEqual(['create']);
    await expect(step(page, 'Make an account')).toContainText(`${accountOf(username)} is open`);
    await expect(page.getByRole('heading', { name: 'Done: Make an account' })).toBeVisible();

    const before = await stack.oracle.balance(REGISTRY);
    let id = '';
    const paid = await wallet.during(() =>
      expectFinal(stack, async () => {
        id = await pay(wallet);
      }),
    );
    expect(paid.prompts.map(({ kind }) => kind)).toEqual(['get']);
    expect(await stack.oracle.balance(REGISTRY)).toBeGreaterThanOrEqual(before + 10n ** 21n);
    await expect(paymentStep(page).getByRole('listitem')).toContainText(`0.001 NEAR to ${REGISTRY}`);
    await expect(page.getByRole('heading', { name: 'Done: Pay' })).toBeVisible();
    await expect(page.getByTestId('transaction-id')).toHaveText(id);
  },
);

test('a payment that the user refuses says so next to its button, and can be made again', async ({
  wallet,
  username,
}) => {
  const { page } = wallet;
  await register(wallet, username);
  await startPayment(wallet);
  await expect(confirmDialog(page)).toBeVisible();
  await cancel(wallet);
  await expect(paymentStep(page).getByRole('alert')).toBeVisible();
  // The page says it, and no toast repeats it.
  await expect(page.locator('[data-sonner-toast][data-type="error"]')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Done: Pay' })).toHaveCount(0);
  await pay(wallet);
  await expect(paymentStep(page).getByRole('alert')).toHaveCount(0);
});

test('a visitor without an account is led to the first step', async ({ wallet }) => {
  const { page } = wallet;
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(loginMenu(page)).toBeVisible();
  await step(page, 'Add a second device').getByRole('link', { name: 'Make an account first' }).click();
  await expect(page.getByRole('heading', { name: 'Make an account', exact: true })).toBeInViewport();
  await tabTo(page, page.getByRole('radio', { name: 'Register' }));
});

test('the third step scans, and gives the focus back to its button', async ({ wallet, username }) => {
  const { page } = wallet;
  await register(wallet, username);
  const scan = step(page, 'Add a second device').getByRole('button', { name: 'Scan the code' });
  await tabTo(page, scan);
  await page.keyboard.press('Enter');
  const scanner = drawnIn(page).getByRole('dialog', { name: 'Scan and Link Device' });
  await expect(scanner).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(scanner).toHaveCount(0);
  await expect(scan).toBeFocused();
});

test(
  'why a step is safe opens by keyboard; what only a wallet in a frame can claim stands there alone',
  FRAMED,
  async ({ wallet, framed }) => {
    const { page } = wallet;
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

test(
  'the page fits 320 pixels and violates no axe rule with everything open, in both themes',
  FRAMED,
  async ({ wallet }) => {
    const { page } = wallet;
    await expect(loginMenu(page)).toBeVisible();
    for (const summary of await page.locator('main summary').all()) await summary.click();
    for (const width of [1100, 320]) {
      await page.setViewportSize({ width, height: 740 });
      for (const theme of ['light', 'dark'] as const) {
        await showTheme(page, theme);
        await drawn(await shownFrames(page));
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
        expect([width, theme, await violations(page)]).toEqual([width, theme, []]);
      }
    }
  },
);

for (const [place, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1100, height: 860 }],
] as const)
  test(`nothing moves on ${place} while the page loads`, FRAMED, async ({ wallet }) => {
    const { page } = wallet;
    await page.setViewportSize(viewport);
    await page.addInitScript(() => {
      const moved: string[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[])
          for (const { node, previousRect, currentRect } of entry.sources)
            moved.push(`${node?.outerHTML?.slice(0, 80)}: ${JSON.stringify([previousRect, currentRect])}`);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.reload();
    await expect(loginMenu(page)).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
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

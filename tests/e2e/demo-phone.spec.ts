// The demo on a phone: what it says passes by without being in the way.
import type { Page } from '@playwright/test';
import { giveUp, loginProblem, register, showLinkCode, startRegistration } from '../../demo/stack/steps.js';
import { expect, test } from './fixtures.js';

test.use({ viewport: { width: 360, height: 740 } });

/** The fields and buttons on screen that a toast lies over. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toasts = [...document.querySelectorAll('[data-sonner-toast]')].map((each) =>
      each.getBoundingClientRect(),
    );
    if (toasts.length === 0) throw new Error('No toast is shown.');
    const controls = document.querySelectorAll<HTMLElement>(':is(header, main) :is(button, input, textarea)');
    return [...controls]
      .filter((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        if (bottom < 0 || top > innerHeight) return false;
        return toasts.some(
          (toast) => toast.left < right && toast.right > left && toast.top < bottom && toast.bottom > top,
        );
      })
      .map((control) => control.ariaLabel || control.innerText || control.id);
  });
}

test('a toast lies over no field and no button of the screen', async ({ wallet, username }) => {
  const { page, passkey } = wallet;
  const toast = page.locator('[data-sonner-toast]');
  await passkey.refuse();
  await startRegistration(wallet, username);
  await giveUp(wallet);
  await expect(loginProblem(page)).toBeVisible();
  await expect(toast).toBeVisible();
  expect(await covered(page)).toEqual([]);
  await passkey.renew();
  await expect(toast).toHaveCount(0);

  await register(wallet, username);
  await expect(toast).toBeVisible();
  expect(await covered(page)).toEqual([]);
});

test('on a scrolled page a toast stays in sight, and a press goes through it', async ({
  wallet,
  username,
}) => {
  const { page } = wallet;
  const toast = page.locator('[data-sonner-toast]');
  await register(wallet, username);
  await page.evaluate(() => scrollTo(0, 300));
  await expect(toast).toBeInViewport({ ratio: 0.9 });
  const { x, y, width, height } = (await toast.boundingBox()) as DOMRect;
  const hit = await page.evaluate(
    ([left, top]) => document.elementFromPoint(left as number, top as number)?.closest('[data-sonner-toast]'),
    [x + width / 2, y + height / 2],
  );
  expect(hit).toBeNull();
});

test('beside the code that links this device no toast is shown: the view says it', async ({ wallet }) => {
  const { page } = wallet;
  const toast = page.locator('[data-sonner-toast]');
  await showLinkCode(wallet);
  await toast.waitFor({ state: 'attached' });
  await expect(toast).toHaveText('QR code ready');
  expect(await toast.isVisible()).toBe(false);
  await expect(page.getByRole('status').filter({ hasText: 'Waiting for your other device' })).toBeVisible();
});

test('a toast has the raised colour of the page, light and dark', async ({ wallet, username }) => {
  const { page, passkey } = wallet;
  await passkey.setPresence(false);
  await startRegistration(wallet, username);
  const toast = page.locator('[data-sonner-toast][data-type="loading"]');
  for (const [colorScheme, colour] of [
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(38, 35, 31)'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(toast).toHaveCSS('background-color', colour);
  }
});

// The demo on a phone: toasts are visible without blocking anything.
import type { Page } from '@playwright/test';
import { giveUp, loginProblem, register, showLinkCode, startRegistration } from '../../demo/stack/steps.js';
import { expect, test } from './fixtures.js';

test.use({ viewport: { width: 360, height: 740 } });

/** The fields and buttons that the next toast of this kind covers. The page itself measures it, because toasts are brief. */
function covered(page: Page, kind: 'error' | 'success'): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    const selector = `[data-sonner-toast][data-type="${wanted}"][data-mounted="true"]`;
    let shown: Element | null = null;
    for (; !shown; shown = document.querySelector(selector)) await new Promise(requestAnimationFrame);
    await Promise.allSettled(shown.getAnimations().map(({ finished }) => finished));
    const toast = shown.getBoundingClientRect();
    const controls = document.querySelectorAll<HTMLElement>(':is(header, main) :is(button, input, textarea)');
    return [...controls]
      .filter((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        if (bottom < 0 || top > innerHeight) return false;
        return toast.left < right && toast.right > left && toast.top < bottom && toast.bottom > top;
      })
      .map((control) => control.ariaLabel || control.innerText || control.id);
  }, kind);
}

test('a toast covers no field and no button', async ({ wallet, username }) => {
  const { page, passkey } = wallet;
  await passkey.refuse();
  await startRegistration(wallet, username);
  const [refused] = await Promise.all([covered(page, 'error'), giveUp(wallet)]);
  await expect(loginProblem(page)).toBeVisible();
  expect(refused).toEqual([]);
  await passkey.renew();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);

  const [registered] = await Promise.all([covered(page, 'success'), register(wallet, username)]);
  expect(registered).toEqual([]);
});

test('on a scrolled page a toast stays visible and lets a press through', async ({ wallet, username }) => {
  const { page } = wallet;
  const looking = page.evaluate(async () => {
    const selector = '[data-sonner-toast][data-type="success"][data-mounted="true"]';
    let shown: Element | null = null;
    for (; !shown; shown = document.querySelector(selector)) await new Promise(requestAnimationFrame);
    scrollTo(0, 300);
    await Promise.allSettled(shown.getAnimations().map(({ finished }) => finished));
    const { left, top, right, bottom } = shown.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return {
      scrolled: scrollY,
      isInSight: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
      isHit: hit?.closest('[data-sonner-toast]') != null,
    };
  });
  const [seen] = await Promise.all([looking, register(wallet, username)]);
  expect(seen.scrolled).toBeGreaterThan(0);
  expect(seen).toMatchObject({ isInSight: true, isHit: false });
});

test('no toast appears next to the linking code: the view itself shows the state', async ({ wallet }) => {
  const { page } = wallet;
  const looking = page.evaluate(async () => {
    const ready = () =>
      [...document.querySelectorAll('[data-sonner-toast]')].find(
        ({ textContent }) => textContent === 'QR code ready',
      );
    let toast = ready();
    for (; !toast; toast = ready()) await new Promise(requestAnimationFrame);
    return toast.checkVisibility({ visibilityProperty: true });
  });
  const [isShown] = await Promise.all([looking, showLinkCode(wallet)]);
  expect(isShown).toBe(false);
  await expect(page.getByRole('status').filter({ hasText: 'Waiting for your other device' })).toBeVisible();
});

test('a toast has the raised colour of the page in both themes', async ({ wallet, username }) => {
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

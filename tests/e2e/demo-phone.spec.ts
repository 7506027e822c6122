// The demo on a phone and in a zoomed window: nothing is too wide, and toasts are visible without blocking anything.
// Specification: demo 2
import type { Locator, Page } from '@playwright/test';
import {
  giveUp,
  logIn,
  loginProblem,
  register,
  showLinkCode,
  startRegistration,
  toDemos,
  toHome,
  userMenu,
} from '../support/steps.js';
import { expect, FRAMED, REQUEST_FAILED, test } from './fixtures.js';

test.use({ viewport: { width: 360, height: 740 } });

/**
 * The fields, buttons, links of the bar and headings that the next toast of a success covers. The page itself measures it,
 * because toasts are brief.
 */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const within = (root: ParentNode): HTMLElement[] =>
      [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) =>
        element.shadowRoot ? within(element.shadowRoot) : [element],
      );
    const onPage = () => [...document.querySelectorAll('header, main')].flatMap(within);
    const selector = '[data-sonner-toast][data-type="success"][data-mounted="true"]';
    let shown: Element | null = null;
    for (; !shown; shown = document.querySelector(selector)) await new Promise(requestAnimationFrame);
    await Promise.allSettled(shown.getAnimations().map(({ finished }) => finished));
    const toast = shown.getBoundingClientRect();
    return onPage()
      .filter((element) => element.matches('button, input, textarea, h1, h2, header a'))
      .filter((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        if (bottom < 0 || top > innerHeight) return false;
        return toast.left < right && toast.right > left && toast.top < bottom && toast.bottom > top;
      })
      .map((control) => control.ariaLabel || control.innerText || control.id);
  });
}

test('a toast covers no field, no button and no heading at 320, 360 and 640 px, whatever the length of its text', async ({
  wallet,
  username,
}) => {
  const { page, passkey } = wallet;
  // As long as a name can be.
  const long = username.padEnd(36, 'x');
  // High enough that nothing scrolls: a scrolled page passes under the toast.
  await page.setViewportSize({ width: 320, height: 980 });
  await passkey.refuse();
  await startRegistration(wallet, username);
  await giveUp(wallet);
  // The menu says what failed, and no toast repeats it.
  await expect(loginProblem(page)).toBeVisible();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  await passkey.renew();

  const [registered] = await Promise.all([covered(page), register(wallet, long)]);
  expect(registered).toEqual([]);
  for (const width of [320, 360, 640]) {
    await page.setViewportSize({ width, height: 980 });
    // Ends the session and its toasts.
    await page.reload();
    const [loggedIn] = await Promise.all([covered(page), logIn(wallet, long)]);
    expect({ width, loggedIn }).toEqual({ width, loggedIn: [] });
  }
});

/** Widths and heights of windows in which pages are narrow or low. */
const SIZES = {
  // Low enough that the embedded button starts below the fold, where no side has room for its tooltip.
  'at 320 px': { width: 320, height: 480 },
  // Zoom halves the pixels of CSS: a window of 1280 by 800.
  'at 200 % zoom': { width: 640, height: 400 },
  // Wide enough for the state of a wallet in a frame.
  'at 200 % zoom of a larger window': { width: 724, height: 450 },
};

test(
  'no page is wider than a phone or a zoomed window, and every button of a card is inside its padding',
  FRAMED,
  async ({ wallet, username }) => {
    const { page } = wallet;
    /** What reaches past the window where the page can be scrolled there. */
    const tooWide = () =>
      page.evaluate(() =>
        document.documentElement.scrollWidth > innerWidth
          ? [...document.querySelectorAll('*')]
              .filter((element) => element.getBoundingClientRect().right > innerWidth)
              .map((element) => element.outerHTML.slice(0, 120))
          : [],
      );
    /** The texts of the page that widen it once they are a word without a break. */
    const unbroken = () =>
      page.evaluate(() => {
        const texts = document.createTreeWalker(document.querySelector('.shell')!, NodeFilter.SHOW_TEXT);
        const widening: string[] = [];
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
          // What a button or the navigation says is the app's own.
          if (!text.nodeValue?.trim() || text.parentElement?.closest('button, header')) continue;
          const own = text.nodeValue;
          text.nodeValue = `https://${'m'.repeat(63)}.example/`;
          if (document.documentElement.scrollWidth > innerWidth) widening.push(own);
          text.nodeValue = own;
        }
        return widening;
      });
    const outside = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.card button, .card input')]
          .filter((control) => {
            const card = control.closest('.card')!;
            const { left, right } = card.getBoundingClientRect();
            // The icon of a heading may reach into it: its own padding is empty.
            const padding = control.matches('.icon-button')
              ? 0
              : Number.parseFloat(getComputedStyle(card).paddingLeft);
            const at = control.getBoundingClientRect();
            return at.left < left + padding - 1 || at.right > right - padding + 1;
          })
          .map((control) => control.ariaLabel || control.innerText || control.id),
      );
    for (const size of Object.values(SIZES)) {
      await page.setViewportSize(size);
      expect(await tooWide()).toEqual([]);
    }
    // The bar has no room for all of such a name.
    await register(wallet, `${username}-with-a-long-name`);
    for (const [place, size] of Object.entries(SIZES)) {
      await page.setViewportSize(size);
      // The mark and the beginning of the name.
      expect((await userMenu(page).boundingBox())?.width).toBeGreaterThan(130);
      for (const go of [toHome, toDemos]) {
        await go(page);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        const found = { tooWide: await tooWide(), unbroken: await unbroken(), outside: await outside() };
        expect({ place, ...found }).toEqual({ place, tooWide: [], unbroken: [], outside: [] });
      }
    }
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Latchkey' })).toBeVisible();
    for (const size of Object.values(SIZES)) {
      await page.setViewportSize(size);
      expect(await tooWide()).toEqual([]);
    }
  },
);

test('a phone has a wide embedded button and no state of the wallet in its bar, unlike a desk', async ({
  wallet,
  context,
  username,
  expectedConsole,
}) => {
  const { page } = wallet;
  const status = page.locator('.wallet-status');
  const embedded = page
    .frameLocator('iframe[title="Transaction button"]')
    .getByRole('button', { name: 'Send two transfers' });
  const widthOf = async (button: Locator) => (await button.boundingBox())?.width;
  await register(wallet, username);
  const other = await widthOf(page.getByRole('button', { name: 'Set greeting' }));
  expect(other).toBeGreaterThan(200);
  await expect.poll(() => widthOf(embedded)).toBeCloseTo(other ?? 0, 0);
  // The page may still load when the network goes.
  expectedConsole.push(REQUEST_FAILED, /could not be loaded/);
  await context.setOffline(true);
  await expect(status).toBeAttached();
  await expect(status).toBeHidden();

  await page.setViewportSize({ width: 1100, height: 860 });
  await expect.poll(() => widthOf(embedded)).toBe(200);
  await expect(status).toBeVisible();
  await context.setOffline(false);
});

test('a toast stays in sight and takes no press, folds again in another window, and leaves a linking code alone', async ({
  wallet,
  username,
}) => {
  const { page } = wallet;

  await test.step('none appears next to the linking code: the view itself shows the state', async () => {
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
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  });

  await test.step('on a scrolled page it stays visible, and a press goes through it', async () => {
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

  await test.step('the pointer spreads it, in the raised colour of each theme, and another size folds it', async () => {
    await page.setViewportSize({ width: 1100, height: 860 });
    await page.reload();
    const toast = page.locator('[data-sonner-toast][data-type="success"]');
    // A toast stays while the pointer is on it.
    await Promise.all([toast.hover(), logIn(wallet, username)]);
    await expect(toast).toHaveAttribute('data-expanded', 'true');
    for (const [colorScheme, colour] of [
      ['light', 'rgb(255, 255, 255)'],
      ['dark', 'rgb(38, 35, 31)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(toast).toHaveCSS('background-color', colour);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(toast).toHaveAttribute('data-y-position', 'top');
    await expect(toast).toHaveAttribute('data-expanded', 'false');
  });
});

// Every screen of the wallet's home page in every window: its places, and what the pictures of every screen do not show to axe-core.

import { loginMenu } from '../support/steps.js';
import { expectNothingSideways, expectNoViolations } from './accessible.js';
import { expect } from './fixtures.js';
import { register, sections, test } from './home-page.js';

const SCREENS = ['', 'send', 'receive', 'activity', 'devices', 'keys', 'apps', 'accounts', 'settings'];
const PHONE = { width: 320, height: 640 };
const TALL_PHONE = { width: 412, height: 1400 };
/** Zoom halves the pixels of CSS: a window of 1280 by 800. */
const ZOOMED_DESK = { width: 640, height: 400 };
const WINDOWS = [PHONE, TALL_PHONE, ZOOMED_DESK, { width: 1100, height: 860 }];

test('every screen scrolls only down and begins right under the sections, uncovered by a toast, in every window', async ({
  home,
  username,
}, testInfo) => {
  const { page, origin, complaints } = home;
  await page.setViewportSize(PHONE);
  await loginMenu(page).waitFor();
  // The page itself measures it, because toasts are brief.
  const underToast = page.locator('.toasts').evaluate(async (toasts) => {
    const page = toasts.getRootNode() as ShadowRoot;
    while (!(page.querySelector('nav') && toasts.firstElementChild)) await new Promise(requestAnimationFrame);
    const { bottom } = toasts.getBoundingClientRect();
    return [...page.querySelectorAll<HTMLElement>('main :is(h1, h2, a, button, input)')]
      .filter((each) => each.getBoundingClientRect().top < bottom)
      .map(({ innerText }) => innerText);
  });
  await register(page, username);
  expect(await underToast).toEqual([]);

  for (const screen of SCREENS) {
    await page.goto(`${origin}/#/${screen}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Reading/)).toHaveCount(0);
    for (const size of WINDOWS) {
      await page.setViewportSize(size);
      await expectNothingSideways(page);
      if (size !== TALL_PHONE) continue;
      const [above, title] = await Promise.all([
        sections(page).boundingBox(),
        page.getByRole('heading', { level: 1 }).boundingBox(),
      ]);
      const gap = (title?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0));
      expect(gap, screen).toBeGreaterThanOrEqual(0);
      expect(gap, screen).toBeLessThan(40);
    }
  }

  await page.setViewportSize(ZOOMED_DESK);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${origin}/#/`);
  await expectNoViolations(page, 'light', 'forced-colours', testInfo);
  await page.emulateMedia({ forcedColors: 'none' });
  await page.goto(`${origin}/#/accounts`);
  await page.getByRole('button', { name: /^Remove / }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  for (const theme of ['light', 'dark'] as const) await expectNoViolations(page, theme, 'remove', testInfo);
  expect(complaints).toEqual([]);
});

// Every screen of the wallet's home page: its looks, its places and its keyboard.

import { violations } from '../../demo/tour/accessibility.js';
import { showTheme } from '../../demo/tour/camera.js';
import { REGISTRY } from '../../dev/services/services.js';
import { approveUntil, loginMenu } from '../support/steps.js';
import { expect } from './fixtures.js';
import { heading, register, sections, startSending, test } from './home-page.js';

const SCREENS = ['', 'send', 'receive', 'activity', 'devices', 'keys', 'apps', 'accounts', 'settings'];

for (const [place, viewport] of [
  ['a desk', { width: 1100, height: 860 }],
  ['a phone of 320 pixels', { width: 320, height: 640 }],
  // Zoom halves the pixels of CSS: a window of 1280 by 800.
  ['a desk at 200 % zoom', { width: 640, height: 400 }],
] as const) {
  test.describe(`on ${place}`, () => {
    test.use({ viewport, deviceScaleFactor: place.endsWith('zoom') ? 2 : 1 });

    test('every screen violates no axe rule, light and dark, and scrolls only down', async ({
      home,
      username,
    }, testInfo) => {
      const { page, origin, complaints } = home;
      const look = async (name: string): Promise<void> => {
        await expect(page.getByText(/^Reading/)).toHaveCount(0);
        for (const theme of ['light', 'dark'] as const) {
          await showTheme(page, theme);
          // A picture ends every transition, so no colour is still changing.
          await page.screenshot({
            path: testInfo.outputPath(`${name}-${theme}.png`),
            animations: 'disabled',
            fullPage: true,
          });
          expect(await violations(page), `${name}, ${theme}`).toEqual([]);
        }
        const { scrollWidth, clientWidth } = await page.evaluate(() => ({
          scrollWidth: document.documentElement.scrollWidth,
          clientWidth: document.documentElement.clientWidth,
        }));
        expect([name, scrollWidth]).toEqual([name, clientWidth]);
      };
      await loginMenu(page).waitFor();
      await look('welcome');
      await register(page, username);
      await page.goto(`${origin}/#/send`);
      await startSending(page, REGISTRY, '0.001');
      await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
      await look('receipt');
      for (const screen of SCREENS) {
        await page.goto(`${origin}/#/${screen}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await look(screen || 'overview');
      }
      await page.emulateMedia({ forcedColors: 'active' });
      await page.goto(`${origin}/#/`);
      await look('forced-colours');
      await page.emulateMedia({ forcedColors: 'none' });
      await page.goto(`${origin}/#/accounts`);
      await page.getByRole('button', { name: /^Remove / }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.screenshot({ path: testInfo.outputPath('remove.png'), animations: 'disabled' });
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.reload();
      await expect(page.getByRole('button', { name: /^Open / })).toBeVisible();
      await look('choose');
      expect(complaints).toEqual([]);
    });
  });
}

test('the keyboard alone goes from screen to screen, and the title of each gets the focus', async ({
  home,
  username,
}) => {
  const { page } = home;
  await register(page, username);
  await sections(page).getByRole('link', { name: 'Overview' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Activity')).toBeFocused();
  await expect(page).toHaveTitle('Activity · Passkey wallet');
  await expect(sections(page).getByRole('link', { name: 'Activity' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await page.goBack();
  await expect(heading(page, 'Overview')).toBeFocused();
});

test('on a tall phone every screen begins right under the sections', async ({ home, username }) => {
  const { page, origin } = home;
  await page.setViewportSize({ width: 412, height: 1400 });
  await register(page, username);
  for (const screen of SCREENS) {
    await page.goto(`${origin}/#/${screen}`);
    const [above, title] = await Promise.all([
      sections(page).boundingBox(),
      page.getByRole('heading', { level: 1 }).boundingBox(),
    ]);
    const gap = (title?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0));
    expect(gap, screen).toBeGreaterThanOrEqual(0);
    expect(gap, screen).toBeLessThan(40);
  }
});

test('on a phone the toast of a registration covers nothing of the screen that follows', async ({
  home,
  username,
}) => {
  const { page } = home;
  await page.setViewportSize({ width: 320, height: 640 });
  // The page itself measures it, because toasts are brief.
  const measured = page.locator('.toasts').evaluate(async (toasts) => {
    const page = toasts.getRootNode() as ShadowRoot;
    while (!(page.querySelector('nav') && toasts.firstElementChild)) await new Promise(requestAnimationFrame);
    const { bottom } = toasts.getBoundingClientRect();
    return [...page.querySelectorAll<HTMLElement>('main :is(h1, h2, a, button, input)')]
      .filter((each) => each.getBoundingClientRect().top < bottom)
      .map(({ innerText }) => innerText);
  });
  await register(page, username);
  expect(await measured).toEqual([]);
});

import { test } from './home-page.js';

test('shot', async ({ home }) => {
  const { page, origin } = home;
  await page.goto(`${origin}/check`);
  await page.setViewportSize({ width: 1100, height: 900 });
  await page.waitForTimeout(1500);
  await page.screenshot({ path: '/tmp/check-1.png', fullPage: true });
});

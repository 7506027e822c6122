// A confirmation over a page with a layout of its own: one whose body scrolls, and one with a zoom.
import {
  AGREE,
  agree,
  confirmDialog,
  loggedInAs,
  logOut,
  register,
  startGreeting,
} from '../support/steps.js';
import { expect, FRAMED, test } from './fixtures.js';

test(
  'a confirmation leaves a page whose body scrolls as it is, whatever the wheel does, and is whole in the window once the page has a zoom',
  FRAMED,
  async ({ wallet, username }) => {
    const { page } = wallet;
    await register(wallet, username);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        'html, body { height: 100%; overflow: auto } body::after { content: ""; display: block; height: 4000px } #head { position: sticky; top: 0 }',
      );
      document.adoptedStyleSheets.push(sheet);
      const head = document.createElement('div');
      head.id = 'head';
      head.textContent = 'Shop';
      document.body.prepend(head);
    });
    await page.getByRole('textbox', { name: 'New greeting' }).fill('from below');
    const places = () =>
      page.evaluate(() => {
        const { top, width } = document.querySelector('#head')!.getBoundingClientRect();
        return [document.body.scrollTop, top, width, innerWidth, document.documentElement.clientWidth];
      });
    await page.evaluate(() => document.body.scrollTo(0, 60));
    await page.getByRole('button', { name: 'Set greeting' }).click();
    const before = await places();
    expect(before[0]).toBeGreaterThan(0);
    const dialog = confirmDialog(page);
    await expect(dialog).toBeVisible();
    expect(await places()).toEqual(before);
    const { width, height } = page.viewportSize()!;
    for (const [x, y] of [
      [5, 5],
      [width / 2, height / 2],
    ] as const) {
      await page.mouse.move(x, y);
      for (const delta of [400, 400, -400]) {
        await page.mouse.wheel(0, delta);
        await page.waitForTimeout(150);
      }
    }
    expect(await places()).toEqual(before);
    await agree(dialog, AGREE);
    await expect(page.getByTestId('transaction-id')).toBeVisible();
    expect(await places()).toEqual(before);

    await page.evaluate(() => {
      document.documentElement.style.zoom = '1.25';
    });
    await logOut(wallet);
    await register(wallet, `${username}-large`);
    await expect(loggedInAs(page, `${username}-large`)).toBeVisible();
    await startGreeting(wallet, 'large print');
    await expect(dialog.getByRole('button', { name: AGREE })).toBeInViewport({ ratio: 1 });
    await agree(dialog, AGREE);
    await expect(page.getByTestId('transaction-id')).toBeVisible();
  },
);

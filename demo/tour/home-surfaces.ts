// The wallet's own pages: its home, the window in which a dapp asks for an account, and a recovery phrase that is to be made.
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { RELAYER } from '../../dev/services/services.js';
import { addVirtualPasskey } from '../../tests/support/browser.js';
import { approveUntil, keyViewer, loginMenu } from '../../tests/support/steps.js';
import type { Camera } from './camera.js';
import type { Room } from './surfaces.js';

const ASKING_PAGE = fileURLToPath(new URL('./asking-page', import.meta.url));

export async function photographHome({ desk, stack, username }: Room, camera: Camera): Promise<void> {
  const context = await desk.browser.newContext({
    viewport: { width: 1100, height: 860 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await addVirtualPasskey(page);
  await page.goto(`${stack.walletOrigin}/`);
  await theAccount(page, `${username}-home`);
  await theTransfer(page, camera);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await camera.take(page, 'home');

  const asking = await context.newPage();
  const address = await stack.addPage(ASKING_PAGE, 'asking');
  await asking.goto(`${address}?wallet=${stack.walletOrigin}`);
  const opening = context.waitForEvent('page');
  await asking.getByRole('button', { name: 'Connect' }).click();
  const window = await opening;
  await window.getByRole('dialog', { name: 'Connect an account' }).waitFor();
  await followBrowser(window);
  await camera.take(window, 'connect');
  await window.close();

  await thePhrase(page, camera);
  await context.close();
}

/** The window has the theme of the account's settings: from here on it has the browser's. */
async function followBrowser(window: Page): Promise<void> {
  await window.evaluate(() => {
    // Contains no named function: tsx would wrap it in a helper that the page lacks.
    const { dataset } = document.documentElement;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', ({ matches }) => {
      dataset.latchkeyTheme = matches ? 'dark' : 'light';
    });
    dataset.latchkeyTheme = dark.matches ? 'dark' : 'light';
  });
}

async function theAccount(page: Page, username: string): Promise<void> {
  await loginMenu(page).waitFor();
  await page.getByRole('radio', { name: 'Register' }).check({ force: true });
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await approveUntil(page, page.getByRole('navigation', { name: 'Sections' }));
}

async function theTransfer(page: Page, camera: Camera): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Send', exact: true }).click();
  await page.getByRole('textbox', { name: 'Receiver' }).fill(RELAYER);
  await page.getByRole('textbox', { name: 'Amount in NEAR' }).fill('0.005');
  await camera.take(page, 'home-send');
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
  await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
}

/** The words stay hidden: no picture shows them. */
async function thePhrase(page: Page, camera: Camera): Promise<void> {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Make a phrase' }).click();
  await keyViewer(page).getByRole('button', { name: 'Show the words' }).waitFor();
  await camera.take(page, 'recovery-phrase');
}

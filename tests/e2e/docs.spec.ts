// The documentation: in the app, and as static pages that need no script.
// Specification: demo 2
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeDocsSite } from '../../demo/app/vite/docs/static.js';
import { violations } from '../../demo/tour/accessibility.js';
import order from '../../docs/order.json' with { type: 'json' };
import { expect, test } from './fixtures.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

// One worker writes the pages, once.
test.describe.configure({ mode: 'default' });

let folder: string;
let server: Server;
let origin: string;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  folder = await mkdtemp(join(tmpdir(), 'latchkey-docs-'));
  await writeDocsSite(folder);
  server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = join(folder, extname(pathname) === '' ? join(pathname, 'index.html') : pathname);
    await readFile(path).then(
      (content) => response.setHeader('content-type', TYPES[extname(path)] ?? 'text/plain').end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});

test.afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

/** Pages with every kind of content: code, tables, diagrams and pictures. */
const ROUTES = [
  '',
  ...['/getting-started/quickstart', '/guides/tx-confirmation', '/api/errors', '/concepts/vrf-and-prf'],
];

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Documentation' });

const next = (page: Page) =>
  page.getByRole('navigation', { name: 'Previous and next page' }).getByRole('link', { name: /^Next/ });

/** Expects the page that follows `route` in the order of the folder. */
async function expectPageAfter(route: string, page: Page): Promise<void> {
  const routes = Object.entries(order).flatMap(([group, names]) => names.map((name) => `${group}/${name}`));
  const expected = routes[routes.indexOf(route) + 1];
  await expect(page).toHaveURL(new RegExp(`/docs/${expected}/?$`));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Expects nothing wider than the window. */
async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

test('a reader with scripts searches by keyboard alone, copies code, and sees pictures in the chosen theme', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${origin}/docs`);
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search the documentation' });
  await expect(field).toBeFocused();
  await page.keyboard.type('clicks not meant');
  const results = page.getByRole('option');
  await expect(results.first()).toContainText('Clicks that were not meant');
  await expect(results.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(results.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/guides\/wallet-iframe\/?#clicks-that-were-not-meant$/);
  await expect(page.getByRole('heading', { name: 'Clicks that were not meant' })).toBeInViewport();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('qqqqqq');
  await expect(page.getByRole('status')).toHaveText('Nothing found.');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);

  await page.goto(`${origin}/docs/getting-started/install`);
  const block = page.locator('.code').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await expect(block.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'npm install latchkey latchkey-react react react-dom\n',
  );

  await page.goto(`${origin}/docs/guides/tx-confirmation`);
  const picture = page.getByRole('article').getByRole('img').first();
  await picture.scrollIntoViewIfNeeded();
  const shown = () =>
    picture.evaluate((image: HTMLImageElement) => [image.currentSrc, image.naturalWidth > 0]);
  await expect.poll(shown).toEqual([expect.stringContaining('.light.webp'), true]);
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect.poll(shown).toEqual([expect.stringContaining('.dark.webp'), true]);
  await page.reload();
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(shown).toEqual([expect.stringContaining('.dark.webp'), true]);
});

test('on a phone the pages are in a menu, which closes once one is chosen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${origin}/docs`);
  await expect(sidebar(page)).toBeHidden();
  await page.getByRole('button', { name: 'Pages' }).click();
  await sidebar(page).getByRole('link', { name: 'Quickstart' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Quickstart' })).toBeVisible();
  await expect(sidebar(page)).toBeHidden();
  await page.getByText('On this page').first().click();
  await page.getByRole('article').getByRole('link', { name: '4. Run it' }).first().click();
  await expect(page.getByRole('heading', { name: '4. Run it' })).toBeInViewport();
  await next(page).click();
  await expectPageAfter('getting-started/quickstart', page);
});

test('pages fit a window of 320 px and violate no axe rule, in both themes', async ({ page }) => {
  for (const [colorScheme, width, height] of [
    ['light', 1400, 900],
    ['dark', 320, 700],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    for (const route of ROUTES) {
      await page.goto(`${origin}/docs${route}`);
      await expectToFit(page);
      expect([route, width, await violations(page)]).toEqual([route, width, []]);
    }
  }
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('every page can be read, from link to link', async ({ page }) => {
    await page.goto(`${origin}/docs`);
    await sidebar(page).getByRole('link', { name: 'Install' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Install' })).toBeVisible();
    await expect(sidebar(page).locator('[aria-current="page"]')).toHaveText('Install');
    await next(page).click();
    await expectPageAfter('getting-started/install', page);
    await expect(page.getByRole('button', { name: 'Copy' })).toHaveCount(0);
  });
});

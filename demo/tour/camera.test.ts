import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../tests/support/browser.js';
import { createCamera, LOOKS } from './camera.js';

const KEY = `ed25519:${'2'.repeat(88)}`;
const PAGE = 'http://page.localhost/';
const html = (body: string): string =>
  `<html lang="en"><title>A page</title><body style="overflow-wrap: anywhere">${body}</body></html>`;
/** A page that shows this in a frame of another site. */
const framed = (inFrame: string): Record<string, string> => ({
  'page.localhost': html(
    '<main>A page</main><iframe title="A frame" src="http://frame.localhost/"></iframe>',
  ),
  'frame.localhost': html(`<main>${inFrame}</main>`),
});
let browser: Browser;
let context: BrowserContext;
let page: Page;
let folder: string;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  folder = await mkdtemp(join(tmpdir(), 'latchkey-camera-'));
});
afterEach(async () => {
  await context.close();
  await rm(folder, { recursive: true });
});

async function open(documents: Readonly<Record<string, string>>): Promise<void> {
  await context.route('http://*.localhost/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: documents[new URL(route.request().url()).hostname] ?? '',
    }),
  );
  await page.goto(PAGE);
}

describe('the camera', () => {
  it('takes each look of a page', async () => {
    await open(framed('in a frame'));
    await createCamera(folder).take(page, 'shot');
    expect((await readdir(folder)).sort()).toEqual(LOOKS.map((look) => `shot-${look}.png`).sort());
  });

  it.each([
    ['in the page', { 'page.localhost': html(`<main>${KEY}</main>`) }],
    ['in a frame', framed(KEY)],
    [
      'in a shadow root within another',
      framed(`<div></div><script>
        const outer = document.querySelector('div').attachShadow({ mode: 'open' });
        outer.append(document.createElement('div'));
        outer.querySelector('div').attachShadow({ mode: 'open' }).textContent = '${KEY}';
      </script>`),
    ],
  ])('takes no picture of a private key %s', async (_where, documents) => {
    await open(documents);
    const camera = createCamera(folder);
    await expect(camera.take(page, 'shot')).rejects.toThrow('A private key is on screen');
    await expect(camera.takeFailure(page, 'failed')).rejects.toThrow('A private key is on screen');
    expect(await readdir(folder)).toEqual([]);
  });
});

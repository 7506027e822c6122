import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../tests/support/browser.js';
import { lookAt } from './screen.js';

let browser: Browser;
let page: Page;
/** The number of documents that the frame has loaded. */
let loads: number;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  loads = 0;
  page = await browser.newPage();
  await page.route('http://*.localhost/', (route) => {
    const isFrame = new URL(route.request().url()).hostname === 'frame.localhost';
    if (isFrame) loads += 1;
    const body = isFrame ? `document ${loads}` : '<iframe src="http://frame.localhost/"></iframe>';
    return route.fulfill({ contentType: 'text/html', body });
  });
  await page.goto('http://page.localhost/');
});
afterEach(() => page.close());

const frame = (): Frame => page.frames()[1] as Frame;
const text = (): Promise<string> => frame().locator('body').innerText();
const reload = (): Promise<unknown> => frame().goto('http://frame.localhost/');

describe('a look at a page', () => {
  it('is one look where no document changes', async () => {
    let looks = 0;
    const seen = await lookAt(page, () => {
      looks += 1;
      return text();
    });
    expect([seen, looks]).toEqual(['document 1', 1]);
  });

  it('is repeated after one that read a document which another has replaced since', async () => {
    const seen = await lookAt(page, async () => {
      const read = await text();
      if (loads === 1) await reload();
      return read;
    });
    expect(seen).toBe('document 2');
  });

  it('is repeated after one that failed because its document was replaced', async () => {
    const seen = await lookAt(page, async () => {
      if (loads > 1) return text();
      const never = frame().evaluate(() => new Promise<string>(() => undefined));
      await Promise.all([never, reload()]);
      return never;
    });
    expect(seen).toBe('document 2');
  });

  it('ends in the error of a look at documents that stayed', async () => {
    await expect(lookAt(page, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('is given up on a page that never stops loading its frame', async () => {
    await expect(lookAt(page, reload)).rejects.toThrow('loads its frames again and again');
  });
});

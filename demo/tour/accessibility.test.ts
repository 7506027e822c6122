import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../tests/support/browser.js';
import { violations } from './accessibility.js';

const POOR = '<p style="color: #bbb; background: #fff">Hard to read</p><button>Go</button>';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
  page = await browser.newPage();
});
afterAll(() => browser.close());

describe('axe on the tour', () => {
  it('finds poor contrast on the page', async () => {
    await page.setContent(`<html lang="en"><title>A page</title><main>${POOR}</main></html>`);
    expect(await violations(page)).toEqual([expect.stringMatching(/^color-contrast at p: /)]);
  });

  it('finds it in a layer over the page, inside its shadow root', async () => {
    await page.setContent(`<html lang="en"><title>A page</title><main>Fine</main></html>`);
    await page.evaluate((html) => {
      const layer = document.createElement('latchkey-confirm');
      const shadow = layer.attachShadow({ mode: 'open' });
      shadow.innerHTML = `<dialog aria-label="Sign"><div class="popup">${html}</div></dialog>`;
      document.body.append(layer);
      shadow.querySelector('dialog')?.showModal();
    }, POOR);
    expect(await violations(page)).toEqual([
      expect.stringMatching(/^color-contrast at latchkey-confirm p: /),
    ]);
  });

  it('finds it in a frame', async () => {
    await page.setContent(`<html lang="en"><title>A page</title><iframe title="A frame"></iframe></html>`);
    await page.frames()[1]?.setContent(`<html lang="en"><title>A frame</title><main>${POOR}</main></html>`);
    expect(await violations(page)).toEqual([expect.stringMatching(/^color-contrast at p: /)]);
  });

  it('checks what is visible: a wallet that covers the page, and no hidden wallet', async () => {
    const wallet = (at: string, style: string) =>
      `<html lang="en"><title>A page</title><main>${POOR}</main><latchkey-wallet>
       <dialog open data-at="${at}" style="${style}"><iframe title="Wallet"></iframe></dialog></latchkey-wallet></html>`;
    const fine = '<html lang="en"><title>A wallet</title><main>Fine</main></html>';
    await page.setContent(wallet('fullscreen', 'inset: 0'));
    await page.frames()[1]?.setContent(fine);
    expect(await violations(page)).toEqual([]);
    await page.frames()[1]?.setContent(fine.replace('Fine', POOR));
    expect(await violations(page)).toHaveLength(1);
    await page.setContent(wallet('hidden', 'display: none'));
    await page.frames()[1]?.setContent(fine.replace('Fine', POOR.replace('</p>', '</p><img src="x">')));
    expect(await violations(page)).toEqual([expect.stringMatching(/^color-contrast at p: /)]);
  });
});

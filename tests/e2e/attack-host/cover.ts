// What a hostile page lays over the wallet's frame.
import type { Host } from './fixture.js';

/** An element over the whole page that lets clicks through. */
export const WHITE = '.lid { background: #fff }';

/** Adds a lid over the page, and these styles for it and the page. Returns a function that removes both. */
export async function cover({ page }: Host, css: string): Promise<() => Promise<void>> {
  await page.evaluate((css) => {
    const lid = document.createElement('div');
    lid.className = 'lid';
    const style = document.createElement('style');
    style.textContent = `.lid { position: fixed; inset: 0; pointer-events: none; z-index: 9 } ${css}`;
    document.body.append(lid, style);
  }, css);
  return () =>
    page.evaluate(() => {
      for (const added of document.querySelectorAll('.lid, body style')) added.remove();
    });
}

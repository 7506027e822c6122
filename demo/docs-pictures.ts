// Makes the documentation's pictures, docs/pictures/*.webp, from those that demo/pictures.ts left in screenshots/.
// Usage: node --import tsx demo/docs-pictures.ts [NAME]... Without a name, all of them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { ROOT } from '../dev/services/services.js';
import { launchChromium } from '../tests/support/browser.js';
import { DOCS_PICTURES, type DocsPicture } from './docs-pictures/table.js';

const THEMES = ['light', 'dark'] as const;
/** Text stays sharp, and a picture takes about a third of its PNG. */
const QUALITY = 0.75;

/** The part of a PNG as lossy WebP, both as base64. */
function toWebp(page: Page, png: string, { area }: DocsPicture): Promise<string> {
  return page.evaluate(
    async ({ png, area, quality }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const [x, y, width, height] = area ?? [0, 0, image.width, image.height];
      if (x + width > image.width || y + height > image.height)
        throw new Error(`The area is larger than the picture of ${image.width} x ${image.height}`);
      const canvas = new OffscreenCanvas(width, height);
      canvas.getContext('2d', { alpha: false })?.drawImage(image, -x, -y);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    },
    { png, area, quality: QUALITY },
  );
}

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !(name in DOCS_PICTURES));
if (unknown.length > 0) throw new Error(`demo/docs-pictures/table.ts has no ${unknown.join(', ')}`);
const wanted = Object.entries(DOCS_PICTURES).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);

const browser = await launchChromium();
let total = 0;
try {
  const page = await browser.newPage();
  for (const [name, picture] of wanted) {
    for (const theme of THEMES) {
      const source = join(ROOT, 'screenshots', `${picture.screen}-${picture.width}-${theme}.png`);
      const webp = await toWebp(page, await readFile(source, 'base64'), picture).catch((cause: unknown) => {
        throw new Error(`${source} gives no picture`, { cause });
      });
      const bytes = Buffer.from(webp, 'base64');
      total += bytes.length;
      await writeFile(join(ROOT, 'docs/pictures', `${name}.${theme}.webp`), bytes);
    }
  }
} finally {
  await browser.close();
}
console.log(`${wanted.length} pictures, light and dark: ${Math.round(total / 1000)} kB.`);

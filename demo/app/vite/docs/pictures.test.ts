import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlOf } from './testing.js';

const PAGE = 'docs/guides/relay.mdx';

/** The smallest file that has the header of an extended WebP of this size. */
function webp(width: number, height: number): Buffer {
  const file = Buffer.alloc(30);
  file.write('RIFF', 0, 'latin1');
  file.write('WEBPVP8X', 8, 'latin1');
  file.writeUIntLE(width - 1, 24, 3);
  file.writeUIntLE(height - 1, 27, 3);
  return file;
}

let repository: string;
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'latchkey-pictures-'));
  const write = (name: string, content: string | Buffer) =>
    writeFileSync(join(repository, 'docs/pictures', name), content);
  mkdirSync(join(repository, 'docs/pictures'), { recursive: true });
  write('menu.light.webp', webp(360, 700));
  write('menu.dark.webp', webp(360, 700));
  write('plot.light.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="300"></svg>');
  write('plot.dark.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="300"></svg>');
  write('lonely.light.webp', webp(10, 10));
  write('uneven.light.webp', webp(10, 10));
  write('uneven.dark.webp', webp(10, 11));
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

const shown = (source: string) => htmlOf(source, PAGE, [], repository);

describe('a picture of a page', () => {
  it('has its text, its size and its dark twin, and is loaded when it comes near', async () => {
    expect(await shown('![The login menu.](../pictures/menu.light.webp)')).toBe(
      '<p class="pictures"><picture>' +
        '<source media="(prefers-color-scheme: dark)" srcSet="/docs/pictures/menu.dark.webp" width="360" height="700"/>' +
        '<img src="/docs/pictures/menu.light.webp" alt="The login menu." width="360" height="700" loading="lazy" decoding="async"/>' +
        '</picture></p>',
    );
    expect(await shown('![A plot.](../pictures/plot.light.svg)')).toContain('width="640" height="300"');
  });

  it('stands next to another in one paragraph, and in a line of text', async () => {
    const menu = '![The login menu.](../pictures/menu.light.webp)';
    expect((await shown(`${menu}\n${menu}`)).match(/<p class="pictures">|<picture>/g)).toHaveLength(3);
    expect(await shown(`The menu ${menu} opens.`)).toMatch(/^<p>The menu <picture>/);
  });

  it('is refused without a text in its place', async () => {
    await expect(shown('![](../pictures/menu.light.webp)')).rejects.toThrow('has no text');
  });

  it.each([
    ['https://elsewhere.example/menu.light.webp'],
    ['../pictures/menu.dark.webp'],
    ['../menu.light.webp'],
    ['../pictures/menu.light.png'],
  ])('is refused from another place or by another name: %s', async (src) => {
    await expect(shown(`![A menu.](${src})`)).rejects.toThrow(`${PAGE} shows ${src}`);
  });

  it('is refused where it or its dark twin is missing, or the two differ in size', async () => {
    await expect(shown('![None.](../pictures/none.light.webp)')).rejects.toThrow('none.light.webp');
    await expect(shown('![Alone.](../pictures/lonely.light.webp)')).rejects.toThrow('lonely.dark.webp');
    await expect(shown('![Uneven.](../pictures/uneven.light.webp)')).rejects.toThrow('another size');
  });
});

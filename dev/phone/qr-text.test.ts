// Specification: demo 2
import decodeQr from 'qr/decode.js';
import { expect, test } from 'vitest';
import { qrText } from './qr-text.js';

const SCALE = 4;

/** The picture of a terminal that shows this text: white blocks on black, two pixels of a module's size a character. */
function pictureOf(text: string) {
  const rows = text
    .split('\n')
    .flatMap((line) => [
      [...line].map((character) => '█▀'.includes(character)),
      [...line].map((character) => '█▄'.includes(character)),
    ]);
  const [width, height] = [(rows[0]?.length ?? 0) * SCALE, rows.length * SCALE];
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isLight = rows[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)];
      data.fill(isLight ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return { width, height, data };
}

const ADDRESS = 'http://annas-macbook-pro.local:5175/';

test('a camera reads the address from the terminal', () => {
  expect(decodeQr(pictureOf(qrText(ADDRESS, false)))).toBe(ADDRESS);
});

test('in a terminal, the code is white on black whatever its colours', () => {
  const lines = qrText(ADDRESS, true).split('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  for (const line of lines) expect(line).toMatch(/^\u001b\[40;97m[█▀▄ ]+\u001b\[0m$/);
});

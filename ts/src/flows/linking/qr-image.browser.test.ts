import decodeQR from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { linkQrText, parseLinkQr } from './qr.js';
import { QR_SIZE, qrImage } from './qr-image.js';

const DATA = {
  device2PublicKey: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2',
  timestamp: Date.now(),
  version: '1.0',
} as const;

async function pixelsOf(dataUrl: string): Promise<ImageData> {
  const bitmap = await createImageBitmap(await (await fetch(dataUrl)).blob());
  const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (!pen) throw new Error('no canvas');
  pen.drawImage(bitmap, 0, 0);
  return pen.getImageData(0, 0, bitmap.width, bitmap.height);
}

describe('the image of a linking code (core 2, core 9)', () => {
  it.each([DATA, { ...DATA, accountId: `${'a'.repeat(50)}.testnet` }])(
    'decodes to its data',
    async (data) => {
      const pixels = await pixelsOf(await qrImage(linkQrText(data)));
      expect(parseLinkQr(decodeQR(pixels))).toEqual(data);
    },
  );

  it('is a PNG of 256 pixels, black and white only, with a white margin', async () => {
    const url = await qrImage(linkQrText(DATA));
    expect(url).toMatch(/^data:image\/png;base64,/);
    const { width, height, data } = await pixelsOf(url);
    expect([width, height]).toEqual([QR_SIZE, QR_SIZE]);
    const reds = new Set<number>();
    for (let at = 0; at < data.length; at += 4) {
      reds.add(data[at] ?? -1);
      expect(data[at] === data[at + 1] && data[at] === data[at + 2] && data[at + 3] === 255).toBe(true);
    }
    expect(reds).toEqual(new Set([0, 255]));
    for (let at = 0; at < QR_SIZE; at += 1) {
      for (const edge of [at, at * QR_SIZE, (QR_SIZE - 1) * QR_SIZE + at, at * QR_SIZE + QR_SIZE - 1]) {
        expect(data[edge * 4]).toBe(255);
      }
    }
  });

  it('has two white modules around it, and error correction level M', async () => {
    const { width, data } = await pixelsOf(await qrImage(linkQrText(DATA)));
    const isDark = (x: number, y: number) => data[(y * width + x) * 4] === 0;
    const left = Array.from({ length: width }, (_, x) => x).findIndex((x) => isDark(x, x));
    const right = width - [...Array(width).keys()].findIndex((x) => isDark(width - 1 - x, left));
    // The finder pattern's edge is seven modules.
    const scale = [...Array(width).keys()].findIndex((x) => !isDark(left + x, left)) / 7;
    const modules = (right - left) / scale;
    expect([Number.isInteger(scale), modules % 4]).toEqual([true, 1]);
    expect(left - Math.floor((width - scale * (modules + 4)) / 2)).toBe(2 * scale);
    // ISO/IEC 18004, section 7.9: level M is 00, masked with 10; it stands in the first two modules of row 8.
    const module = (x: number) =>
      isDark(Math.floor(left + (x + 0.5) * scale), Math.floor(left + 8.5 * scale));
    expect([module(0), module(1)]).toEqual([true, false]);
  });
});

// A test camera that shows a QR code: Chromium plays a file as its camera's picture and reopens it for every stream, so
// the code can change while the browser runs.
import { renameSync, writeFileSync } from 'node:fs';
import encodeQR from 'qr';

const SIDE = 720;
const CODE = 420;
const BACKGROUND = 154;

/**
 * Flags for a Chromium whose only camera plays this file. Without the file there is no camera.
 * @param {string} file an absolute path that ends in .y4m
 */
export const fakeCameraFlags = (file) => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${file}`,
];

/**
 * Shows a QR code to the camera.
 * @param {string} file
 * @param {string} text
 */
export function showQr(file, text) {
  const code = encodeQR(text, 'raw', { ecc: 'medium', border: 2 });
  showPicture(file, CODE, CODE, (x, y) => {
    const row = code[Math.floor((y * code.length) / CODE)];
    return row?.[Math.floor((x * code.length) / CODE)] ? 16 : 235;
  });
}

/**
 * Shows a picture to the camera, in the middle of a grey wall.
 * @param {string} file
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => number} luma brightness from 16 (black) to 235 (white)
 */
export function showPicture(file, width, height, luma) {
  const plane = Buffer.alloc(SIDE * SIDE, BACKGROUND);
  const [left, top] = [Math.floor((SIDE - width) / 2), Math.floor((SIDE - height) / 2)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) plane[(top + y) * SIDE + left + x] = luma(x, y);
  }
  const colour = Buffer.alloc(SIDE * SIDE * 0.5, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), plane, colour]);
  const head = Buffer.from(`YUV4MPEG2 W${SIDE} H${SIDE} F10:1 Ip A1:1 C420mpeg2\n`);
  // Written under another name first, so that a camera that starts meanwhile gets a complete file.
  writeFileSync(`${file}.new`, Buffer.concat([head, frame, frame]));
  renameSync(`${file}.new`, file);
}

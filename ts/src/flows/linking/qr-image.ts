/** Draws a QR code: black on white, whole pixels for each module, so that it is crisp at its own size. */
import { base64 } from '@scure/base';
import encodeQR from 'qr';
import { CANVAS_UNAVAILABLE, LatchkeyError } from '../../errors/account.js';

/** Edge of the picture in pixels. */
export const QR_SIZE = 256;
/** White modules around the code. */
const MARGIN = 2;

/** Returns a PNG of 256 x 256 pixels as a data URL, error correction level M. */
export async function qrImage(text: string): Promise<string> {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: MARGIN });
  const scale = Math.floor(QR_SIZE / modules.length);
  // The space that whole modules do not fill stays white on all sides.
  const offset = Math.floor((QR_SIZE - scale * modules.length) / 2);

  const canvas = new OffscreenCanvas(QR_SIZE, QR_SIZE);
  const pen = canvas.getContext('2d', { alpha: false });
  if (!pen) throw new LatchkeyError(CANVAS_UNAVAILABLE);
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, QR_SIZE, QR_SIZE);
  pen.fillStyle = '#000';
  for (const [y, row] of modules.entries()) {
    for (const [x, isDark] of row.entries()) {
      if (isDark) pen.fillRect(offset + x * scale, offset + y * scale, scale, scale);
    }
  }
  const png = await canvas.convertToBlob({ type: 'image/png' });
  return `data:image/png;base64,${base64.encode(new Uint8Array(await png.arrayBuffer()))}`;
}

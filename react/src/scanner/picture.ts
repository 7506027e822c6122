import { CANVAS_UNAVAILABLE, LatchkeyError, QR_FILE_UNREADABLE, QR_NOT_FOUND } from 'latchkey/internal';
import { startDecoder } from './decoder.js';

/** Larger pictures are scaled down until their shorter side has this length. */
const FRAME_SIDE_MAX_PX = 1080;

/** Draws pictures to be decoded, each over the one before. Throws CANVAS_UNAVAILABLE. */
export function createFrames(): (picture: CanvasImageSource, width: number, height: number) => ImageData {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) throw new LatchkeyError(CANVAS_UNAVAILABLE);
  return (picture, width, height) => {
    const scale = Math.min(1, FRAME_SIDE_MAX_PX / Math.min(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return pen.getImageData(0, 0, canvas.width, canvas.height);
  };
}

/** The text of the QR code in a picture. Rejects with QR_NOT_FOUND, QR_FILE_UNREADABLE or QR_DECODER_FAILED. */
export async function qrTextOf(file: Blob): Promise<string> {
  const decoder = startDecoder();
  try {
    const picture = await createImageBitmap(file).catch((cause: unknown) => {
      throw new LatchkeyError(QR_FILE_UNREADABLE, { cause });
    });
    const text = await decoder.decode(createFrames()(picture, picture.width, picture.height));
    picture.close();
    if (text === null) throw new LatchkeyError(QR_NOT_FOUND);
    return text;
  } finally {
    decoder.close();
  }
}

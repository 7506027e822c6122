/**
 * The error texts of the camera and the QR scanner, which latchkey-react draws. It takes the error class from here, by way of
 * `latchkey/internal`: a bundler drops what no file imports, and so keeps these texts.
 */
import { addTexts } from './latchkey-error.js';

export * from './latchkey-error.js';

const TEXTS = {
  CAMERA_ACCESS_FAILED: 'Camera access failed: {reason}',
  CAMERA_DEVICES_FAILED: 'Failed to access camera devices',
  CAMERA_SCAN_TIMEOUT: 'Camera scan timeout - no QR code detected within {ms}ms',
  CANVAS_UNAVAILABLE: 'Unable to get canvas 2D context',
  QR_NOT_FOUND:
    'No QR code was found in this picture. Choose one that shows all of the code, or take it from closer.',
  QR_FILE_UNREADABLE: 'The browser cannot read this file as a picture. Choose another one.',
  QR_DECODER_FAILED: 'The QR decoder could not be loaded: {reason}. Check your connection, then try again.',
} as const;

export type ScannerTexts = typeof TEXTS;

addTexts(TEXTS);

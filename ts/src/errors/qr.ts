/** The error texts of linking QR codes. */
import { addTexts } from './latchkey-error.js';

export * from './index.js';

const TEXTS = {
  INVALID_QR_DATA: '{reason}',
  SESSION_EXPIRED: 'Device linking session expired',
} as const;

export type QrTexts = typeof TEXTS;

addTexts(TEXTS);

/** Faults of a linking QR code; the codes are INVALID_QR_DATA and, for `expired` and `missed`, SESSION_EXPIRED. */
export const QR_TEXTS = {
  notJson: 'Invalid QR code format - expected JSON device linking data',
  url: 'QR code contains a URL, not device linking data',
  nearKey: 'QR code contains a NEAR key, not device linking data',
  noKey: 'Missing device public key',
  badKey: 'Invalid device public key format',
  noTimestamp: 'Missing timestamp',
  badTimestamp: 'Invalid timestamp: it must be milliseconds since 1970',
  future: 'QR code is from the future. Check the clocks of both devices, then show a new code',
  expired: 'QR code expired',
  missed:
    'This device was asleep or offline for too long to know whether the code was scanned. Show a new code.',
  badVersion: 'Unsupported QR code version. Update the wallet on both devices',
} as const;

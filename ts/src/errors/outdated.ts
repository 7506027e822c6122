/** The text of a warning about a version whose passkeys work in part. */
import { addTexts, LatchkeyError } from './latchkey-error.js';

const TEXTS = {
  IOS_OUTDATED:
    'On iOS {version} a passkey opens its account on this device alone: another device that scans its code gets other keys. ' +
    'Update to iOS 18.4 or later before you make an account.',
} as const;

export type OutdatedTexts = typeof TEXTS;

addTexts(TEXTS);

export const iosOutdated = (version: string): LatchkeyError =>
  new LatchkeyError('IOS_OUTDATED', { values: { version } });

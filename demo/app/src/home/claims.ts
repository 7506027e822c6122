import type { Texts } from '../texts/english.js';

/** A claim of the first page. The tests that prove it have this id of SECURITY.md at the end of their titles. */
export interface Claim {
  readonly text: keyof Texts['home']['safety'];
  readonly id: `S${number}`;
  /** It holds only where the wallet has an origin of its own. */
  readonly isOfFrame?: boolean;
}

export const CLAIMS = {
  account: [
    { text: 'keyHere', id: 'S3', isOfFrame: true },
    { text: 'encrypted', id: 'S38' },
    { text: 'noOtherKey', id: 'S48' },
  ],
  payment: [
    { text: 'onlySeen', id: 'S9' },
    { text: 'checked', id: 'S10' },
    { text: 'noPress', id: 'S25' },
  ],
  device: [
    { text: 'scanned', id: 'S30', isOfFrame: true },
    { text: 'compared', id: 'S33' },
    { text: 'noLoss', id: 'S34' },
  ],
} as const satisfies Record<string, readonly Claim[]>;

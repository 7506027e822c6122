/** For every message of the table: a good payload, what the wallet is asked, what it says, and what the host gets. */
import type { MessageType } from '../protocol/index.js';
import type { Case } from './case.js';
import { DEVICE_CASES } from './device-cases.js';
import { SESSION_CASES } from './session-cases.js';
import { SIGNING_CASES } from './signing-cases.js';

export const CASES: { readonly [T in MessageType]: Case<T> } = {
  ...SESSION_CASES,
  ...SIGNING_CASES,
  ...DEVICE_CASES,
};

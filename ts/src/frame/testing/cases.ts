/** For every message of the table: a valid payload, the wallet's call and answer, and the host's result. */
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

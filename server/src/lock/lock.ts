/** The lock's keys on OpenSSL. */
import { createHash } from 'node:crypto';
import { makePower } from './lock-group.js';
import { type LockGroup, writeNumber } from './lock-number.js';
import { KEY_ID_BYTES, keyIdInput, type LockKey, type LockKeyText, readExponents } from './server-lock.js';

/** Makes a stored key usable. Throws unless the two exponents are inverse in this group. */
export function readLockKey(group: LockGroup, text: LockKeyText): LockKey {
  const { e, d } = readExponents(group, text);
  return { keyId: deriveKeyId(group, e), apply: makePower(group, e), remove: makePower(group, d) };
}

export function deriveKeyId(group: LockGroup, e: Uint8Array): string {
  const digest = createHash('sha256').update(keyIdInput(group, e)).digest();
  return writeNumber(Uint8Array.from(digest.subarray(0, KEY_ID_BYTES)));
}

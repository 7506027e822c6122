/**
 * The lock on the VRF module, in constant time like OpenSSL's, for runtimes without OpenSSL. The Diffie-Hellman of
 * Workers' `node:crypto` checks the prime again for each key, which takes seconds.
 */

import { RFC3526_GROUP_14_P } from 'latchkey/internal/server';
import { lockApply, lockRemove } from '../../wasm/vrf/vrf.js';
import { type LockGroup, LockNumberError, readGroupNumber, readGroupOf, writeNumber } from './lock-number.js';
import { KEY_ID_BYTES, keyIdInput, type LockKey, type LockKeyText, readExponents } from './server-lock.js';

/** The group of the default prime. Rejects any other: this runtime cannot check whether it is a safe prime. */
export function readKnownGroup(pB64u: string): LockGroup {
  if (pB64u !== RFC3526_GROUP_14_P) throw new LockNumberError('must be RFC 3526 group 14, the default, here');
  return readGroupOf(pB64u);
}

/** Makes a stored key usable. Needs the loaded module. Rejects unless the exponents are inverse in this group. */
export async function readWasmLockKey(group: LockGroup, text: LockKeyText): Promise<LockKey> {
  const { e } = readExponents(group, text);
  const digest = await crypto.subtle.digest('SHA-256', keyIdInput(group, e));
  const { pB64u } = group;
  return {
    keyId: writeNumber(new Uint8Array(digest, 0, KEY_ID_BYTES)),
    apply: (base) => readGroupNumber(group, lockApply(pB64u, text.e_s_b64u, writeNumber(base))),
    remove: (base) => readGroupNumber(group, lockRemove(pB64u, text.d_s_b64u, writeNumber(base))),
  };
}

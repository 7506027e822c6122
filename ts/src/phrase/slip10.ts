/** Key derivation for ed25519 by SLIP-0010, which has hardened steps alone. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const CURVE = utf8ToBytes('ed25519 seed');
const HARDENED = 0x8000_0000;
const KEY_BYTES = 32;

/**
 * Derives the 32-byte ed25519 seed at a path of hardened indexes: [44, 397, 0] is m/44'/397'/0'. Zero-fills what it
 * derives on the way; the caller wipes `seed` and the result.
 */
export function deriveSeed(seed: Uint8Array, path: readonly number[]): Uint8Array {
  let node = hmac(sha512, CURVE, seed);
  for (const index of path) {
    const data = concatBytes(Uint8Array.of(0), node.subarray(0, KEY_BYTES), uint32(HARDENED + index));
    const child = hmac(sha512, node.subarray(KEY_BYTES), data);
    data.fill(0);
    node.fill(0);
    node = child;
  }
  const derived = node.slice(0, KEY_BYTES);
  node.fill(0);
  return derived;
}

/** Big-endian. */
function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

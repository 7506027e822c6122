/** Signatures and implicit accounts of secp256k1 keys. Loaded when such a key first appears. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { hex } from '@scure/base';
import { concat } from '../borsh.js';

/**
 * Whether the key (64 bytes, x and y) made the signature (65 bytes: r, s and the recovery id) of the hash (32 bytes). Only
 * the lower of the two values of s counts, as on the chain.
 */
export function isSecp256k1SignatureOf(
  publicKey: Uint8Array,
  signature: Uint8Array,
  hash: Uint8Array,
): boolean {
  const recoveryId = signature[64] ?? Number.NaN;
  if (!(recoveryId <= 3)) return false;
  try {
    const point = concat([Uint8Array.of(4), publicKey]);
    return secp256k1.verify(signature.subarray(0, 64), hash, point, { prehash: false, lowS: true });
  } catch {
    // The bytes are no point of the curve, or r or s is out of range.
    return false;
  }
}

/** `0x` and the last 20 bytes of Keccak-256 of the key's 64 bytes in hex (NEP-518). */
export function ethImplicitAccountId(publicKey: Uint8Array): string {
  return `0x${hex.encode(keccak_256(publicKey).subarray(12))}`;
}

/**
 * The text of a public key: its kind, and base58 of its 32, 64 or 1,952 bytes. Tells a slip from a key; the signer decodes
 * it.
 */
const ED25519_KEY = /^ed25519:[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const SECP256K1_KEY = /^secp256k1:[1-9A-HJ-NP-Za-km-z]{64,88}$/;
const ML_DSA_65_KEY = /^ml-dsa-65:[1-9A-HJ-NP-Za-km-z]{1952,2666}$/;
/** By its hash of 32 bytes the chain stores and lists an ML-DSA-65 key. */
const ML_DSA_65_HANDLE = /^ml-dsa-65-hash:[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export function isEd25519Key(value: unknown): value is string {
  return typeof value === 'string' && ED25519_KEY.test(value);
}

/** A key that an action can name: ed25519, secp256k1 or ML-DSA-65. */
export function isPublicKey(value: unknown): value is string {
  return (
    isEd25519Key(value) ||
    (typeof value === 'string' && (SECP256K1_KEY.test(value) || ML_DSA_65_KEY.test(value)))
  );
}

/** The hash of an ML-DSA-65 key, in place of the key. */
export function isMlDsaHandle(value: unknown): value is string {
  return typeof value === 'string' && ML_DSA_65_HANDLE.test(value);
}

/** A key as the chain stores and lists it: whole, or an ML-DSA-65 key by its hash. */
export function isKeyHandle(value: unknown): value is string {
  return (
    isEd25519Key(value) || isMlDsaHandle(value) || (typeof value === 'string' && SECP256K1_KEY.test(value))
  );
}

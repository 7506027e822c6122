/** The text of a public key: its curve, and base58 of its 32 or 64 bytes. Tells a slip from a key; the signer decodes it. */
const ED25519_KEY = /^ed25519:[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const SECP256K1_KEY = /^secp256k1:[1-9A-HJ-NP-Za-km-z]{64,88}$/;

export function isEd25519Key(value: unknown): value is string {
  return typeof value === 'string' && ED25519_KEY.test(value);
}

/** A key of either curve of the chain. */
export function isPublicKey(value: unknown): value is string {
  return isEd25519Key(value) || (typeof value === 'string' && SECP256K1_KEY.test(value));
}

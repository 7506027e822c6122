import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { base58 } from '@scure/base';

// The DER head of a PKCS #8 Ed25519 private key (RFC 8410): the 32-byte seed follows.
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A NEAR private key as text, `ed25519:` + base58(seed || public key), from its 32-byte seed. */
export function secretKeyText(seed: Buffer): `ed25519:${string}` {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return `ed25519:${base58.encode(Buffer.concat([seed, Buffer.from(x, 'base64url')]))}`;
}

/**
 * The fixed full-access key of a genesis account of the local chain.
 *
 * It is public: its seed is SHA-256 of `latchkey-devnet:` + account id. It has no value on any other chain.
 */
export function developmentKey(accountId: string): `ed25519:${string}` {
  return secretKeyText(createHash('sha256').update(`latchkey-devnet:${accountId}`).digest());
}

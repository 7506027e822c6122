/**
 * Private keys that outlive an approval. Storage holds them under a CryptoKey that no script can read, and only the
 * signer worker opens them. The encryption authenticates the stored public key too.
 */
import { base64urlnopad } from '@scure/base';
import { LatchkeyError, SEALED_KEY_UNUSABLE } from '../errors/account.js';
import { wiping } from './wiping.js';

const NONCE_LENGTH = 12;

/** A NEAR private key's text under AES-GCM; `encryptedData` (with its 16-byte tag) and `iv` in base64url. */
export interface SealedKey {
  /** `ed25519:` and base58 of 32 bytes. */
  readonly publicKey: string;
  readonly encryptedData: string;
  /** 12 random bytes. */
  readonly iv: string;
}

/** Encrypts the text of a private key (UTF-8) and zero-fills it. */
export async function sealKey(
  wrappingKey: CryptoKey,
  publicKey: string,
  privateKey: Uint8Array<ArrayBuffer>,
): Promise<SealedKey> {
  try {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_LENGTH));
    const sealed = await crypto.subtle.encrypt(parameters(iv, publicKey), wrappingKey, privateKey);
    return {
      publicKey,
      encryptedData: base64urlnopad.encode(new Uint8Array(sealed)),
      iv: base64urlnopad.encode(iv),
    };
  } finally {
    privateKey.fill(0);
  }
}

/** Opens a private key for one use, then zero-fills it. Throws SEALED_KEY_UNUSABLE when it cannot be opened. */
export async function withOpenedKey<T>(
  wrappingKey: CryptoKey,
  { publicKey, encryptedData, iv }: SealedKey,
  use: (privateKey: Uint8Array) => T,
): Promise<T> {
  const opened = await open(wrappingKey, publicKey, encryptedData, iv);
  return wiping([opened], () => use(opened));
}

async function open(
  wrappingKey: CryptoKey,
  publicKey: string,
  encryptedData: string,
  iv: string,
): Promise<Uint8Array> {
  try {
    const nonce = base64urlnopad.decode(iv) as Uint8Array<ArrayBuffer>;
    const data = base64urlnopad.decode(encryptedData) as Uint8Array<ArrayBuffer>;
    return new Uint8Array(await crypto.subtle.decrypt(parameters(nonce, publicKey), wrappingKey, data));
  } catch (cause) {
    throw new LatchkeyError(SEALED_KEY_UNUSABLE, { values: { publicKey }, cause });
  }
}

function parameters(iv: Uint8Array<ArrayBuffer>, publicKey: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(publicKey) };
}

/**
 * Signs with the relayer's keys. The keys are seen by this file alone. Actions are encoded and signed by the signer WASM;
 * what it has no room for comes encoded and is signed by WebCrypto.
 */
import { base58 } from '@scure/base';
import type { Action, SignedTransaction } from '../../types.js';
import { attachSignature } from '../delegates/delegate-transaction.js';
import type { Secret } from '../platform/secret.js';

/** A signed transaction's borsh bytes, and its id in base58. */
export type SignedBytes = Pick<SignedTransaction, 'borshBytes' | 'hash'>;

/** What is signed, besides who signs. `nonce` is decimal, `blockHash` base58. */
export interface TransactionToSign {
  readonly receiverId: string;
  readonly nonce: string;
  readonly blockHash: string;
  readonly actions: Action[];
}

export interface TransactionSigner {
  readonly accountId: string;
  /** `ed25519:` and base58, one for each private key. */
  readonly publicKeys: readonly string[];
  sign(publicKey: string, transaction: TransactionToSign): SignedBytes;
  /** Signs the borsh bytes of an unsigned transaction that names this account and this key as its signer. */
  signEncoded(publicKey: string, unsigned: Uint8Array<ArrayBuffer>): Promise<SignedBytes>;
}

/** The signer WASM's function of this name. It takes the private key as UTF-8 bytes. */
export type SignWithKeyPair = (
  privateKey: Uint8Array,
  transaction: TransactionToSign & { readonly signerAccountId: string },
) => SignedBytes;

export function createTransactionSigner(
  signWithKeyPair: SignWithKeyPair,
  accountId: string,
  privateKeys: readonly Secret[],
): TransactionSigner {
  const keys = new Map(privateKeys.map((key) => [publicKeyOf(key), key]));
  const imported = new Map<string, Promise<CryptoKey>>();

  const keyOf = (publicKey: string): Secret => {
    const key = keys.get(publicKey);
    if (!key) throw new RangeError('the signer has no such key');
    return key;
  };

  const importOnce = (publicKey: string): Promise<CryptoKey> => {
    const key = imported.get(publicKey) ?? importKey(keyOf(publicKey));
    imported.set(publicKey, key);
    return key;
  };

  return {
    accountId,
    publicKeys: [...keys.keys()],
    sign(publicKey, transaction) {
      const privateKey = new TextEncoder().encode(keyOf(publicKey).reveal());
      try {
        return signWithKeyPair(privateKey, { signerAccountId: accountId, ...transaction });
      } finally {
        privateKey.fill(0);
      }
    },
    async signEncoded(publicKey, unsigned) {
      const key = await importOnce(publicKey);
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', unsigned));
      const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', key, hash));
      return { borshBytes: attachSignature(unsigned, signature), hash: base58.encode(hash) };
    },
  };
}

/** What stands before the 32 bytes of the seed in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);

async function importKey(privateKey: Secret): Promise<CryptoKey> {
  const bytes = base58.decode(privateKey.reveal().slice('ed25519:'.length));
  const pkcs8 = new Uint8Array([...PKCS8_HEAD, ...bytes.subarray(0, 32)]);
  bytes.fill(0);
  try {
    return await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  } finally {
    pkcs8.fill(0);
  }
}

/** `ed25519:` and base58. A private key is seed32 || pub32. */
export function publicKeyOf(privateKey: Secret): string {
  const bytes = base58.decode(privateKey.reveal().slice('ed25519:'.length));
  const publicKey = base58.encode(bytes.subarray(32));
  bytes.fill(0);
  return `ed25519:${publicKey}`;
}

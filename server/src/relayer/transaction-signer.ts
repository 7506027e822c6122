/** Signs with the relayer's keys, by the relay's WASM. Only this file sees the keys. The module must be loaded. */
import { base58 } from '@scure/base';
import {
  type SignedBytes,
  signDelegateTransaction,
  signTransaction,
  type TransactionBody,
} from '../../wasm/relay/relay.js';
import type { Secret } from '../platform/secret.js';

export type { SignedBytes, TransactionBody };

/** Where a transaction stands among those of its key. `nonce` is decimal, `blockHash` base58. */
export interface TransactionPlace {
  readonly nonce: string;
  readonly blockHash: string;
}

export interface TransactionSigner {
  readonly accountId: string;
  /** `ed25519:` and base58, one for each private key. */
  readonly publicKeys: readonly string[];
  sign(publicKey: string, place: TransactionPlace, body: TransactionBody): SignedBytes;
  /** Signs the transaction that carries a signed delegate, byte for byte, to its sender. */
  signDelegate(publicKey: string, place: TransactionPlace, delegate: Uint8Array): SignedBytes;
}

export function createTransactionSigner(
  accountId: string,
  privateKeys: readonly Secret[],
): TransactionSigner {
  const keys = new Map(privateKeys.map((key) => [publicKeyOf(key), key]));

  function withKey<T>(publicKey: string, use: (privateKey: Uint8Array) => T): T {
    const key = keys.get(publicKey);
    if (!key) throw new RangeError('the signer has no such key');
    const privateKey = new TextEncoder().encode(key.reveal());
    try {
      return use(privateKey);
    } finally {
      privateKey.fill(0);
    }
  }

  return {
    accountId,
    publicKeys: [...keys.keys()],
    sign: (publicKey, place, body) =>
      withKey(publicKey, (key) => signTransaction(key, { signerId: accountId, ...place }, body)),
    signDelegate: (publicKey, place, delegate) =>
      withKey(publicKey, (key) => signDelegateTransaction(key, { signerId: accountId, ...place }, delegate)),
  };
}

/** `ed25519:` and base58. A private key is seed32 || pub32. */
export function publicKeyOf(privateKey: Secret): string {
  const bytes = base58.decode(privateKey.reveal().slice('ed25519:'.length));
  const publicKey = base58.encode(bytes.subarray(32));
  bytes.fill(0);
  return `ed25519:${publicKey}`;
}

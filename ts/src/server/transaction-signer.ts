/** Signs with the relayer's keys. The keys are seen by this file alone; the signing itself is the signer WASM's. */
import { base58 } from '@scure/base';
import type { Action, SignedTransaction } from '../types.js';
import type { Secret } from './secret.js';

/** A signed transaction's borsh bytes, and its id in base58. */
export type SignedBytes = Pick<SignedTransaction, 'borshBytes' | 'hash'>;

/** What is signed, besides who signs. `nonce` is decimal, `blockHash` base58. */
export interface TransactionToSign {
  readonly receiverId: string;
  readonly nonce: string;
  readonly blockHash: string;
  readonly actions: Extract<Action, { readonly type: 'FunctionCall' }>[];
}

export interface TransactionSigner {
  readonly accountId: string;
  /** `ed25519:` and base58, one for each private key. */
  readonly publicKeys: readonly string[];
  sign(publicKey: string, transaction: TransactionToSign): SignedBytes;
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
  return {
    accountId,
    publicKeys: [...keys.keys()],
    sign(publicKey, transaction) {
      const key = keys.get(publicKey);
      if (!key) throw new RangeError('the signer has no such key');
      const privateKey = new TextEncoder().encode(key.reveal());
      try {
        return signWithKeyPair(privateKey, { signerAccountId: accountId, ...transaction });
      } finally {
        privateKey.fill(0);
      }
    },
  };
}

/** A private key is seed32 || pub32. */
function publicKeyOf(privateKey: Secret): string {
  const bytes = base58.decode(privateKey.reveal().slice('ed25519:'.length));
  const publicKey = base58.encode(bytes.subarray(32));
  bytes.fill(0);
  return `ed25519:${publicKey}`;
}

/** The relayer's transaction around a signed delegate (NEP-366): borsh, version 0 of near-primitives' `Transaction`. */
import { base58 } from '@scure/base';
import { concat, text, u32, u64 } from '../../near/borsh.js';
import type { SignedDelegate } from './delegate-codec.js';

/** Who signs, and with which nonce. */
export interface TransactionHead {
  readonly signerId: string;
  /** `ed25519:` and base58 of 32 bytes. */
  readonly publicKey: string;
  readonly nonce: bigint;
  /** base58 of 32 bytes. */
  readonly blockHash: string;
}

const ED25519_TAG = 0;
const DELEGATE_TAG = 8;

/** The unsigned transaction that brings the delegate, byte for byte as its sender signed it, to that sender. */
export function encodeDelegateTransaction(
  { signerId, publicKey, nonce, blockHash }: TransactionHead,
  delegate: Pick<SignedDelegate, 'senderId' | 'bytes'>,
): Uint8Array<ArrayBuffer> {
  return concat([
    text(signerId),
    Uint8Array.of(ED25519_TAG),
    base58.decode(publicKey.slice('ed25519:'.length)),
    u64(nonce),
    text(delegate.senderId),
    base58.decode(blockHash),
    u32(1),
    Uint8Array.of(DELEGATE_TAG),
    delegate.bytes,
  ]);
}

/** A signed transaction: the unsigned one, and 64 bytes of ed25519 signature over its SHA-256. */
export function attachSignature(unsigned: Uint8Array, signature: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat([unsigned, Uint8Array.of(ED25519_TAG), signature]);
}

/** Signed transactions under the protocol's field names. */
import type { SignedTransaction } from '../../types.js';

/** A signed transaction as it crosses: its bytes under the protocol's name. */
export interface WireSignedTransaction extends Omit<SignedTransaction, 'borshBytes'> {
  readonly borsh_bytes: Uint8Array;
}

export function toWireTransaction({ borshBytes, ...rest }: SignedTransaction): WireSignedTransaction {
  return { ...rest, borsh_bytes: borshBytes };
}

export function fromWireTransaction({ borsh_bytes, ...rest }: WireSignedTransaction): SignedTransaction {
  return { ...rest, borshBytes: borsh_bytes };
}

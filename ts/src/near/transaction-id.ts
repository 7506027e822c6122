import { base58 } from '@scure/base';

/** What can be read off a signed transaction's bytes without decoding its actions. */
export interface SignedTransactionSummary {
  /** base58 of SHA-256 of the unsigned transaction: the id by which the chain knows it. */
  transactionId: string;
  signerId: string;
}

/** One byte for the curve (0 is ed25519), then 64 bytes of signature. */
const ED25519_SIGNATURE_LENGTH = 1 + 64;
const ED25519_TAG = 0;
const MAX_ACCOUNT_ID_LENGTH = 64;

/**
 * Reads id and signer of a borsh-encoded, ed25519-signed transaction of either version
 * (near-primitives, `SignedTransaction`). Throws a RangeError when the bytes are not one.
 */
export async function readSignedTransaction(bytes: Uint8Array): Promise<SignedTransactionSummary> {
  const unsignedLength = bytes.length - ED25519_SIGNATURE_LENGTH;
  if (unsignedLength < 8 || bytes[unsignedLength] !== ED25519_TAG) {
    throw new RangeError('not an ed25519-signed transaction');
  }
  const unsigned = bytes.slice(0, unsignedLength);
  const digest = await crypto.subtle.digest('SHA-256', unsigned);
  return { transactionId: base58.encode(new Uint8Array(digest)), signerId: readSignerId(unsigned) };
}

/**
 * A version 0 transaction begins with the signer's length as u32 little endian, so its second byte is
 * zero; a later version has one tag byte before that length.
 */
function readSignerId(unsigned: Uint8Array): string {
  const start = unsigned[1] === 0 ? 0 : 1;
  const view = new DataView(unsigned.buffer, unsigned.byteOffset, unsigned.byteLength);
  const length = view.getUint32(start, true);
  const end = start + 4 + length;
  if (length === 0 || length > MAX_ACCOUNT_ID_LENGTH || end > unsigned.length) {
    throw new RangeError('not a signed transaction: its signer cannot be read');
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(unsigned.subarray(start + 4, end));
}

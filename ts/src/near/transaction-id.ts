import { base58 } from '@scure/base';

/** The parts of a signed transaction that are readable without decoding its actions. */
export interface SignedTransactionSummary {
  /** base58 of SHA-256 of the unsigned transaction: its id on the chain. */
  transactionId: string;
  signerId: string;
  /** The signing access key and the nonce it spends; null for later versions, which may number differently. */
  accessKey: { publicKey: string; nonce: bigint } | null;
  /** base58 hash of the block that starts the validity period; null for later versions. */
  blockHash: string | null;
}

/** One byte for the curve (0 is ed25519), then 64 bytes of signature. */
const ED25519_SIGNATURE_LENGTH = 1 + 64;
const ED25519_TAG = 0;
const PUBLIC_KEY_LENGTH = 32;
const HASH_LENGTH = 32;
const MAX_ACCOUNT_ID_LENGTH = 64;

/**
 * Reads id, signer, access key and block of a borsh-encoded, ed25519-signed transaction of either version
 * (near-primitives, `SignedTransaction`). Throws a RangeError if the bytes are not one.
 */
export async function readSignedTransaction(bytes: Uint8Array): Promise<SignedTransactionSummary> {
  const unsignedLength = bytes.length - ED25519_SIGNATURE_LENGTH;
  if (unsignedLength < 8 || bytes[unsignedLength] !== ED25519_TAG) {
    throw new RangeError('not an ed25519-signed transaction');
  }
  const unsigned = bytes.slice(0, unsignedLength);
  const digest = await crypto.subtle.digest('SHA-256', unsigned);
  const { isVersion0, signerId, end } = readSigner(unsigned);
  return {
    transactionId: base58.encode(new Uint8Array(digest)),
    signerId,
    accessKey: isVersion0 ? readAccessKey(unsigned, end) : null,
    blockHash: isVersion0 ? readBlockHash(unsigned, end) : null,
  };
}

/**
 * A version 0 transaction begins with the signer's length as u32 little endian, so its second byte is
 * zero; a later version has one tag byte before that length.
 */
function readSigner(unsigned: Uint8Array) {
  const isVersion0 = unsigned[1] === 0;
  const start = isVersion0 ? 0 : 1;
  const view = new DataView(unsigned.buffer, unsigned.byteOffset, unsigned.byteLength);
  const length = view.getUint32(start, true);
  const end = start + 4 + length;
  if (length === 0 || length > MAX_ACCOUNT_ID_LENGTH || end > unsigned.length) {
    throw new RangeError('not a signed transaction: its signer cannot be read');
  }
  const signerId = new TextDecoder('utf-8', { fatal: true }).decode(unsigned.subarray(start + 4, end));
  return { isVersion0, signerId, end };
}

/** After the signer: one byte for the curve, the key, its nonce as u64 little endian. */
function readAccessKey(unsigned: Uint8Array, start: number): SignedTransactionSummary['accessKey'] {
  const nonceStart = start + 1 + PUBLIC_KEY_LENGTH;
  if (unsigned[start] !== ED25519_TAG || nonceStart + 8 > unsigned.length) {
    throw new RangeError('not a signed transaction: its key cannot be read');
  }
  const publicKey = `ed25519:${base58.encode(unsigned.subarray(start + 1, nonceStart))}`;
  const view = new DataView(unsigned.buffer, unsigned.byteOffset, unsigned.byteLength);
  return { publicKey, nonce: view.getBigUint64(nonceStart, true) };
}

/** After the key and its nonce: the receiver with its length, then the hash. */
function readBlockHash(unsigned: Uint8Array, start: number): string {
  const lengthStart = start + 1 + PUBLIC_KEY_LENGTH + 8;
  const view = new DataView(unsigned.buffer, unsigned.byteOffset, unsigned.byteLength);
  const hashStart =
    lengthStart + 4 + (lengthStart + 4 <= unsigned.length ? view.getUint32(lengthStart, true) : 0);
  if (hashStart + HASH_LENGTH > unsigned.length) {
    throw new RangeError('not a signed transaction: its block cannot be read');
  }
  return base58.encode(unsigned.subarray(hashStart, hashStart + HASH_LENGTH));
}

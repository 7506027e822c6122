import { base58 } from '@scure/base';

/** The parts of a signed transaction that are readable without decoding its actions. */
export interface SignedTransactionSummary {
  /** base58 of SHA-256 of the unsigned transaction: its id on the chain. */
  transactionId: string;
  signerId: string;
  /** The signing access key and the nonce it spends, with the lane of a gas key. */
  accessKey: { publicKey: string; nonce: bigint; lane?: number };
  /** base58 hash of the block that starts the validity period. */
  blockHash: string;
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
  const { end: keyEnd, ...accessKey } = readAccessKey(unsigned, end, isVersion0);
  return {
    transactionId: base58.encode(new Uint8Array(digest)),
    signerId,
    accessKey,
    blockHash: readBlockHash(unsigned, keyEnd),
  };
}

/**
 * A version 0 transaction begins with the signer's length as u32 little endian, so its second byte is
 * zero; version 1 has one tag byte before that length.
 */
function readSigner(unsigned: Uint8Array) {
  const isVersion0 = unsigned[1] === 0;
  if (!isVersion0 && unsigned[0] !== 1) throw new RangeError('a transaction of an unknown version');
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

/**
 * After the signer: one byte for the curve, the key, its nonce as u64 little endian. Version 1 has a byte before the nonce, and
 * where that is 1 the lane after it, as u16.
 */
function readAccessKey(unsigned: Uint8Array, start: number, isVersion0: boolean) {
  const keyEnd = start + 1 + PUBLIC_KEY_LENGTH;
  const nonceStart = isVersion0 ? keyEnd : keyEnd + 1;
  const hasLane = !isVersion0 && unsigned[keyEnd] === 1;
  const end = nonceStart + 8 + (hasLane ? 2 : 0);
  if (unsigned[start] !== ED25519_TAG || end > unsigned.length) {
    throw new RangeError('not a signed transaction: its key cannot be read');
  }
  const view = new DataView(unsigned.buffer, unsigned.byteOffset, unsigned.byteLength);
  return {
    publicKey: `ed25519:${base58.encode(unsigned.subarray(start + 1, keyEnd))}`,
    nonce: view.getBigUint64(nonceStart, true),
    ...(hasLane && { lane: view.getUint16(nonceStart + 8, true) }),
    end,
  };
}

/** After the key and its nonce: the receiver with its length, then the hash. */
function readBlockHash(unsigned: Uint8Array, lengthStart: number): string {
  const view = new DataView(unsigned.buffer, unsigned.byteOffset, unsigned.byteLength);
  const hashStart =
    lengthStart + 4 + (lengthStart + 4 <= unsigned.length ? view.getUint32(lengthStart, true) : 0);
  if (hashStart + HASH_LENGTH > unsigned.length) {
    throw new RangeError('not a signed transaction: its block cannot be read');
  }
  return base58.encode(unsigned.subarray(hashStart, hashStart + HASH_LENGTH));
}

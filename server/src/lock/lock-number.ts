/**
 * The server lock's numbers: integers modulo a safe prime, as base64url of minimal big-endian bytes (interop.md
 * section 5).
 */
import { base64urlnopad, hex } from '@scure/base';

const MIN_PRIME_BITS = 2048;
const MAX_PRIME_BITS = 4096;

/** Raises a group number to one fixed, secret exponent. Both numbers are minimal big-endian bytes. */
export type Power = (base: Uint8Array) => Uint8Array;

export interface LockGroup {
  readonly p: bigint;
  /** Minimal big-endian bytes. */
  readonly pBytes: Uint8Array;
  readonly pB64u: string;
}

/** An invalid number; the message gives the reason without the number. */
export class LockNumberError extends Error {
  override readonly name = 'LockNumberError';
}

/** The group of a number of 2048 to 4096 bits. The caller must ensure that it is a safe prime. */
export function readGroupOf(pB64u: string): LockGroup {
  // Reads twice the length that fits, so that the refusal of a larger prime names the limit.
  const pBytes = decodeNumber(pB64u, MAX_PRIME_BITS / 4);
  const p = toBigInt(pBytes);
  if (p >= 1n << BigInt(MAX_PRIME_BITS))
    throw new LockNumberError(`must have at most ${MAX_PRIME_BITS} bits`);
  if (p < 1n << BigInt(MIN_PRIME_BITS - 1))
    throw new LockNumberError(`must have at least ${MIN_PRIME_BITS} bits`);
  return { p, pBytes, pB64u };
}

/** Reads a client's number. Throws unless it is in 2..p-2 and in its shortest form. */
export function readGroupNumber(group: LockGroup, text: string): Uint8Array {
  const bytes = decodeNumber(text, group.pBytes.length);
  const value = toBigInt(bytes);
  if (value < 2n || value > group.p - 2n) throw new LockNumberError('must lie in 2..p-2');
  return bytes;
}

export function writeNumber(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes);
}

export function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${hex.encode(bytes) || '0'}`);
}

function decodeNumber(text: string, maxBytes: number): Uint8Array {
  if (text.length > Math.ceil((maxBytes * 4) / 3)) throw new LockNumberError('is too long');
  let bytes: Uint8Array;
  try {
    bytes = base64urlnopad.decode(text);
  } catch {
    throw new LockNumberError('must be base64url without padding');
  }
  if (bytes.length === 0 || bytes[0] === 0)
    throw new LockNumberError('must be big-endian without leading zeros');
  return bytes;
}

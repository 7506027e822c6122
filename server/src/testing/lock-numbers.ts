/** Numbers of the lock's group in plain BigInt, to compare with the relay's own. */
import { randomBytes } from 'node:crypto';
import { base64urlnopad } from '@scure/base';

export function encodeNumber(value: bigint): string {
  const hex = value.toString(16);
  return base64urlnopad.encode(Uint8Array.from(Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')));
}

export function modPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let power = base % modulus, left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * power) % modulus;
    power = (power * power) % modulus;
  }
  return result;
}

/** A pair of inverse exponents modulo p - 1: e of 256 bits, d = e^-1. */
export function makeLockKeyText(p: bigint): { e_s_b64u: string; d_s_b64u: string } {
  for (;;) {
    const e = BigInt(`0x${randomBytes(32).toString('hex')}`) | 1n;
    const d = inverse(e, p - 1n);
    if (d !== undefined) return { e_s_b64u: encodeNumber(e), d_s_b64u: encodeNumber(d) };
  }
}

function inverse(value: bigint, modulus: bigint): bigint | undefined {
  let [a, b, x, y] = [value, modulus, 1n, 0n];
  while (b > 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return a === 1n ? ((x % modulus) + modulus) % modulus : undefined;
}

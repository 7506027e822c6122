/** The server lock's group, on OpenSSL (interop.md section 5). */
import { checkPrimeSync, createDiffieHellman, createHash } from 'node:crypto';
import { type LockGroup, LockNumberError, type Power, readGroupOf } from './lock-number.js';

const GENERATOR = 2;

/** SHA-256 of the safe primes of 2048 to 4096 bits in RFC 3526 (groups 14, 15, 16) and RFC 7919, in hexadecimal. */
const STANDARD_PRIMES: ReadonlySet<string> = new Set([
  'd66436f79bbd6b2e38c0ffbd079be904d2641415e2e67140e09448be9a60890e',
  '48cf8b092fbce4359d9871abf74f98e25b6163379eaa15cd9087e800c6d1c55c',
  '4ee95187682bcb230ad26a95205f6920e84708f6251b3894329b09ec23919e33',
  '9cd3b7f336872f46c09428d1bbc19877a4d440512cda8d1c1cf0cd6e33698966',
  '0eaf67db3a839156d5013494a5318a772b5697d270d721f37f092efc69ea5a17',
  '4648414224ac881b3d0dc59b466f96d06a558278776807797ecf1f66ff397b3e',
]);

/**
 * The group of a prime given in base64url. Recognises the standard primes and tests any other, which takes up to some
 * seconds. Throws unless it is a safe prime of 2048 to 4096 bits.
 */
export function readLockGroup(pB64u: string): LockGroup {
  const group = readGroupOf(pB64u);
  const fingerprint = createHash('sha256').update(group.pBytes).digest('hex');
  if (!STANDARD_PRIMES.has(fingerprint) && !isSafePrime(group.p))
    throw new LockNumberError('must be a safe prime');
  return group;
}

/**
 * Exponentiation by OpenSSL's Diffie-Hellman: the same computation, in constant time for the exponent, which must be
 * in 2..p-2.
 */
export function makePower(group: LockGroup, exponent: Uint8Array): Power {
  const secret = createDiffieHellman(group.pBytes, GENERATOR);
  secret.setPrivateKey(exponent);
  return (base) => withoutLeadingZeros(secret.computeSecret(base));
}

function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return Uint8Array.from(bytes.subarray(Math.max(start, 0)));
}

function isSafePrime(p: bigint): boolean {
  return checkPrimeSync(p) && checkPrimeSync((p - 1n) / 2n);
}

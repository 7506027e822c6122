/** The server lock's group, on OpenSSL (interop.md section 5). */
import { checkPrimeSync, createDiffieHellman, getDiffieHellman } from 'node:crypto';
import { type LockGroup, LockNumberError, type Power, readGroupOf } from './lock-number.js';

const GENERATOR = 2;

/** The safe primes of RFC 3526 from 2048 bits up, by their OpenSSL names. */
const KNOWN_GROUPS = ['modp14', 'modp15', 'modp16', 'modp17', 'modp18'];

/** The group of a prime given in base64url. Throws unless it is a safe prime of 2048 to 8192 bits. */
export function readLockGroup(pB64u: string): LockGroup {
  const group = readGroupOf(pB64u);
  if (!isKnownSafePrime(group.pBytes) && !isSafePrime(group.p))
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

function isKnownSafePrime(pBytes: Uint8Array): boolean {
  return KNOWN_GROUPS.some((name) => getDiffieHellman(name).getPrime().equals(pBytes));
}

function isSafePrime(p: bigint): boolean {
  return checkPrimeSync(p) && checkPrimeSync((p - 1n) / 2n);
}

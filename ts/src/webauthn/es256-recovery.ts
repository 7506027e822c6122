/**
 * The public keys that can have made an ES256 signature (SEC 1, section 4.1.6), for a passkey whose key this browser never got:
 * an assertion does not carry it. Two keys fit one signature, and a second signature tells which of them it is. Works on public
 * data alone, so its time may depend on it.
 */

import type { WebAuthnAuthentication } from '../workers/signer-api.js';
import { ecdsaSignature, isSignedBy, signedBytes } from './assertion-signature.js';

type Point = readonly [x: bigint, y: bigint];

// P-256 (SEC 2, section 2.4.2): y² = x³ - 3x + B over the field of P; G has the order N.
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const G: Point = [
  0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
];
const COORDINATE_LENGTH = 32;

/** A COSE key of ES256 (RFC 9053, section 7.1.1) before its coordinates, and between them. */
const BEFORE_X = [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, COORDINATE_LENGTH];
const BEFORE_Y = [0x22, 0x58, COORDINATE_LENGTH];

/** The COSE key, 77 bytes, that made both assertions; undefined where they are not two ES256 signatures by one key. */
export async function es256KeyOf(
  one: WebAuthnAuthentication,
  other: WebAuthnAuthentication,
): Promise<Uint8Array | undefined> {
  for (const key of await es256KeysOf(one)) if (await isSignedBy(other, key)) return key;
  return undefined;
}

/** The two COSE keys of which one made the assertion; none where its signature is not of ES256. */
export async function es256KeysOf({ response }: WebAuthnAuthentication): Promise<readonly Uint8Array[]> {
  const signature = ecdsaSignature(response);
  if (!signature) return [];
  const r = toNumber(signature.subarray(0, COORDINATE_LENGTH));
  const s = toNumber(signature.subarray(COORDINATE_LENGTH));
  const hash = toNumber(new Uint8Array(await crypto.subtle.digest('SHA-256', await signedBytes(response))));
  const square = mod(r ** 3n - 3n * r + B, P);
  const y = power(square, (P + 1n) / 4n);
  // An x of N or more, which r does not tell, comes once in 2^128 signatures.
  if (mod(y * y, P) !== square || r >= N || s >= N) return [];
  const inverse = inverseOf(r, N);
  const ofHash = times(G, mod(-hash * inverse, N));
  return [y, P - y].flatMap((side) => {
    const key = sum(times([r, side], mod(s * inverse, N)), ofHash);
    return key ? [Uint8Array.of(...BEFORE_X, ...toBytes(key[0]), ...BEFORE_Y, ...toBytes(key[1]))] : [];
  });
}

/** The sum of two points; undefined is the point at infinity. */
function sum(one: Point | undefined, other: Point | undefined): Point | undefined {
  if (!one || !other) return one ?? other;
  const [x, y] = one;
  const isSame = x === other[0];
  if (isSame && mod(y + other[1], P) === 0n) return undefined;
  const slope = isSame
    ? (3n * x * x - 3n) * inverseOf(2n * y, P)
    : (other[1] - y) * inverseOf(other[0] - x, P);
  const sumX = mod(slope * slope - x - other[0], P);
  return [sumX, mod(slope * (x - sumX) - y, P)];
}

function times(point: Point, factor: bigint): Point | undefined {
  let product: Point | undefined;
  for (const bit of factor.toString(2)) {
    product = sum(product, product);
    if (bit === '1') product = sum(product, point);
  }
  return product;
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** Of the field. */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = mod(result * result, P);
    if (bit === '1') result = mod(result * base, P);
  }
  return result;
}

/** By Euclid's algorithm, extended. */
function inverseOf(value: bigint, modulus: bigint): bigint {
  let [rest, next] = [modulus, mod(value, modulus)];
  let [factor, nextFactor] = [0n, 1n];
  while (next > 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return mod(factor, modulus);
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function toBytes(number: bigint): Uint8Array {
  return Uint8Array.from({ length: COORDINATE_LENGTH }, (_, index) =>
    Number((number >> BigInt(8 * (COORDINATE_LENGTH - 1 - index))) & 0xffn),
  );
}

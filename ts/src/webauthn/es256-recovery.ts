/**
 * The public keys that can have made an ES256 signature (SEC 1, section 4.1.6), for a passkey whose key this browser never got:
 * an assertion does not carry it. Two keys fit one signature, and a second signature tells which of them it is.
 */
import { p256 } from '@noble/curves/nist.js';
import type { WebAuthnAuthentication } from '../workers/signer-api.js';
import { ecdsaSignature, isSignedBy, signedBytes } from './assertion-signature.js';

const COORDINATE_LENGTH = 32;
/** A COSE key of ES256 (RFC 9053, section 7.1.1) before its coordinates, and between them. */
const BEFORE_X = [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, COORDINATE_LENGTH];
const BEFORE_Y = [0x22, 0x58, COORDINATE_LENGTH];
/** Whether y is odd. An x above the group's order, which has two more ids, comes once in 2^128 signatures. */
const RECOVERY_IDS = [0, 1];

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
  const bytes = ecdsaSignature(response);
  if (!bytes) return [];
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await signedBytes(response)));
  try {
    const signature = p256.Signature.fromBytes(bytes, 'compact');
    return RECOVERY_IDS.map((id) => coseKey(signature.addRecoveryBit(id).recoverPublicKey(hash).toAffine()));
  } catch {
    // Numbers of that form which no key can have made.
    return [];
  }
}

function coseKey({ x, y }: { readonly x: bigint; readonly y: bigint }): Uint8Array {
  return Uint8Array.of(...BEFORE_X, ...p256.Point.Fp.toBytes(x), ...BEFORE_Y, ...p256.Point.Fp.toBytes(y));
}

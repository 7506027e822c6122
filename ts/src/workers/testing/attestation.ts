/** Attestation objects of format `none`, written byte by byte, for tests. */
import { createHash } from 'node:crypto';
import { hex } from '@scure/base';

/** The curve's base point (SEC 2, section 2.4.2), whose private key is 1. */
const X = hex.decode('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296');
const Y = hex.decode('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5');

/** A P-256 key in COSE form (RFC 9053, section 7.1): 77 bytes. */
export function coseKey(): Uint8Array {
  // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  return Uint8Array.of(0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32, ...X, 0x22, 0x58, 32, ...Y);
}

/** UP, UV, BE, BS and AT set, unless `flags` says otherwise. */
export function attestationObject(options: {
  rpId: string;
  credentialId: Uint8Array;
  flags?: number;
}): Uint8Array {
  const { rpId, credentialId, flags = 0x5d } = options;
  const aaguid = Array.from({ length: 16 }, (_, index) => index + 1);
  const attested = flags & 0x40 ? [...aaguid, 0, credentialId.length, ...credentialId, ...coseKey()] : [];
  const rpIdHash = createHash('sha256').update(rpId).digest();
  const authData = [...rpIdHash, flags, 0, 0, 0, 0, ...attested];
  const text = (value: string) => [0x60 + value.length, ...new TextEncoder().encode(value)];
  // {"fmt": "none", "attStmt": {}, "authData": bytes}
  return Uint8Array.of(
    0xa3,
    ...text('fmt'),
    ...text('none'),
    ...text('attStmt'),
    0xa0,
    ...text('authData'),
    0x58,
    authData.length,
    ...authData,
  );
}

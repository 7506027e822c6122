/** Attestation objects of format `none`, written byte by byte, for tests. */
import { createHash } from 'node:crypto';

/** A P-256 key in COSE form (RFC 9053, section 7.1): 77 bytes. */
export function coseKey(): Uint8Array {
  const coordinate = (byte: number) => new Uint8Array(32).fill(byte);
  // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  return Uint8Array.of(
    0xa5,
    1,
    2,
    3,
    0x26,
    0x20,
    1,
    0x21,
    0x58,
    32,
    ...coordinate(1),
    0x22,
    0x58,
    32,
    ...coordinate(2),
  );
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

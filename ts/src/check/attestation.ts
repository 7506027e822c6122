/** What the report tells of an attestation object. A wrong reading spoils a report and nothing else. */

const AUTH_DATA = 'authData';
/** The AAGUID follows the hash of the rpId, the flags and the counter (W3C WebAuthn Level 3, section 6.1). */
const AAGUID_AT = 37;
const AAGUID_LENGTH = 16;

/** The AAGUID in an attestation object, 8-4-4-4-12. */
export function aaguidIn(attestation: Uint8Array): string | undefined {
  const bytes = authenticatorDataIn(attestation).subarray(AAGUID_AT, AAGUID_AT + AAGUID_LENGTH);
  if (bytes.length < AAGUID_LENGTH) return undefined;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * What begins with the authenticator data in an attestation object, or nothing. `authData` is its last entry in canonical CBOR
 * (CTAP 2.2, section 8).
 */
export function authenticatorDataIn(attestation: Uint8Array): Uint8Array {
  // A character for each byte.
  const at = new TextDecoder('latin1').decode(attestation).lastIndexOf(AUTH_DATA);
  if (at < 0) return new Uint8Array();
  // A byte string of up to 255 bytes has a head of two bytes, a longer one of three.
  const head = attestation[at + AUTH_DATA.length] === 0x58 ? 2 : 3;
  return attestation.subarray(at + AUTH_DATA.length + head);
}

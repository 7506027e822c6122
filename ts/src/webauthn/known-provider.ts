/** Which passkeys give the same outputs at create and at get, as far as public reports tell. */
import { base64urlnopad } from '@scure/base';
import type { WebAuthnRegistration } from '../workers/signer-api.js';

/** Platform providers by the model that their passkeys name (passkeydeveloper's list of AAGUIDs). */
const PLATFORM: ReadonlySet<string> = new Set([
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd', // iCloud Keychain
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2', // iCloud Keychain, managed
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', // Google Password Manager
  'adce0002-35bc-c60a-648b-0b25f1f05503', // Chrome on a Mac
  'b5397666-4885-aa6b-cebf-e52262a439a2', // Chromium
  '771b48fd-d3d4-4f74-9232-fc157ab0507a', // Edge on a Mac
  '08987058-cadc-4b81-b6e1-30de50dcbe96', // Windows Hello, hardware
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9', // Windows Hello, software
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2', // Windows Hello, virtual machine
  'd3452668-01fd-4c12-926c-83a4204853aa', // Microsoft Password Manager
]);
const NONE = '00000000-0000-0000-0000-000000000000';
const AUTH_DATA = 'authData';
/** The AAGUID follows the hash of the rpId, the flags and the counter (W3C WebAuthn Level 3, section 6.1). */
const AAGUID_AT = 37;
const AAGUID_LENGTH = 16;

/**
 * Whether a passkey is of this device and of a known provider. What an extension makes is not, though it may say so: it
 * puts functions of its own in the place of the browser's.
 */
export function isOfPlatform({ authenticatorAttachment, response }: WebAuthnRegistration): boolean {
  if (authenticatorAttachment !== 'platform' || !isNative()) return false;
  const aaguid = aaguidIn(base64urlnopad.decode(response.attestationObject));
  return aaguid === NONE
    ? (response.transports ?? []).includes('hybrid')
    : aaguid !== undefined && PLATFORM.has(aaguid);
}

/** The AAGUID in an attestation object, 8-4-4-4-12. A wrong reading only costs or spares a prompt. */
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

/** Whether the browser's own function makes passkeys here. */
export function isNative(): boolean {
  const { create } = globalThis.navigator?.credentials ?? {};
  return typeof create === 'function' && /\[native code\]/.test(Function.prototype.toString.call(create));
}

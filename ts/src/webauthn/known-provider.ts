/** What the model of an authenticator (its AAGUID, 8-4-4-4-12, passkeydeveloper's list) says of how it behaves. */
import type { WebAuthnRegistration } from '../workers/signer-api.js';

/** Windows Hello with a TPM, in software, and in a virtual machine's secure part. */
const WINDOWS_HELLO = [
  '08987058-cadc-4b81-b6e1-30de50dcbe96',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2',
];

/** Those of a platform, whose outputs at create are those at get, as far as public reports tell. */
const PLATFORM = [
  ...WINDOWS_HELLO,
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd', // iCloud Keychain
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2', // iCloud Keychain, managed
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', // Google Password Manager
  'adce0002-35bc-c60a-648b-0b25f1f05503', // Chrome on a Mac
  'b5397666-4885-aa6b-cebf-e52262a439a2', // Chromium
  '771b48fd-d3d4-4f74-9232-fc157ab0507a', // Edge on a Mac
  'd3452668-01fd-4c12-926c-83a4204853aa', // Microsoft Password Manager
];
const NONE = '00000000-0000-0000-0000-000000000000';

export const isWindowsHello = (aaguid: string | undefined): boolean =>
  aaguid !== undefined && WINDOWS_HELLO.includes(aaguid);

/**
 * Whether a passkey is of this device and of a known provider. What an extension makes is not, though it may say so: it
 * puts functions of its own in the place of the browser's.
 */
export function isOfPlatform(
  { authenticatorAttachment, response: { transports = [] } }: WebAuthnRegistration,
  aaguid: string,
): boolean {
  const isKnown = aaguid === NONE ? transports.includes('hybrid') : PLATFORM.includes(aaguid);
  return authenticatorAttachment === 'platform' && isKnown && isNative();
}

/** Whether the browser's own function makes passkeys here. */
export function isNative(): boolean {
  const create: unknown = globalThis.navigator?.credentials?.create;
  return typeof create === 'function' && /\[native code\]/.test(Function.prototype.toString.call(create));
}

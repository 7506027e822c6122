/** What the model of an authenticator says of how it behaves. */
import type { WebAuthnRegistration } from '../workers/signer-api.js';
import { NO_MODEL, PLATFORM, WINDOWS_HELLO } from './authenticator-models.js';

export const isWindowsHello = (aaguid: string | undefined): boolean =>
  aaguid !== undefined && Object.hasOwn(WINDOWS_HELLO, aaguid);

/**
 * Whether a passkey is of this device and of a known provider. What an extension makes is not, though it may say so: it
 * puts functions of its own in the place of the browser's.
 */
export function isOfPlatform(
  { authenticatorAttachment, response: { transports = [] } }: WebAuthnRegistration,
  aaguid: string,
): boolean {
  const isKnown = aaguid === NO_MODEL ? transports.includes('hybrid') : Object.hasOwn(PLATFORM, aaguid);
  return authenticatorAttachment === 'platform' && isKnown && isNative();
}

/** Whether the browser's own function makes passkeys here. */
export function isNative(): boolean {
  const create: unknown = globalThis.navigator?.credentials?.create;
  return typeof create === 'function' && /\[native code\]/.test(Function.prototype.toString.call(create));
}

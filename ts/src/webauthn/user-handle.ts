/**
 * The user handle of a passkey: the account id, the device number from the second device on, and random characters. An
 * authenticator replaces a passkey of the same rpId and handle, and its PRF secret is lost: no two handles are equal.
 */
import { base64urlnopad } from '@scure/base';
import { isNearAccountId, usernameOf } from '../near/account-id.js';

const FIRST_DEVICE = 1;

/** `~` and 36 random bits in base64url. Older handles have no such tail. */
const TAIL = /~[\w-]{6}$/;

/** `alice.testnet`, or `alice.testnet (2)`. */
export function userName(accountId: string, deviceNumber: number): string {
  return deviceNumber > FIRST_DEVICE ? `${accountId} (${deviceNumber})` : accountId;
}

/** A handle for a new passkey: the user name and a random tail, at most 64 bytes. */
export function newUserHandle(accountId: string, deviceNumber: number): Uint8Array<ArrayBuffer> {
  const tail = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(5))).slice(0, 6);
  return new TextEncoder().encode(`${userName(accountId, deviceNumber)}~${tail}`);
}

/** `alice`, or `alice (device 2)`. */
export function displayName(accountId: string, deviceNumber: number): string {
  const label = usernameOf(accountId);
  return deviceNumber > FIRST_DEVICE ? `${label} (device ${deviceNumber})` : label;
}

/** The account and device of a passkey. */
export interface PasskeyOwner {
  readonly accountId: string;
  readonly deviceNumber: number;
}

/**
 * The account and device that a user handle (UTF-8) names; undefined if it is not one of our handles. The suffix holds
 * a number from 2 to 255, the registry's last, without leading zeros.
 */
export function ownerFromUserHandle(handle: Uint8Array): PasskeyOwner | undefined {
  // The decoder drops a byte order mark unless told to keep it.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(handle).replace(TAIL, '');
  const [suffix = '', number = String(FIRST_DEVICE)] =
    / \(([2-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\)$/.exec(text) ?? [];
  const accountId = text.slice(0, text.length - suffix.length);
  return isNearAccountId(accountId) ? { accountId, deviceNumber: Number(number) } : undefined;
}

/**
 * The user handle of a passkey. An authenticator replaces a passkey of the same rpId and handle, and its PRF secret is lost:
 * no two handles are equal. Of an account with a name: the account id, the device number from the second device on, and
 * random characters. Of an account without one (interop.md, section 14), whose id is not known before its passkey: a byte
 * that is no character of an account id, and random bytes; of a further passkey the id and the device number between them, which is
 * 1 where the first one has no record in the registry.
 */
import { base64urlnopad, hex } from '@scure/base';
import { isNearAccountId, isNearImplicitAccountId, usernameOf } from '../near/account-id.js';

const FIRST_DEVICE = 1;

/** `~` and 36 random bits in base64url. Older handles have no such tail. */
const TAIL = /~[\w-]{6}$/;

/** The first byte of a handle of an account without a name, by the device that it is of. */
const FIRST_OF_PASSKEY = 0x01;
const FURTHER_OF_PASSKEY = 0x02;
const KEY_BYTES = 32;
const RANDOM_BYTES = 16;
const FIRST_LENGTH = 1 + RANDOM_BYTES;
const FURTHER_LENGTH = 1 + KEY_BYTES + 1 + RANDOM_BYTES;

/** `alice.testnet`, or `alice.testnet (2)`. */
export function userName(accountId: string, deviceNumber: number): string {
  return deviceNumber > FIRST_DEVICE ? `${accountId} (${deviceNumber})` : accountId;
}

/**
 * A handle for a new passkey, at most 64 bytes: the user name and a random tail; without a name 17 bytes, or 50 for a further
 * device. An empty `accountId` stands for the account that the passkey itself is going to make.
 */
export function newUserHandle(accountId: string, deviceNumber: number): Uint8Array<ArrayBuffer> {
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  if (accountId === '') return Uint8Array.of(FIRST_OF_PASSKEY, ...random);
  if (isNearImplicitAccountId(accountId))
    return Uint8Array.of(FURTHER_OF_PASSKEY, ...hex.decode(accountId), deviceNumber, ...random);
  const tail = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(5))).slice(0, 6);
  return new TextEncoder().encode(`${userName(accountId, deviceNumber)}~${tail}`);
}

/** `alice`, or `alice (device 2)`. */
export function displayName(accountId: string, deviceNumber: number): string {
  const label = usernameOf(accountId);
  return deviceNumber > FIRST_DEVICE ? `${label} (device ${deviceNumber})` : label;
}

/** Longer names are cut in lists of passkeys, or refused by authenticators (Level 3, section 6.4.1). */
const MAX_LABEL = 64;

/**
 * What a list of passkeys shows for an account without a name: what the user typed, without what is invisible, or `Wallet`
 * and the date of today.
 */
export function passkeyLabel(typed = ''): string {
  const visible = typed.replace(/\p{C}/gu, '').trim();
  return [...visible].slice(0, MAX_LABEL).join('') || `Wallet ${new Date().toISOString().slice(0, 10)}`;
}

/** The account and device of a passkey. */
export interface PasskeyOwner {
  readonly accountId: string;
  readonly deviceNumber: number;
}

/** Whether the handle is of a passkey that made an account by itself: the account's id follows from the passkey's outputs. */
export function isOfOwnAccount(handle: Uint8Array): boolean {
  return handle.length === FIRST_LENGTH && handle[0] === FIRST_OF_PASSKEY;
}

/**
 * The account and device that a user handle names; undefined if it is not one of our handles, or names none
 * ({@link isOfOwnAccount}). The suffix of a handle in UTF-8 holds a number from 2 to 255, the registry's last, without
 * leading zeros.
 */
export function ownerFromUserHandle(handle: Uint8Array): PasskeyOwner | undefined {
  if (handle[0] === FURTHER_OF_PASSKEY) {
    const deviceNumber = handle[1 + KEY_BYTES] ?? 0;
    if (handle.length !== FURTHER_LENGTH || deviceNumber < FIRST_DEVICE) return undefined;
    return { accountId: hex.encode(handle.subarray(1, 1 + KEY_BYTES)), deviceNumber };
  }
  // The decoder drops a byte order mark unless told to keep it.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(handle).replace(TAIL, '');
  const [suffix = '', number = String(FIRST_DEVICE)] =
    / \(([2-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\)$/.exec(text) ?? [];
  const accountId = text.slice(0, text.length - suffix.length);
  return isNearAccountId(accountId) ? { accountId, deviceNumber: Number(number) } : undefined;
}

/** The user handle of a passkey: the account id, and from the second device on its number. */
import { accountIdProblem, usernameOf } from '../near/account-id.js';

const FIRST_DEVICE = 1;

/** `alice.testnet`, or `alice.testnet (2)`. A handle of its own keeps a device from overwriting another's passkey. */
export function userHandleText(accountId: string, deviceNumber: number): string {
  return deviceNumber > FIRST_DEVICE ? `${accountId} (${deviceNumber})` : accountId;
}

/** `alice`, or `alice (device 2)`. */
export function displayName(accountId: string, deviceNumber: number): string {
  const label = usernameOf(accountId);
  return deviceNumber > FIRST_DEVICE ? `${label} (device ${deviceNumber})` : label;
}

/** Whose passkey it is. */
export interface PasskeyOwner {
  readonly accountId: string;
  readonly deviceNumber: number;
}

/** The account and device that a user handle (UTF-8) names, or undefined when it is none of ours. */
export function ownerFromUserHandle(handle: Uint8Array): PasskeyOwner | undefined {
  const text = new TextDecoder().decode(handle);
  const [suffix = '', number = String(FIRST_DEVICE)] = / \((\d{1,3})\)$/.exec(text) ?? [];
  const accountId = text.slice(0, text.length - suffix.length);
  return accountIdProblem(accountId) ? undefined : { accountId, deviceNumber: Number(number) };
}

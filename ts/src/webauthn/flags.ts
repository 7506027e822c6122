/** What the flags of an answer's authenticator data say (W3C WebAuthn Level 3, section 6.1). */
import { base64urlnopad } from '@scure/base';
import type { PasskeyBackup } from '../types.js';
import type { WebAuthnAuthentication } from '../workers/signer-api.js';

/** The flags follow the 32 bytes of the rpId's hash. */
const FLAGS_AT = 32;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKUP_STATE = 0x10;

/** Whether the authenticator says that it verified the user: by a finger, a face or a PIN. */
export function isUserVerified(answer: WebAuthnAuthentication): boolean {
  return (flagsOf(answer) & USER_VERIFIED) !== 0;
}

/** What a passkey's answer says of its backup. */
export function backupIn(answer: WebAuthnAuthentication): PasskeyBackup {
  const flags = flagsOf(answer);
  return passkeyBackup((flags & BACKUP_ELIGIBLE) !== 0, (flags & BACKUP_STATE) !== 0);
}

export function passkeyBackup(isEligible: boolean, isBackedUp: boolean): PasskeyBackup {
  if (!isEligible) return 'device-bound';
  return isBackedUp ? 'backed-up' : 'not-backed-up';
}

/** The flags under the names of the specification. */
export interface Flags {
  readonly UP: boolean;
  readonly UV: boolean;
  readonly BE: boolean;
  readonly BS: boolean;
}

/** Those of authenticator data; undefined where it is too short to have any. */
export function flagsIn(authenticatorData: Uint8Array): Flags | undefined {
  const flags = authenticatorData[FLAGS_AT];
  if (flags === undefined) return undefined;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  return { UP: has(USER_PRESENT), UV: has(USER_VERIFIED), BE: has(BACKUP_ELIGIBLE), BS: has(BACKUP_STATE) };
}

function flagsOf({ response }: WebAuthnAuthentication): number {
  return base64urlnopad.decode(response.authenticatorData)[FLAGS_AT] ?? 0;
}

/** Whether a passkey is backed up, by the flags of the authenticator data (W3C WebAuthn Level 3, section 6.1). */
import { base64urlnopad } from '@scure/base';
import type { PasskeyBackup } from '../types.js';
import type { WebAuthnAuthentication } from '../workers/signer-api.js';

/** The flags follow the 32 bytes of the rpId's hash. */
const FLAGS_AT = 32;
const BACKUP_ELIGIBLE = 0x08;
const BACKUP_STATE = 0x10;

/** What a passkey's answer says of its backup. */
export function backupIn({ response }: WebAuthnAuthentication): PasskeyBackup {
  const flags = base64urlnopad.decode(response.authenticatorData)[FLAGS_AT] ?? 0;
  return passkeyBackup((flags & BACKUP_ELIGIBLE) !== 0, (flags & BACKUP_STATE) !== 0);
}

export function passkeyBackup(isEligible: boolean, isBackedUp: boolean): PasskeyBackup {
  if (!isEligible) return 'device-bound';
  return isBackedUp ? 'backed-up' : 'not-backed-up';
}

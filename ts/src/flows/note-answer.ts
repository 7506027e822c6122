import type { UserRecord } from '../storage/records.js';
import { backupIn } from '../webauthn/flags.js';
import type { WebAuthnAuthentication } from '../workers/signer-api.js';
import type { FlowContext } from './context.js';
import type { Asking } from './verified-passkey.js';
import { warn } from './warn.js';

/**
 * Keeps what the passkey says of itself, which may change from one answer to the next, and how it has to be asked. Never
 * rejects.
 */
export async function noteAnswer(
  { store, config }: Pick<FlowContext, 'store' | 'config'>,
  user: UserRecord,
  authentication: WebAuthnAuthentication,
  { verifiesUnnamed }: Asking,
  passkeyProven: boolean,
): Promise<void> {
  const passkeyAttachment = authentication.authenticatorAttachment ?? user.passkeyAttachment;
  const said = {
    passkeyBackup: backupIn(authentication),
    ...(passkeyAttachment && { passkeyAttachment }),
    verifiesUnnamed,
    passkeyProven,
  };
  const known = { verifiesUnnamed: false, passkeyProven: false, ...user };
  if (Object.entries(said).every(([name, value]) => known[name as keyof typeof said] === value)) return;
  await store.updateUser(user.nearAccountId, user.deviceNumber, said).catch((error: unknown) => {
    warn(config, 'What the passkey said could not be stored', error);
  });
}

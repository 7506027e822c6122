/** The VRF keypair under the relay's lock: set, and renewed when the relay changed its key. */
import { LatchkeyError, messageOf } from '../errors.js';
import type { ServerEncryptedVrfKeypair, UserRecord } from '../storage/records.js';
import type { FlowContext } from './context.js';

/** Locks the account's keypair, which is in the VRF worker's memory: one relay call. */
export async function lockCurrentKeypair(
  { vrf }: FlowContext,
  accountId: string,
  signal: AbortSignal,
): Promise<ServerEncryptedVrfKeypair> {
  const locked = await vrf.call('encryptCurrentWithServerLock', [], { signal });
  // Another account may have logged in meanwhile: its key must not be stored as this one's.
  const { accountId: lockedFor } = await vrf.call('status', []);
  if (lockedFor !== accountId) throw new LatchkeyError('NOT_LOGGED_IN');
  return { ...locked, updatedAt: Date.now() };
}

/** The relay's current lock key. Throws SERVER_LOCK_MISMATCH when it works in another group than ours. */
export async function currentLockKey(
  { relay, config }: FlowContext,
  signal: AbortSignal,
): Promise<string | null> {
  const info = await relay.keyInfo(signal);
  if (info.p_b64u !== config.shamir3pass?.p) throw new LatchkeyError('SERVER_LOCK_MISMATCH');
  return info.currentKeyId;
}

/** Locks the keypair anew, unless the relay's key is not known. Never fails a login. */
export async function relock(
  context: FlowContext,
  user: UserRecord,
  currentKeyId: string | null,
  signal: AbortSignal,
): Promise<void> {
  if (!currentKeyId) return;
  try {
    const serverEncryptedVrfKeypair = await lockCurrentKeypair(context, user.nearAccountId, signal);
    await context.store.updateUser(user.nearAccountId, user.deviceNumber, { serverEncryptedVrfKeypair });
  } catch (error) {
    context.config.logger.warn('The server lock was not renewed', messageOf(error));
  }
}

/** The VRF keypair under the relay's lock: applied, and renewed when the relay changed its key. */
import {
  LatchkeyError,
  NOT_LOGGED_IN,
  SERVER_LOCK_MISMATCH,
  VRF_UNLOCK_FAILED,
} from '../../errors/wallet.js';
import type { ServerEncryptedVrfKeypair, UserRecord } from '../../storage/records.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';

/** Locks the account's keypair, which is in the VRF worker's memory: one relay call. */
export async function lockCurrentKeypair(
  { vrf }: FlowContext,
  accountId: string,
  signal: AbortSignal,
): Promise<ServerEncryptedVrfKeypair> {
  const locked = await vrf.call('encryptCurrentWithServerLock', [], { signal });
  // Another account may have logged in meanwhile: its key must not be stored as this one's.
  const { accountId: lockedFor } = await vrf.call('status', []);
  if (lockedFor !== accountId) throw new LatchkeyError(NOT_LOGGED_IN);
  return { ...locked, updatedAt: Date.now() };
}

/**
 * Removes the relay's lock; the session then belongs to the account. Throws VRF_UNLOCK_FAILED when the lock held
 * another key, which is then in memory.
 */
export async function openServerLock(
  { vrf }: FlowContext,
  accountId: string,
  { ciphertextVrfB64u, kek_s_b64u, serverKeyId }: ServerEncryptedVrfKeypair,
  vrfPublicKeys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const locked = { ciphertextVrfB64u, kek_s_b64u, serverKeyId };
  const { vrfPublicKey } = await vrf.call('unlockWithServerLock', [accountId, locked], { signal });
  if (!vrfPublicKeys.includes(vrfPublicKey)) throw new LatchkeyError(VRF_UNLOCK_FAILED);
}

/**
 * Returns the relay's current lock key. Throws SERVER_LOCK_MISMATCH when the relay works in another group than ours.
 */
export async function currentLockKey(
  { relay, config }: FlowContext,
  signal: AbortSignal,
): Promise<string | null> {
  const info = await relay.keyInfo(signal);
  if (info.p_b64u !== config.shamir3pass?.p) throw new LatchkeyError(SERVER_LOCK_MISMATCH);
  return info.currentKeyId;
}

/** Locks the keypair with the relay's current key, where the relay answers. Never fails what came before. */
export async function lockAnew(context: FlowContext, user: UserRecord, signal: AbortSignal): Promise<void> {
  if (!context.config.shamir3pass) return;
  const keyId = await currentLockKey(context, signal).catch((error: unknown) => {
    warn(context.config, 'The server lock could not be checked', error);
    return null;
  });
  await relock(context, user, keyId, signal);
}

/** Locks the keypair again, unless the relay's key is unknown. Never fails a login. */
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
    if (!signal.aborted) warn(context.config, 'The server lock was not renewed', error);
  }
}

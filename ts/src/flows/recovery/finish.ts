/** The end of a recovery: the records stored here, all or none, and the session. */
import { IN_MEMORY_TEXT } from '../../errors/in-memory.js';
import type { DeviceRecords } from '../../storage/records.js';
import type { RecoveryResult } from '../../types.js';
import type { FlowContext } from '../context.js';
import { hiddenAddresses } from '../hidden-address.js';
import type { Run } from '../run.js';
import { lockAnew } from '../session/server-lock.js';
import { getLoginState } from '../session/session.js';

/** `own` has the VRF worker with the account's keypair, which becomes the session's unless a logout came meanwhile. */
export async function finishRecovery(
  context: FlowContext,
  own: FlowContext,
  { user, ...records }: DeviceRecords,
  { emit, signal }: Run<'recovery'>,
): Promise<RecoveryResult> {
  const { store } = context;
  const { nearAccountId: accountId, clientNearPublicKey: publicKey } = user;
  signal.throwIfAborted();
  await store.replaceDevice({ ...records, user: { ...user, lastLogin: Date.now() } });
  await hiddenAddresses(store).read();
  emit('authenticator-saved', 'success', store.isInMemory ? IN_MEMORY_TEXT : 'Keys stored on this device');

  await lockAnew(own, user, signal);
  if (!signal.aborted) context.vrf.takeOver(own.vrf);
  const message = `Account ${accountId} recovered successfully!`;
  const loginState = await getLoginState(context, accountId);
  emit('account-recovery-complete', 'success', message);
  return { success: true, accountId, publicKey, message, loginState };
}

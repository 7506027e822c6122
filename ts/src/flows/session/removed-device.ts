/** A device whose key another device has removed. */
import { isLatchkeyError } from '../../errors/latchkey-error.js';
import type { UserRecord } from '../../storage/records.js';
import type { FlowContext } from '../context.js';
import { viewOwnKey } from '../signing/transaction-contexts.js';
import { warn } from '../warn.js';
import { logout } from './session.js';

/** Ends the session when a second look, agreed among nodes, finds no key of this device either: it can sign nothing. */
export async function logoutIfRemoved(
  context: FlowContext,
  { nearAccountId, clientNearPublicKey }: UserRecord,
): Promise<void> {
  try {
    await viewOwnKey(context.rpc, nearAccountId, clientNearPublicKey, { agreed: true, certain: true });
  } catch (error) {
    if (isLatchkeyError(error, 'DEVICE_KEY_REMOVED')) await logout(context);
    else warn(context.config, 'The key of this device could not be looked up again', error);
  }
}

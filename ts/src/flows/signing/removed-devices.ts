/** Which of the account's devices a signing removes: their keys say nothing to a user. */
import type { RemovedDeviceModel } from '../../confirm/port.js';
import { authenticatorsOf } from '../../registry/registry.js';
import type { Action, TransactionRequest } from '../../types.js';
import { userName } from '../../webauthn/user-handle.js';
import type { FlowContext } from '../context.js';

/**
 * Asks the registry only where a transaction may remove a device. A linking adds its temporary key and deletes it in one
 * batch: that key is no device.
 */
export async function removedDevices(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
  temporaryKey?: string,
): Promise<readonly RemovedDeviceModel[]> {
  const actionsFor = (receiver: string): readonly Action[] =>
    transactions.filter(({ receiverId }) => receiverId === receiver).flatMap(({ actions }) => actions);
  const keys = actionsFor(accountId).flatMap((action) =>
    action.type === 'DeleteKey' && action.publicKey !== temporaryKey ? [action.publicKey] : [],
  );
  const credentials = actionsFor(context.config.contractId).flatMap(removedCredential);
  if (keys.length + credentials.length === 0) return [];
  const [registered, user] = await Promise.all([
    authenticatorsOf(context, accountId, undefined, { afterWrites: true }),
    context.store.user(accountId),
  ]);
  return registered
    .filter(
      ([id, { near_public_key: key }]) => credentials.includes(id) || (key !== null && keys.includes(key)),
    )
    .map(([id, { device_number: deviceNumber, registered: registeredAt }]) => ({
      deviceNumber,
      registeredAt,
      passkeyName: userName(accountId, deviceNumber),
      isCurrent: id === user?.passkeyCredential.id,
    }));
}

/** The credential that a call of the registry removes. */
function removedCredential(action: Action): readonly string[] {
  if (action.type !== 'FunctionCall' || action.methodName !== 'remove_authenticator') return [];
  if (typeof action.args !== 'string') return [];
  try {
    const { credential_id: id } = JSON.parse(action.args);
    return typeof id === 'string' ? [id] : [];
  } catch {
    // The registry refuses such a call.
    return [];
  }
}

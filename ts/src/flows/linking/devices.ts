/** Everything that can sign for an account with full access: its devices in the registry, and the chain's keys. */

import { AUTHENTICATORS_FAILED, isLatchkeyError, LatchkeyError } from '../../errors/account.js';
import { assertExistingAccountId, isNearImplicitAccountId } from '../../near/account-id.js';
import { type GasKeyView, gasKeyView, isFullAccessView, rpcFailure } from '../../near/index.js';
import {
  authenticatorsOf,
  type KeyList,
  keysOf,
  type RegistryAuthenticator,
} from '../../registry/registry.js';
import type { UserRecord } from '../../storage/records.js';
import type { GasKey, LinkedDevice, LinkedDevices } from '../../types.js';
import type { FlowContext } from '../context.js';

/** Lists the account's devices and keys. Throws INVALID_ACCOUNT_ID or AUTHENTICATORS_FAILED. */
export async function getLinkedDevices(context: FlowContext, accountId: string): Promise<LinkedDevices> {
  try {
    assertExistingAccountId(accountId);
    return await read(context, accountId);
  } catch (error) {
    if (isLatchkeyError(error, 'INVALID_ACCOUNT_ID')) throw error;
    throw new LatchkeyError(AUTHENTICATORS_FAILED, { cause: error });
  }
}

async function read(context: FlowContext, accountId: string): Promise<LinkedDevices> {
  const { store } = context;
  const [authenticators, { keys }, user, deletions] = await Promise.all([
    authenticatorsOf(context, accountId, undefined, { afterWrites: true }),
    keysOfAccount(context, accountId),
    store.user(accountId),
    store.journal.entries('deletion'),
  ]);
  const fullAccess = new Set(
    keys.filter(({ access_key: key }) => isFullAccessView(key)).map(({ public_key: key }) => key),
  );
  const currentCredential = user?.passkeyCredential.id;
  const recorded = authenticators.map(([credentialId, record]) => ({
    ...toDevice(credentialId, record, fullAccess),
    isCurrent: credentialId === currentCredential,
  }));
  const isUnrecorded = isNearImplicitAccountId(accountId) && !recorded.some(({ isCurrent }) => isCurrent);
  const devices = [
    ...(user && isUnrecorded ? unrecordedDevice(user, fullAccess) : []),
    ...recorded.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || a.deviceNumber - b.deviceNumber),
  ];

  const ofDevices = new Set(devices.map(({ registeredKey }) => registeredKey));
  const temporaryKeys = (user ? deletions : [])
    .filter((entry) => entry.accountId === accountId && fullAccess.has(entry.publicKey))
    .filter(({ publicKey }) => !ofDevices.has(publicKey))
    .map(({ publicKey, dueAt }) => ({ publicKey, dueAt: dueAt ?? null }));
  const temporary = new Set(temporaryKeys.map(({ publicKey }) => publicKey));
  const otherKeys = [...fullAccess].filter((key) => !ofDevices.has(key) && !temporary.has(key));
  const recoveryKeys = otherKeys.filter((key) => user?.recoveryKeys?.includes(key));
  const gasKeys = keys.flatMap(({ public_key: key, access_key: access }) =>
    toGasKey(key, gasKeyView(access)),
  );
  return {
    accountId,
    devices,
    temporaryKeys,
    otherKeys,
    ...(recoveryKeys.length > 0 && { recoveryKeys }),
    ...(gasKeys.length > 0 && { gasKeys }),
  };
}

/** The account's keys; none before the first money of an account without a name. */
async function keysOfAccount(context: FlowContext, accountId: string): Promise<Pick<KeyList, 'keys'>> {
  try {
    return await keysOf(context, accountId, undefined, { afterWrites: true });
  } catch (error) {
    if (isNearImplicitAccountId(accountId) && rpcFailure(error)?.kind === 'unknown_account')
      return { keys: [] };
    throw error;
  }
}

/** This device of an account without a name, whose passkey the registry does not have; none where its key was removed. */
function unrecordedDevice(
  { deviceNumber, clientNearPublicKey: key, passkeyCredential, registeredAt }: UserRecord,
  fullAccess: ReadonlySet<string>,
): LinkedDevice[] {
  if (fullAccess.size > 0 && !fullAccess.has(key)) return [];
  return [
    {
      deviceNumber,
      name: `Device ${deviceNumber}`,
      credentialId: passkeyCredential.id,
      registeredAt,
      isCurrent: true,
      accessKey: fullAccess.has(key) ? key : null,
      registeredKey: key,
      isUnrecorded: true,
    },
  ];
}

function toGasKey(publicKey: string, view: GasKeyView | undefined): GasKey[] {
  if (!view) return [];
  const { balance: balanceYocto, num_nonces: lanes, receiver_id: receiverId = null } = view;
  return [{ publicKey, balanceYocto, lanes, receiverId }];
}

function toDevice(
  credentialId: string,
  { device_number: deviceNumber, near_public_key: key, registered: registeredAt }: RegistryAuthenticator,
  fullAccess: ReadonlySet<string>,
): Omit<LinkedDevice, 'isCurrent'> {
  return {
    deviceNumber,
    name: `Device ${deviceNumber}`,
    credentialId,
    registeredAt,
    accessKey: key !== null && fullAccess.has(key) ? key : null,
    registeredKey: key,
  };
}

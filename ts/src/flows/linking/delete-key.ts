/**
 * Deletes a key of the account, and the registration of the device that it belongs to, in one approval. The
 * registration goes first. Otherwise devices that remove each other at the same time, two or more in a circle, would
 * each delete the next one's key in one block, and no one could ever sign for the account again. The registry refuses
 * the last of the removals, since it keeps the last device, and a refused device deletes no key: it stays, with its
 * key. Repeating the call finishes what an interruption left.
 */

import {
  ACCESS_KEY_NOT_FOUND,
  DEVICE_KEY_LEFT,
  isLatchkeyError,
  LAST_ACCESS_KEY,
  LAST_DEVICE,
  LAST_FULL_ACCESS_KEY,
  LatchkeyError,
  OWN_DEVICE_KEY,
  toLatchkeyError,
} from '../../errors/account.js';
import { assertExistingAccountId } from '../../near/account-id.js';
import { keyHandle } from '../../near/key-handle.js';
import { changeDeposit } from '../../registry/linking.js';
import { authenticatorsOf, keysOf } from '../../registry/registry.js';
import type { Action, ActionResult, DeleteDeviceKeyOptions, TransactionInput } from '../../types.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { deletionOf, unlessChanged } from '../key-deletion.js';
import { type Run, runFlow } from '../run.js';
import { reportFailedAction } from '../signing/action-result.js';
import { assertPublicKey } from '../signing/actions.js';
import { sendOne, signingAndSending } from '../signing/sign-and-send.js';
import { joiningDeletions } from './deletion-joining.js';
import { forgetPasskeys, type RemovedCredential } from './forget-passkeys.js';

/** The key to delete and its registrations. */
interface Removal {
  /** Takes the key off the account; empty where an interrupted earlier try did. */
  readonly deletion: readonly Action[];
  /** The registrations that name the key, by credential id. */
  readonly credentials: readonly RemovedCredential[];
  /** What each removal of a registration attaches, in yoctoNEAR. */
  readonly deposit: string;
}

export async function deleteDeviceKey(
  context: FlowContext,
  accountId: string,
  publicKey: string,
  options: DeleteDeviceKeyOptions,
): Promise<ActionResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      assertExistingAccountId(accountId);
      assertPublicKey('deleteDeviceKey', publicKey);
      const { result, removal } = await unlessChanged(() =>
        readAndRemove(context, accountId, publicKey, options, run),
      );
      const transactionId = result.transactionId;
      run.emit('action-complete', 'success', 'The key is deleted', { data: { transactionId } });
      void forgetPasskeys(context, accountId, removal.credentials);
      return result;
    },
    reportFailedAction,
  );
}

async function readAndRemove(
  context: FlowContext,
  accountId: string,
  publicKey: string,
  options: DeleteDeviceKeyOptions,
  run: Run<'action'>,
): Promise<{ readonly result: ActionResult; readonly removal: Removal }> {
  const reading = whatToRemove(context, accountId, publicKey, run.signal);
  const removal = await beforeAsking(context, run.signal, reading, () =>
    run.emit('preparation', 'progress', 'Waiting for the network', { data: { waiting: true } }),
  );
  return { result: await remove(context, accountId, publicKey, removal, options, run), removal };
}

/** Refuses what would lock the account out, or does not exist. */
async function whatToRemove(
  context: FlowContext,
  accountId: string,
  publicKey: string,
  signal: AbortSignal,
): Promise<Removal> {
  const handle = await keyHandle(publicKey);
  const [{ keys }, authenticators, user, deposit] = await Promise.all([
    keysOf(context, accountId, signal, {
      afterWrites: true,
      isNo: ({ keys }) => !keys.some(({ public_key: key }) => key === handle),
    }),
    authenticatorsOf(context, accountId, signal, { afterWrites: true }),
    context.store.user(accountId),
    changeDeposit(context),
  ]);
  const named = authenticators.filter(([, { near_public_key: key }]) => key === publicKey);
  const found = keys.find(({ public_key: key }) => key === handle);
  if (!found && named.length === 0) {
    throw new LatchkeyError(ACCESS_KEY_NOT_FOUND, { values: { key: publicKey, account: accountId } });
  }
  if (found) {
    if (keys.length === 1) throw new LatchkeyError(LAST_ACCESS_KEY);
    const remaining = keys.filter(({ public_key: key }) => key !== handle);
    if (!remaining.some(({ access_key: { permission } }) => permission === 'FullAccess')) {
      throw new LatchkeyError(LAST_FULL_ACCESS_KEY);
    }
  }
  if (named.length > 0 && named.length === authenticators.length) throw new LatchkeyError(LAST_DEVICE);
  if (publicKey === user?.clientNearPublicKey) throw new LatchkeyError(OWN_DEVICE_KEY);
  const credentials = named.map(([id, { expected_rp_id: rpId, device_number: deviceNumber }]) => ({
    id,
    rpId,
    deviceNumber,
  }));
  const deletion = found ? deletionOf(publicKey, found.access_key) : [];
  return { deletion, credentials, deposit };
}

async function remove(
  context: FlowContext,
  accountId: string,
  publicKey: string,
  { deletion, credentials, deposit }: Removal,
  { confirmationConfig }: DeleteDeviceKeyOptions,
  run: Run<'action'>,
): Promise<ActionResult> {
  const isKeyThere = deletion.length > 0;
  const keys = isKeyThere ? [{ receiverId: accountId, actions: deletion }] : [];
  const registrations = credentials.map(({ id }) => ({
    receiverId: context.config.contractId,
    actions: [
      {
        type: 'FunctionCall',
        methodName: 'remove_authenticator',
        args: { credential_id: id },
        deposit,
      } as const,
    ],
  }));
  const own: readonly TransactionInput[] = [...registrations, ...keys];
  const joining = (id: string) => joiningDeletions(context, id, publicKey);
  const toSign = { accountId, transactions: own, confirmationConfig };
  return signingAndSending({ ...context, joining }, toSign, run, async (batch) => {
    const results: ActionResult[] = [];
    for (const index of own.keys()) {
      try {
        const until = { waitUntil: 'INCLUDED_FINAL', untilEnded: true } as const;
        results.push(await sendOne(context, batch, index, until, run));
      } catch (error) {
        if (!isKeyThere || index === 0 || isUnderWay(error)) throw error;
        throw keyLeft(error);
      }
    }
    // The transaction of the key's deletion, where there was one.
    return results[isKeyThere ? results.length - 1 : 0] as ActionResult;
  });
}

/** The chain has the DeleteKey: the key goes, even if the wait for it ended early. */
function isUnderWay(error: unknown): boolean {
  return isLatchkeyError(error) && error.details.fate === 'sent';
}

function keyLeft(thrown: unknown): LatchkeyError {
  const cause = toLatchkeyError(thrown, 'Sending');
  return new LatchkeyError(DEVICE_KEY_LEFT, {
    values: { reason: cause.message },
    details: cause.details,
    cause,
  });
}

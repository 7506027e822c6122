import { isLatchkeyError } from '../../errors/latchkey-error.js';
import { failedAction } from '../../failed-results.js';
import type { AppKeyDeletion, AppKeyEntry } from '../../storage/records.js';
import type {
  Action,
  ActionOptions,
  AppKeyResult,
  AppKeyToMake,
  FunctionCallPermission,
} from '../../types.js';
import type { FlowContext } from '../context.js';
import { watchDeletion } from '../linking/deletion.js';
import { runFlow } from '../run.js';
import { requireSession } from '../session/session.js';
import { emitFailure, endText } from '../signing/action-result.js';
import { hold } from '../signing/batch-journal.js';
import { hasGasKeys } from '../signing/network-features.js';
import { approveAndSend } from './approve-change.js';
import { checkedBounds, checkedPrepaid, type Prepaid } from './bounds.js';
import { assertExpiry, dropExpiry, noteExpiry } from './expiry.js';
import { inSigner } from './in-signer.js';
import { appKeyMutex, keepAppKey, sealedName } from './settle-app-keys.js';

/** Makes a key, adds it to the account with one confirmation and one prompt, and keeps it on this device. */
export async function addAppKey(
  context: FlowContext,
  accountId: string,
  toMake: AppKeyToMake,
  options: ActionOptions<AppKeyResult>,
): Promise<AppKeyResult> {
  let publicKey: string | null = null;
  let isPending = false;
  return runFlow(
    'action',
    options,
    async (run) => {
      const { store } = context;
      const prepaid = checkedPrepaid(toMake);
      const bounds = checkedBounds(
        prepaid ? { ...toMake, allowance: prepaid.deposit } : toMake,
        context.config.contractId,
      );
      const { expiresAt } = toMake;
      assertExpiry(expiresAt);
      const { deviceNumber } = await requireSession(context, accountId);
      const isGasKey = prepaid !== undefined && (await hasGasKeys(context));
      const wrappingKey = await store.sealedKeys.wrappingKey();
      const sealed = await inSigner(context, run, (signer) =>
        signer.call('makeSealedKeyPair', [wrappingKey]),
      );
      publicKey = sealed.publicKey;
      const { receiverId } = bounds;
      const key = { accountId, publicKey: sealed.publicKey };
      const ends = expiresAt !== undefined && { expiresAt };
      const appKey = { receiverId, name: sealedName(store, key, receiverId), deviceNumber };
      const actions = additionOf(sealed.publicKey, bounds, isGasKey ? prepaid : undefined);
      const appKeys = ends && [
        { publicKey: sealed.publicKey, receiverId, ...ends, change: 'added' as const },
      ];
      let entry: AppKeyEntry | undefined;
      let end: AppKeyDeletion | undefined;
      const release = await hold(appKeyMutex(sealed.publicKey));
      try {
        const toSign = { ...key, actions, ...(appKeys && { appKeys }) };
        const result = await approveAndSend(context, toSign, options, run, async (copy, blockHeight) => {
          const { nonce, publicKey: signerKey } = copy.transaction;
          if (ends) end = await noteExpiry(store, { ...key, appKey, ...ends, signerKey }, copy, blockHeight);
          entry = {
            kind: 'appKey',
            accountId,
            deviceNumber,
            receiverId,
            sealed,
            ...ends,
            signedBy: signerKey,
            transaction: {
              transactionId: copy.hash,
              receiverId: accountId,
              nonce,
              blockHeight,
              fate: 'unknown',
            },
            createdAt: Date.now(),
          };
          // From here on the chain may have the key, so it is stored first.
          if (!(await store.journal.open(entry))) await store.journal.update(entry, entry);
        });
        if (entry) await keepAppKey(store, entry);
        run.emit('action-complete', 'success', endText(result), {
          data: { transactionId: result.transactionId },
        });
        return { ...result, publicKey };
      } catch (error) {
        isPending = entry !== undefined && isLatchkeyError(error) && error.details.fate === 'unknown';
        if (entry && isNeverOnChain(error))
          await Promise.all([store.journal.drop(entry), dropExpiry(store, key)]);
        throw error;
      } finally {
        release();
        if (end) watchDeletion(context, end);
      }
    },
    (error, run) => {
      emitFailure(error, run);
      return { ...failedAction(error), publicKey, ...(isPending && { pending: true }) };
    },
  );
}

/** A gas key is filled in the transaction that adds it; without gas keys its amount is the allowance. */
function additionOf(
  publicKey: string,
  bounds: FunctionCallPermission,
  prepaid: Prepaid | undefined,
): readonly Action[] {
  if (!prepaid) return [{ type: 'AddKey', publicKey, accessKey: { permission: { FunctionCall: bounds } } }];
  const { receiverId, methodNames } = bounds;
  const { deposit, numNonces } = prepaid;
  const permission = { GasKeyFunctionCall: { numNonces, receiverId, methodNames } };
  return [
    { type: 'AddKey', publicKey, accessKey: { permission } },
    { type: 'TransferToGasKey', publicKey, deposit },
  ];
}

/** Whether the chain will never have the key of this transaction. */
function isNeverOnChain(error: unknown): boolean {
  const fate = isLatchkeyError(error) ? error.details.fate : undefined;
  return fate === 'refused' || fate === 'failed' || fate === 'not-sent';
}

import { isLatchkeyError, toLatchkeyError } from '../../errors/core.js';
import { failedAction } from '../../failed-results.js';
import type { AppKeyDeletion, AppKeyEntry } from '../../storage/records.js';
import type {
  Action,
  ActionResult,
  AddAppKeyOptions,
  AppKeyResult,
  AppKeyToMake,
  FunctionCallPermission,
} from '../../types.js';
import type { FlowContext } from '../context.js';
import { watchDeletion } from '../linking/deletion.js';
import { type Run, runFlow } from '../run.js';
import { requireSession } from '../session/session.js';
import { emitFailure, endText } from '../signing/action-result.js';
import { hold } from '../signing/batch-journal.js';
import { hasGasKeys } from '../signing/network-features.js';
import { approveAndSend } from './approve-change.js';
import { checkedBounds, checkedPrepaid, checkedVoucher, noGasKeys, type Prepaid } from './bounds.js';
import { assertExpiry, dropExpiry, noteExpiry } from './expiry.js';
import { askRelay, type RelayPayment } from './fund-app-key.js';
import { inSigner } from './in-signer.js';
import { appKeyMutex, keepAppKey, sealedName } from './settle-app-keys.js';

/** Makes a key, adds it to the account with one confirmation and one prompt, and keeps it on this device. */
export async function addAppKey(
  context: FlowContext,
  accountId: string,
  toMake: AppKeyToMake,
  options: AddAppKeyOptions,
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
      const { expiresAt, paidBy } = toMake;
      const voucher = paidBy === 'relay' ? checkedVoucher(options) : undefined;
      assertExpiry(expiresAt);
      const { deviceNumber } = await requireSession(context, accountId);
      const isGasKey = prepaid !== undefined && (await hasGasKeys(context));
      if (voucher !== undefined && !isGasKey) throw noGasKeys();
      const wrappingKey = await store.sealedKeys.wrappingKey();
      const sealed = await inSigner(context, run, (signer) =>
        signer.call('makeSealedKeyPair', [wrappingKey]),
      );
      publicKey = sealed.publicKey;
      const { receiverId } = bounds;
      const key = { accountId, publicKey: sealed.publicKey };
      const ends = expiresAt !== undefined && { expiresAt };
      const appKey = { receiverId, name: sealedName(store, key, receiverId), deviceNumber };
      const actions = additionOf(sealed.publicKey, bounds, isGasKey ? prepaid : undefined, paidBy);
      const byRelay = prepaid && voucher !== undefined && { amount: prepaid.deposit, voucher };
      const shown = {
        ...ends,
        ...(byRelay && {
          paidByRelay: { amountYocto: byRelay.amount, relay: new URL(context.config.relayer.url).host },
        }),
      };
      const appKeys = (ends || byRelay) && [
        { publicKey: sealed.publicKey, receiverId, ...shown, change: 'added' as const },
      ];
      let entry: AppKeyEntry | undefined;
      let end: AppKeyDeletion | undefined;
      const release = await hold(appKeyMutex(sealed.publicKey));
      try {
        const toSign = { ...key, actions, ...(appKeys && { appKeys }) };
        const result = await approveAndSend(
          context,
          toSign,
          byRelay ? executed(options) : options,
          run,
          async (copy, blockHeight) => {
            const { nonce, publicKey: signerKey } = copy.transaction;
            if (ends)
              end = await noteExpiry(store, { ...key, appKey, ...ends, signerKey }, copy, blockHeight);
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
          },
        );
        if (entry) await keepAppKey(store, entry);
        const funding = byRelay && (await funded(context, { ...key, ...byRelay }, run));
        run.emit('action-complete', 'success', endText(result), {
          data: { transactionId: result.transactionId },
        });
        return { ...result, publicKey, ...(funding && { funding }) };
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

/** What became of the relay's payment. The key is on the account by now, whatever the relay does. */
function funded(context: FlowContext, payment: RelayPayment, run: Run<'action'>): Promise<ActionResult> {
  return askRelay(context, payment, run).catch((error: unknown) =>
    failedAction(toLatchkeyError(error, 'Sending')),
  );
}

/** The relay reads the key on the chain before it pays. */
function executed(options: AddAppKeyOptions): AddAppKeyOptions {
  const { waitUntil } = options;
  return waitUntil === 'FINAL' || waitUntil === 'EXECUTED' ? options : { ...options, waitUntil: undefined };
}

/** A gas key is filled in the transaction that adds it, or later by the relay; without gas keys its amount is the allowance. */
function additionOf(
  publicKey: string,
  bounds: FunctionCallPermission,
  prepaid: Prepaid | undefined,
  paidBy: AppKeyToMake['paidBy'],
): readonly Action[] {
  if (!prepaid) return [{ type: 'AddKey', publicKey, accessKey: { permission: { FunctionCall: bounds } } }];
  const { receiverId, methodNames } = bounds;
  const { deposit, numNonces } = prepaid;
  const permission = { GasKeyFunctionCall: { numNonces, receiverId, methodNames } };
  const addition: Action = { type: 'AddKey', publicKey, accessKey: { permission } };
  return paidBy === 'relay' ? [addition] : [addition, { type: 'TransferToGasKey', publicKey, deposit }];
}

/** Whether the chain will never have the key of this transaction. */
function isNeverOnChain(error: unknown): boolean {
  const fate = isLatchkeyError(error) ? error.details.fate : undefined;
  return fate === 'refused' || fate === 'failed' || fate === 'not-sent';
}

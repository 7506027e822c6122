/** Sends signed transactions, tells what became of each, and has a stale nonce signed again. Logs what was sent. */
import { errorFrom, LatchkeyError, TRANSACTION_EXECUTED, toLatchkeyError } from '../../errors/wallet.js';
import {
  describeChainError,
  executionFailure,
  reachedNonce,
  type TransactionOutcome,
} from '../../near/index.js';
import { noteOutcome, type RefusedCopy, sendUntilTaken } from '../../near/send.js';
import type { WalletStore } from '../../storage/store.js';
import type { ActionResult, SignedTransaction, TransactionFate, WaitUntil } from '../../types.js';
import type { ActivityLog, FlowContext } from '../context.js';
import type { Run } from '../run.js';

export interface SendSignedOptions {
  /** Default EXECUTED_OPTIMISTIC. */
  readonly waitUntil?: WaitUntil | undefined;
  /** Also wait until the transaction's own call has ended; not for what it started. */
  readonly untilEnded?: boolean | undefined;
  /** Its signal ends the wait, not what was sent. */
  readonly run: Pick<Run<'action'>, 'signal'>;
  /**
   * Signs the transaction again, with the next nonce and the newest block, after the chain refused this copy as overtaken
   * and will never take it. Without `resign`, that is an error.
   */
  readonly resign?: ((refused: SignedTransaction) => Promise<SignedTransaction>) | undefined;
  /** Called before each copy leaves. */
  readonly onSend?: ((copy: SignedTransaction) => void | Promise<void>) | undefined;
}

/**
 * Sends a transaction signed by any key. Resolves when the chain has executed it, or earlier as `waitUntil` says.
 * Every error carries `details.transactionId` and `details.fate`, so that the caller can look up what left the wallet.
 */
export async function sendSigned(
  context: Pick<FlowContext, 'rpc' | 'contexts' | 'activity'>,
  signed: SignedTransaction,
  options: SendSignedOptions,
): Promise<ActionResult> {
  const { activity } = context;
  if (!activity) return sendAndJudge(context, signed, options);
  const accountId = signed.transaction.signerId;
  let replaces: string | undefined;
  const onSend = async (copy: SignedTransaction): Promise<void> => {
    await options.onSend?.(copy);
    activity.leaves({ ...copy.transaction, accountId, transactionId: copy.hash, replaces });
    replaces = copy.hash;
  };
  try {
    const result = await sendAndJudge(context, signed, { ...options, onSend });
    activity.settles(accountId, result.transactionId ?? signed.hash, result.fate ?? 'sent');
    return result;
  } catch (error) {
    const { transactionId, fate } = toLatchkeyError(error, 'Sending').details;
    activity.settles(accountId, String(transactionId), fate as TransactionFate);
    throw error;
  }
}

async function sendAndJudge(
  { rpc, contexts }: Pick<FlowContext, 'rpc' | 'contexts'>,
  signed: SignedTransaction,
  { waitUntil, untilEnded, run: { signal }, resign, onSend }: SendSignedOptions,
): Promise<ActionResult> {
  const sign = async (refused?: RefusedCopy<SignedTransaction>): Promise<SignedTransaction> => {
    if (!refused || !resign) return signed;
    const { copy, failure } = refused;
    const reached = reachedNonce(failure);
    if (reached !== undefined) {
      // The node that refused may be ahead of the one that reads the nonce.
      const { signerId, publicKey } = copy.transaction;
      contexts.overtaken(signerId, publicKey, reached, laneOf(copy));
    }
    return resign(copy).catch((cause: unknown) => {
      throw tell(toLatchkeyError(cause, 'Signing'), copy.hash, 'refused');
    });
  };
  const settled = await sendUntilTaken(rpc, {
    level: waitUntil,
    sending: { signal, ...(untilEnded && { untilEnded }) },
    signal,
    sign,
    ...(onSend && { leaves: onSend }),
    ...(!resign && { mostCopies: 1 }),
  });
  if (!('outcome' in settled)) throw tell(settled.error, settled.copy.hash, settled.fate);
  // Later views must have reached this write.
  noteOutcome(rpc, settled.outcome);
  return toResult(settled.outcome, settled.fate);
}

/** The lane of the gas key that signed; undefined for any other key. */
export function laneOf({ transaction }: SignedTransaction): number | undefined {
  return transaction.version1?.lane ?? undefined;
}

/** The same error with the transaction's id and what became of it. */
function tell(error: unknown, transactionId: string, fate: TransactionFate): LatchkeyError {
  const known = toLatchkeyError(error, 'Sending');
  const details = { transactionId, fate, ...known.details };
  return errorFrom({ code: known.code, message: known.message, values: known.values, cause: known, details });
}

/** The result of an execution; a failed one throws an error with the transaction's id. */
function toResult(outcome: TransactionOutcome, fate: TransactionFate): ActionResult {
  const failed = executionFailure(outcome);
  const { transactionId } = outcome;
  if (failed) {
    throw new LatchkeyError(TRANSACTION_EXECUTED, {
      values: { reason: describeChainError(failed), fate: 'failed' },
      details: { transactionId, outcome, fate },
    });
  }
  return { success: true, fate, transactionId, result: outcome };
}

export interface ActivityLogOptions {
  readonly store: WalletStore;
  /** The app that asks; undefined on the wallet's own page. */
  readonly host: string | undefined;
  /** Gets what could not be written: the log stops nothing. */
  readonly failed: (error: unknown) => void;
}

export function createActivityLog({ store, host, failed }: ActivityLogOptions): ActivityLog {
  // One write after the other: a fate is noted in an entry that is there.
  let writing: Promise<unknown> = Promise.resolve();
  const write = (work: (log: typeof import('../../storage/activity.js')) => Promise<void>): void => {
    writing = writing.then(async () => work(await import('../../storage/activity.js'))).catch(failed);
  };
  return {
    leaves: (leaving) => write((log) => log.noteLeaving(store, { ...leaving, host })),
    settles: (accountId, transactionId, fate) =>
      write((log) => log.noteFates(store, accountId, new Map([[transactionId, fate]]))),
  };
}

/** Sends signed transactions, tells what became of each, and has a stale nonce signed again. */

import { EXECUTED_TEXT, filled, isCancellation, LatchkeyError, toLatchkeyError } from '../../errors/index.js';
import {
  executionFailure,
  type RpcClient,
  reachedNonce,
  rpcFailure,
  type SendOptions,
  type TransactionOutcome,
  type TransactionState,
} from '../../near/index.js';
import { noteOutcome } from '../../near/written.js';
import type { ActionResult, SignedTransaction, TransactionFate, WaitUntil } from '../../types.js';
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';

/** A nonce can be overtaken again while its transaction is signed again. */
const MAX_RESIGNS = 3;
/** The chain's names for a transaction that came too late: signed again, it may be taken. */
const OVERTAKEN: readonly unknown[] = ['InvalidNonce', 'Expired'];

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
  if (!activity) return sendUntilTaken(context, signed, options);
  const accountId = signed.transaction.signerId;
  let replaces: string | undefined;
  const onSend = async (copy: SignedTransaction): Promise<void> => {
    await options.onSend?.(copy);
    activity.leaves({ ...copy.transaction, accountId, transactionId: copy.hash, replaces });
    replaces = copy.hash;
  };
  try {
    const result = await sendUntilTaken(context, signed, { ...options, onSend });
    activity.settles(accountId, result.transactionId ?? signed.hash, result.fate ?? 'sent');
    return result;
  } catch (error) {
    const { transactionId, fate } = toLatchkeyError(error, 'Sending').details;
    activity.settles(accountId, String(transactionId), fate as TransactionFate);
    throw error;
  }
}

async function sendUntilTaken(
  { rpc, contexts }: Pick<FlowContext, 'rpc' | 'contexts'>,
  signed: SignedTransaction,
  { waitUntil, untilEnded, run: { signal }, resign, onSend }: SendSignedOptions,
): Promise<ActionResult> {
  let copy = signed;
  for (let resigns = 0; ; resigns += 1) {
    if (signal.aborted) throw tell(signal.reason, copy.hash, 'not-sent');
    try {
      await onSend?.(copy);
      return await send(rpc, copy, waitUntil, { signal, untilEnded });
    } catch (error) {
      const failure = rpcFailure(error);
      const isOvertaken = OVERTAKEN.includes(failure?.reason);
      if (!failure || !resign || resigns === MAX_RESIGNS || !isOvertaken) throw error;
      const refused = copy;
      const reached = reachedNonce(failure);
      if (reached !== undefined) {
        // The node that refused may be ahead of the one that reads the nonce.
        contexts.overtaken(refused.transaction.signerId, refused.transaction.publicKey, reached);
      }
      copy = await resign(refused).catch((cause: unknown) => {
        throw tell(toLatchkeyError(cause, 'Signing'), refused.hash, 'refused');
      });
    }
  }
}

async function send(
  rpc: RpcClient,
  { borshBytes, hash }: SignedTransaction,
  waitUntil: WaitUntil | undefined,
  { signal, untilEnded = false }: Pick<SendOptions, 'signal'> & Pick<SendSignedOptions, 'untilEnded'>,
): Promise<ActionResult> {
  let seen: TransactionState['name'] = 'not-seen';
  const onState = ({ name }: TransactionState): void => {
    seen = name;
  };
  try {
    const outcome = await rpc.sendTransaction(borshBytes, waitUntil, { signal, untilEnded, onState });
    // Later views must have reached this write.
    noteOutcome(rpc, outcome);
    return toResult(outcome);
  } catch (error) {
    // The host stopped waiting after the transaction left: it may still be executed, so it was not cancelled.
    if (isCancellation(error))
      throw tell(outcomeUnknown(hash, error), hash, isSent(seen) ? 'sent' : 'unknown');
    throw tell(error, hash, fateOf(error));
  }
}

/** What an error tells about the transaction that was being sent. */
function fateOf(error: unknown): TransactionFate {
  const failure = rpcFailure(error);
  if (failure?.kind === 'outcome_unknown') return isSent(failure.state) ? 'sent' : 'unknown';
  if (failure?.kind === 'invalid_transaction') return 'refused';
  // The RPC client reports `outcome_unknown` for everything that a node may have, even one that turned it away.
  return toLatchkeyError(error).code === 'TRANSACTION_FAILED' ? 'failed' : 'not-sent';
}

/** Whether a block holds it. */
function isSent(state: TransactionState['name'] | undefined): boolean {
  return state === 'included' || state === 'executed' || state === 'final';
}

/** The same error with the transaction's id and what became of it. */
function tell(error: unknown, transactionId: string, fate: TransactionFate): LatchkeyError {
  const known = toLatchkeyError(error, 'Sending');
  const details = { transactionId, fate, ...known.details };
  return new LatchkeyError(known.code, { message: known.message, cause: known, details });
}

function outcomeUnknown(transactionId: string, cause: unknown): LatchkeyError {
  const reason = `what became of transaction ${transactionId} is not known, and it may still happen`;
  return new LatchkeyError('NEAR_RPC_FAILED', {
    values: { reason },
    details: { kind: 'outcome_unknown', transactionId },
    cause,
  });
}

/** The result of an execution; a failed one throws an error with the transaction's id. */
function toResult(outcome: TransactionOutcome): ActionResult {
  const failed = executionFailure(outcome);
  const fate = fateOfOutcome(outcome);
  const { transactionId } = outcome;
  if (failed) {
    throw new LatchkeyError('TRANSACTION_FAILED', {
      message: filled(EXECUTED_TEXT, { reason: describeFailure(failed) }),
      details: { transactionId, outcome, fate },
    });
  }
  return { success: true, fate, transactionId, result: outcome };
}

/** What the chain's answer tells about a transaction that it took. */
export function fateOfOutcome(outcome: TransactionOutcome): TransactionFate {
  const { status } = outcome;
  if (executionFailure(outcome)) return 'failed';
  const hasEnded = typeof status === 'object' && ('SuccessValue' in status || 'SuccessReceiptId' in status);
  return hasEnded ? 'executed' : 'sent';
}

const MAX_REASON_LENGTH = 300;

/** Describes the chain's nested failure by its innermost name and fields; a contract's failure by its own words. */
function describeFailure(failed: unknown): string {
  let at = failed;
  let name = 'unknown failure';
  while (typeof at === 'object' && at !== null) {
    const [entry, ...others] = Object.entries(at).filter(([key]) => key !== 'index');
    // Failure names start with a capital and `kind` leads to one; anything else describes the name before it.
    if (!entry || others.length > 0 || !/^([A-Z]|kind$)/.test(entry[0])) {
      return `${name} ${JSON.stringify(at)}`.slice(0, MAX_REASON_LENGTH);
    }
    if (entry[0] !== 'kind') name = entry[0];
    at = entry[1];
  }
  return typeof at === 'string' ? at.slice(0, MAX_REASON_LENGTH) : name;
}

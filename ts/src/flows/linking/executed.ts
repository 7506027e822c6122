/**
 * Determines whether a transaction that the chain took was executed. INCLUDED_FINAL alone does not say, and waiting
 * for EXECUTED would wait for everything that it started, such as the mapping's own expiry 200 blocks later.
 */
import { isCancellation, LatchkeyError, toLatchkeyError } from '../../errors/index.js';
import { hasReached, isTransient, rpcFailure, type TransactionOutcome } from '../../near/index.js';
import type { ActionResult } from '../../types.js';
import type { FlowContext } from '../context.js';
import { pause } from '../pause.js';
import { toResult } from '../signing/send.js';

const POLL_MS = 300;
/** The time in which a receipt is executed: some blocks after its transaction. */
const LONGEST_MS = 15_000;

/**
 * Returns the outcome of a transaction once its own call has ended. Throws TRANSACTION_FAILED where that failed. Asks
 * again where a node does not answer for a moment, since the chain has the transaction. Therefore every error carries
 * the transaction's id and says that it was sent: a host that aborts has cancelled nothing.
 */
export async function executed(
  context: FlowContext,
  accountId: string,
  { fate, transactionId, result }: ActionResult,
  signal: AbortSignal,
): Promise<TransactionOutcome> {
  if (fate === 'executed') return result as TransactionOutcome;
  const id = transactionId ?? '';
  const sent = { transactionId: id, fate: 'sent' } as const;
  try {
    for (const end = Date.now() + LONGEST_MS; Date.now() < end; ) {
      signal.throwIfAborted();
      const outcome = await endedOutcome(context, accountId, id, signal).catch((error: unknown) => {
        const failure = rpcFailure(error);
        if (signal.aborted || !failure || !isTransient(failure)) throw error;
        return undefined;
      });
      if (outcome) {
        toResult(outcome);
        return outcome;
      }
      await pause(POLL_MS, signal);
    }
  } catch (thrown) {
    const error = toLatchkeyError(thrown, 'Sending');
    if (!isCancellation(error) && error.details.fate !== undefined) throw error;
    if (isCancellation(error)) throw new LatchkeyError('NEAR_RPC_FAILED', unknownOf(id, sent, error));
    throw new LatchkeyError(error.code, {
      message: error.message,
      details: { ...error.details, ...sent },
      cause: thrown,
    });
  }
  throw new LatchkeyError('NEAR_RPC_FAILED', unknownOf(id, sent));
}

function unknownOf(id: string, details: Readonly<Record<string, string>>, cause?: unknown) {
  const reason = `transaction ${id} was sent, and what became of it is not known`;
  return { values: { reason }, details, cause };
}

/**
 * The outcome of a transaction in a final block whose own call has ended; null where no node knows it, undefined
 * before.
 */
export async function endedOutcome(
  { rpc }: FlowContext,
  accountId: string,
  transactionId: string,
  signal?: AbortSignal,
): Promise<TransactionOutcome | null | undefined> {
  const outcome = await rpc.transactionStatus(transactionId, accountId, { signal });
  if (!outcome) return null;
  const isFinal = hasReached(outcome.final_execution_status, 'INCLUDED_FINAL');
  return isFinal && typeof outcome.status === 'object' ? outcome : undefined;
}

/** What the nodes' blocks have of a transaction, and whether that may be believed. */
import * as v from 'valibot';
import type { Ask, Nodes } from './asked-nodes.js';
import { executionFailure, outcomeReader } from './rpc-answer.js';
import { type RpcFailure, rpcFailure } from './rpc-error.js';
import { type TransactionOutcome, TransactionOutcomeSchema, type TransactionState } from './rpc-types.js';
import type { Searched } from './transaction-end.js';

const LOOK_MS = 4_000;
/** Between two looks at a transaction that is in a block. */
export const POLL_MS = 300;
/** Fruitless looks required where only look-ups tell: they take 6 s, longer than nodes behind one address usually lag. */
export const LOOKS_ALONE = 6;
const BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 3_200;
const JITTER_MS = 150;

/** Whether a state may be acted on: its essence, if it has one, counts once as many providers as must agree have it. */
export async function isBelieved(
  nodes: Nodes,
  { transactionId, signerId }: Pick<Searched, 'transactionId' | 'signerId'>,
  state: TransactionState,
  signal: AbortSignal | undefined,
  essence: (outcome: TransactionOutcome) => unknown = executionFailure,
): Promise<boolean> {
  const own = 'outcome' in state ? essence(state.outcome) : null;
  if (own === null) return true;
  const params = lookUpParams(transactionId, signerId);
  return haveSaid(nodes, signal, async (ask) => {
    const outcome = await ask('tx', params, outcomeReader(transactionId));
    return JSON.stringify(essence(outcome)) === JSON.stringify(own);
  });
}

/** Whether as many providers as must agree say so; where one is enough, it has said so already. */
export async function haveSaid(
  nodes: Nodes,
  signal: AbortSignal | undefined,
  isSo: (ask: Ask) => Promise<boolean>,
): Promise<boolean> {
  if (nodes.agreement < 2) return true;
  return nodes.allSay(isSo, signal).catch((error: unknown) => {
    if (!rpcFailure(error)) throw error;
    return false;
  });
}

const lookUpParams = (tx_hash: string, sender_account_id: string) => ({
  tx_hash,
  sender_account_id,
  wait_until: 'NONE',
});

/** What a node has in its blocks; `in-no-block` only if every node says so. */
export async function look(
  nodes: Nodes,
  { transactionId, signerId }: Pick<Searched, 'transactionId' | 'signerId'>,
  signal: AbortSignal | undefined,
  turn?: number,
): Promise<TransactionState | 'in-no-block'> {
  const outcome = await lookUp(nodes, transactionId, signerId, signal, turn);
  return outcome ? stateOf(outcome) : 'in-no-block';
}

/** What the nodes have of a transaction now; null if every node says that it is in no block. */
export async function lookUp(
  nodes: Nodes,
  transactionId: string,
  signerId: string,
  signal: AbortSignal | undefined,
  turn = 0,
): Promise<TransactionOutcome | null> {
  try {
    return await nodes.request('tx', lookUpParams(transactionId, signerId), outcomeReader(transactionId), {
      signal,
      turn,
      timeoutMs: LOOK_MS,
      // A node that does not track the signer's shard has nothing to tell.
      accept: isInBlock,
    });
  } catch (error) {
    const kind = rpcFailure(error)?.kind;
    if (kind === 'unknown_transaction' || kind === 'invalid_transaction') return null;
    throw error;
  }
}

function isInBlock({ final_execution_status: level }: TransactionOutcome): boolean {
  return level !== 'NONE';
}

export function stateOf(outcome: TransactionOutcome): TransactionState {
  if (!isInBlock(outcome)) return { name: 'in-pool' };
  if (typeof outcome.status !== 'object') return { name: 'included', outcome };
  return { name: outcome.final_execution_status === 'FINAL' ? 'final' : 'executed', outcome };
}

/** The state that a node tells when it stops waiting (`TimeoutErrorCause::Pending`, from nearcore 2.14 on). */
export function pendingState(
  { kind, info }: RpcFailure,
  transactionId: string,
): TransactionState | undefined {
  if (kind !== 'timeout') return undefined;
  const { success, output } = v.safeParse(PendingSchema, info);
  return success ? stateOf(outcomeReader(transactionId)(output.status)) : undefined;
}

const PendingSchema = v.object({ cause: v.literal('PENDING'), status: TransactionOutcomeSchema });

/** 200 ms, doubled each time, plus up to 150 ms so that clients do not all return together. */
export function backoffMs(retry: number): number {
  return Math.min(BACKOFF_MS * 2 ** retry, LONGEST_BACKOFF_MS) + Math.random() * JITTER_MS;
}

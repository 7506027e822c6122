/**
 * What became of a transaction, which transaction-sending.ts sends.
 *
 * ```text
 *   not-seen ──send──▶ in-pool ──▶ included ──▶ executed ──▶ final
 *       └──────────────────┴─────▶ refused, expired: in no block, and never will be
 *                          └─────▶ unknown: the nodes have forgotten, or do not answer
 * ```
 *
 * How nodes answer (nearcore, `chain/jsonrpc/src/lib.rs`) makes the rules:
 *
 * - Look-ups ask for level NONE: every other level makes the node wait before it says no.
 * - A transaction that no block holds may wait in a pool, or be lost: nodes forward it once. Sending the same bytes
 *   again is harmless, because the chain executes them once.
 * - A transaction is refused when a final block has spent its nonce, and look-ups after that find nothing. It has
 *   expired when the final block is too far above the block that it names and its nonce is still free.
 * - A nonce spent on an expired transaction proves nothing: nodes forget outcomes that are as old.
 * - What would make someone pay again takes the word of several providers, where several must agree: that the transaction
 *   is refused, and that it failed. A node that turns the bytes away, because it is busy, may keep them: their outcome is
 *   unknown, unless every node is on this machine.
 */
import * as v from 'valibot';
import { sleep } from '../sleep.js';
import {
  AccessKeyViewSchema,
  BlockViewSchema,
  executionFailure,
  GasKeyNoncesSchema,
  outcomeReader,
  queryResult,
  reader,
  type TransactionOutcome,
  TransactionOutcomeSchema,
  type TransactionState,
} from './rpc-answer.js';
import type { Ask, Nodes, Params } from './rpc-client.js';
import { type RpcFailure, rpcFailure } from './rpc-error.js';

/** A transaction without its bytes, as a journal keeps it. */
export interface NotedTransaction {
  readonly transactionId: string;
  readonly signerId: string;
  /** The key that signed it. */
  readonly publicKey: string;
  readonly nonce: bigint;
  /** The lane of that nonce, for a gas key. */
  readonly lane?: number | undefined;
  /** Of the block that it names. */
  readonly blockHeight: number;
}

/** Time in which an executed transaction usually becomes final. */
const FINALITY_MS = 10_000;

/**
 * Looks a noted transaction up, and tells `refused` and `expired` only for certain. Waits some seconds for one that a
 * block holds to become final. Sends nothing.
 */
export async function transactionState(
  nodes: Nodes,
  noted: NotedTransaction,
  signal?: AbortSignal,
): Promise<TransactionState> {
  const giveUpAt = Date.now() + FINALITY_MS;
  for (let looksInVain = 0; ; ) {
    // Must precede the look: what no block holds once its nonce is spent can never enter one.
    const end = await endOf(nodes, { ...noted, names: noted.blockHeight }, true, signal);
    const seen = await look(nodes, noted, signal);
    if (seen !== 'in-no-block') {
      const isSettled = seen.name === 'final' || seen.name === 'in-pool';
      if (isSettled || Date.now() >= giveUpAt) {
        return (await isBelieved(nodes, noted, seen, signal)) ? seen : { name: 'in-pool' };
      }
      await sleep(POLL_MS, signal);
      continue;
    }
    if (!end || end === 'nameless') return { name: 'in-pool' };
    looksInVain += 1;
    if (looksInVain === LOOKS_ALONE) return { name: end === 'forgotten' ? 'unknown' : end };
    await sleep(backoffMs(looksInVain - 1), signal);
  }
}

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

/**
 * The chain accepts a transaction for this many blocks after its named block (nearcore's
 * transaction_validity_period). Nodes remember outcomes for at least as many.
 */
export const VALIDITY_BLOCKS = 86_400;

/** A transaction that is searched for. */
export interface Searched {
  readonly transactionId: string;
  readonly signerId: string;
  readonly publicKey: string;
  readonly nonce: bigint;
  readonly lane?: number | undefined;
  /** The block that it names, or its height. */
  readonly names: { readonly block_id: string } | number;
}

/**
 * Why no later block can hold a transaction. `forgotten`: it expired after its nonce was spent, perhaps by itself.
 * `nameless`: its nonce is free, and no node knows the block that it names, which is too old or too new for them.
 */
export type End = 'refused' | 'expired' | 'forgotten' | 'nameless';

/** Asks as many nodes as must agree; undefined while it can still come, or if too few nodes answer. */
export async function endOf(
  nodes: Nodes,
  searched: Searched,
  asksAge: boolean,
  signal: AbortSignal | undefined,
): Promise<End | undefined> {
  try {
    const isOld = asksAge && (await isTooOld(nodes, searched.names, signal));
    const isSpent = await isNonceSpent(nodes, searched, signal);
    if (isOld === 'nameless') return isSpent ? 'forgotten' : 'nameless';
    if (isOld) return isSpent ? 'forgotten' : 'expired';
    return isSpent ? 'refused' : undefined;
  } catch (error) {
    if (!rpcFailure(error)) throw error;
    return undefined;
  }
}

/** Whether a final block has spent the nonce or removed the key, or its lane. */
async function isNonceSpent(
  nodes: Nodes,
  { signerId, publicKey, nonce, lane }: Searched,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const params = {
    request_type: lane === undefined ? 'view_access_key' : 'view_gas_key_nonces',
    account_id: signerId,
    public_key: publicKey,
    finality: 'final',
  };
  const read = (result: unknown) => {
    if (lane === undefined) return reader(AccessKeyViewSchema)(queryResult(result)).nonce;
    return reader(GasKeyNoncesSchema)(queryResult(result)).nonces[lane] ?? Number.POSITIVE_INFINITY;
  };
  return nodes.allSay(async (ask) => {
    try {
      return (await ask('query', params, read)) >= nonce;
    } catch (error) {
      const kind = rpcFailure(error)?.kind;
      if (kind === 'unknown_access_key' || kind === 'unknown_account') return true;
      throw error;
    }
  }, signal);
}

/** Whether the chain has advanced too far to accept a transaction that names this block. */
async function isTooOld(
  nodes: Nodes,
  names: Searched['names'],
  signal: AbortSignal | undefined,
): Promise<boolean | 'nameless'> {
  try {
    return await nodes.allSay(async (ask) => {
      const heightOf = async (reference: Params) =>
        (await ask('block', reference, reader(BlockViewSchema))).header.height;
      const named = typeof names === 'number' ? names : await heightOf(names);
      return (await heightOf({ finality: 'final' })) > named + VALIDITY_BLOCKS;
    }, signal);
  } catch (error) {
    if (rpcFailure(error)?.causeName === 'UNKNOWN_BLOCK') return 'nameless';
    throw error;
  }
}

/** Looks up, by hash, what became of batches whose page ended in the middle. Sends nothing again. */

import { delegateEnd } from '../../near/delegate-end.js';
import type { TransactionState } from '../../near/index.js';
import { fateOfOutcome, fateOfState, noteOutcome } from '../../near/send.js';
import { pause } from '../../sleep.js';
import { withMutex } from '../../storage/mutex.js';
import type { BatchEntry, BatchedTransaction } from '../../storage/records.js';
import type { ResumedBatch, TransactionFate } from '../../types.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';
import { batchMutex, chainIdOf, hasEnded } from './batch-entry.js';

/** Doubled after each look, up to a minute. */
const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 60_000;

/** Looks up every batch that no tab is sending, and drops each one whose transactions are all settled. */
export async function resumeBatches(context: FlowContext): Promise<ResumedBatch[]> {
  const resumed: ResumedBatch[] = [];
  for (const entry of await context.store.journal.entries('batch')) {
    const settled = await unlessHeld(batchMutex(entry.batchId), () => settle(context, entry));
    if (settled) resumed.push(settled);
  }
  return resumed;
}

/**
 * Watches a batch whose fates the user has heard before they were final, until they are. If the chain decides
 * otherwise, the batch becomes an unknown one: the next look for what is open reports it.
 */
export async function watchBatch(context: FlowContext, batchId: string): Promise<void> {
  const { store, config, closing } = context;
  for (let ms = FIRST_PAUSE_MS; !closing.aborted; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
    try {
      const entry = await store.journal.entry('batch', batchId);
      if (!entry?.transactions.some(({ isShown }) => isShown)) return;
      if ((await unlessHeld(batchMutex(batchId), () => isStillOpen(context, entry))) === false) return;
    } catch (error) {
      if (!closing.aborted) warn(config, 'A batch could not be watched until it is final', error);
    }
    await pause(ms, closing);
  }
}

async function isStillOpen(context: FlowContext, entry: BatchEntry): Promise<boolean> {
  const { store } = context;
  const looks = await looksAt(context, entry);
  if (looks.every(({ isShown }) => isShown)) {
    if (!looks.every(({ isOver }) => isOver)) return true;
    await store.journal.drop(entry);
    return false;
  }
  const transactions = entry.transactions.map(({ isShown: _, ...transaction }, index) =>
    looks[index]?.isShown ? transaction : { ...transaction, fate: 'unknown' as const },
  );
  await store.journal.update(entry, { transactions });
  return false;
}

async function settle(context: FlowContext, entry: BatchEntry): Promise<ResumedBatch | undefined> {
  const { store, config } = context;
  let { transactions } = entry;
  try {
    const looks = await looksAt(context, entry);
    transactions = transactions.map((transaction, index) => withFate(transaction, looks[index]));
    for (const transaction of transactions) {
      const { transactionId, fate } = transaction;
      context.activity?.settles(entry.accountId, chainIdOf(transaction) ?? transactionId, fate);
    }
    if (looks.every(({ isOver }) => isOver)) await store.journal.drop(entry);
    else await store.journal.update(entry, { transactions });
  } catch (error) {
    warn(config, 'A batch could not be looked up', error);
  }
  if (transactions.every(({ isShown }) => isShown)) return undefined;
  return {
    nearAccountId: entry.accountId,
    createdAt: entry.createdAt,
    transactions: transactions.map(shownOf),
  };
}

/** What the user hears of a transaction. */
function shownOf(transaction: BatchedTransaction): ResumedBatch['transactions'][number] {
  const { receiverId, fate, amountYocto } = transaction;
  const shown = { transactionId: chainIdOf(transaction), receiverId, fate };
  return amountYocto === undefined ? shown : { ...shown, amountYocto };
}

interface Look {
  readonly fate: TransactionFate;
  /** Whether another look can tell nothing more. */
  readonly isOver: boolean;
  /** Whether the user has heard this fate. */
  readonly isShown?: boolean;
}

function looksAt(context: FlowContext, entry: BatchEntry): Promise<Look[]> {
  return Promise.all(entry.transactions.map((transaction) => lookUp(context, entry, transaction)));
}

async function lookUp(
  context: FlowContext,
  { accountId, publicKey }: BatchEntry,
  transaction: BatchedTransaction,
): Promise<Look> {
  const { fate, transactionId, isShown = false, delegate } = transaction;
  if (delegate) return lookAtDelegate(context, { accountId, publicKey }, { ...transaction, delegate });
  if (fate === 'unknown') return lookOf(await stateOf(context, { accountId, publicKey, transaction }));
  if (isShown && !hasEnded(fate)) return { fate, isOver: true, isShown };
  if (isShown) return shownLookOf(await stateOf(context, { accountId, publicKey, transaction }), fate);
  // It may have left before the journal was written: reported as unsent, it would be paid again.
  const left = fate === 'not-sent' && (await context.rpc.transactionStatus(transactionId, accountId));
  return { fate: left ? fateOfOutcome(left) : fate, isOver: true };
}

/** A fork may have dropped its block, and other nodes may not have it yet: only what is final changes a fate. */
function shownLookOf(state: TransactionState, fate: TransactionFate): Look {
  const look = lookOf(state);
  const isFinal = state.name === 'final' || state.name === 'refused' || state.name === 'expired';
  if (isFinal && look.fate !== fate) return look;
  return { fate, isOver: isFinal || state.name === 'unknown', isShown: true };
}

function withFate(transaction: BatchedTransaction, look: Look | undefined): BatchedTransaction {
  const { isShown: _, ...rest } = transaction;
  return { ...rest, fate: look?.fate ?? rest.fate, ...(look?.isShown && { isShown: true }) };
}

export interface NotedBySigner {
  readonly accountId: string;
  /** The key that signed it. */
  readonly publicKey: string;
  readonly transaction: BatchedTransaction;
}

/** What became of a transaction of a journal. Later views have reached its blocks. */
export async function stateOf(
  { rpc }: FlowContext,
  { accountId, publicKey, transaction }: NotedBySigner,
): Promise<TransactionState> {
  const { transactionId, nonce, lane, blockHeight } = transaction;
  const state = await rpc.transactionState({
    transactionId,
    signerId: accountId,
    publicKey,
    nonce: BigInt(nonce),
    lane,
    blockHeight: Number(blockHeight),
  });
  if ('outcome' in state) noteOutcome(rpc, state.outcome);
  return state;
}

/** What the chain may still take, or a fork may still drop, takes another look. */
const NOT_OVER: readonly TransactionState['name'][] = ['not-seen', 'in-pool', 'included'];

function lookOf(state: TransactionState): Look {
  return { fate: fateOfState(state), isOver: !NOT_OVER.includes(state.name) };
}

/** Undefined while another tab holds the lock. */
export async function unlessHeld<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  return withMutex(name, { ifAvailable: true }, async (held) => (held ? work() : undefined));
}

type NotedDelegate = Pick<BatchedTransaction, 'nonce' | 'blockHeight'> &
  Required<Pick<BatchedTransaction, 'delegate'>>;

interface DelegateLook {
  readonly fate: TransactionFate;
  /** Whether another look can tell nothing more. */
  readonly isOver: boolean;
}

/** What the chain tells of a delegate whose fate is unknown. */
async function lookAtDelegate(
  { rpc }: Pick<FlowContext, 'rpc'>,
  { accountId, publicKey }: Pick<BatchEntry, 'accountId' | 'publicKey'>,
  { nonce, blockHeight, delegate: { carrier } }: NotedDelegate,
): Promise<DelegateLook> {
  // The relay's account, which signed the carrier, is not known here. Nodes need it only to find the shard.
  const outcome = carrier === null ? null : await rpc.transactionStatus(carrier, accountId);
  const end = outcome ? delegateEnd(outcome).kind : 'untold';
  if (outcome && end !== 'untold') {
    noteOutcome(rpc, outcome);
    return { fate: end === 'succeeded' ? 'executed' : 'failed', isOver: true };
  }
  const key = await rpc.viewAccessKey(accountId, publicKey, { agreed: true, certain: true });
  // Once a later nonce is spent or the key is gone, the delegate was executed before, or never will be.
  if (!key || BigInt(key.nonce) > BigInt(nonce)) return { fate: 'unknown', isOver: true };
  // This device reserved the nonce for the delegate alone. Another with the same passkey would take it by chance only.
  if (BigInt(key.nonce) === BigInt(nonce)) return { fate: 'sent', isOver: true };
  const isTooLate = BigInt(key.block_height) > BigInt(blockHeight);
  return { fate: isTooLate ? 'refused' : 'unknown', isOver: isTooLate };
}

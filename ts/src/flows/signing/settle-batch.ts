/** Looks up, by hash, what became of batches whose page ended in the middle. Sends nothing again. */

import type { TransactionState } from '../../near/index.js';
import { noteOutcome } from '../../near/written.js';
import { withMutex } from '../../storage/mutex.js';
import type { BatchEntry, BatchedTransaction } from '../../storage/records.js';
import type { ResumedBatch, TransactionFate } from '../../types.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';
import { batchMutex } from './batch-journal.js';
import { fateOfOutcome } from './send.js';

/** Looks up every batch that no tab is sending, and drops each one whose transactions are all settled. */
export async function resumeBatches(context: FlowContext): Promise<ResumedBatch[]> {
  const resumed: ResumedBatch[] = [];
  for (const entry of await context.store.journal('batch')) {
    const settled = await unlessHeld(batchMutex(entry.batchId), () => settle(context, entry));
    if (settled) resumed.push(settled);
  }
  return resumed;
}

async function settle(context: FlowContext, entry: BatchEntry): Promise<ResumedBatch> {
  const { store, config } = context;
  let { transactions } = entry;
  try {
    const looks = await Promise.all(transactions.map((transaction) => lookUp(context, entry, transaction)));
    transactions = transactions.map((transaction, index) => withFate(transaction, looks[index]));
    if (looks.every(({ isOver }) => isOver)) await store.dropEntry(entry);
    else await store.updateEntry(entry, { transactions });
  } catch (error) {
    warn(config, 'A batch could not be looked up', error);
  }
  return {
    nearAccountId: entry.accountId,
    createdAt: entry.createdAt,
    transactions: transactions.map(({ transactionId, receiverId, fate }) => ({
      transactionId,
      receiverId,
      fate,
    })),
  };
}

interface Look {
  readonly fate: TransactionFate;
  /** Whether another look can tell nothing more. */
  readonly isOver: boolean;
}

async function lookUp(
  context: FlowContext,
  { accountId, publicKey }: BatchEntry,
  transaction: BatchedTransaction,
): Promise<Look> {
  const { fate, transactionId } = transaction;
  if (fate === 'unknown') return lookOf(await stateOf(context, { accountId, publicKey, transaction }));
  // It may have left before the journal was written: reported as unsent, it would be paid again.
  const left = fate === 'not-sent' && (await context.rpc.transactionStatus(transactionId, accountId));
  return { fate: left ? fateOfOutcome(left) : fate, isOver: true };
}

function withFate(transaction: BatchedTransaction, look: Look | undefined): BatchedTransaction {
  return { ...transaction, fate: look?.fate ?? transaction.fate };
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
  const { transactionId, nonce, blockHeight } = transaction;
  const state = await rpc.transactionState({
    transactionId,
    signerId: accountId,
    publicKey,
    nonce: BigInt(nonce),
    blockHeight: Number(blockHeight),
  });
  if ('outcome' in state) noteOutcome(rpc, state.outcome);
  return state;
}

function lookOf(state: TransactionState): Look {
  switch (state.name) {
    case 'refused':
    case 'expired':
      return { fate: 'refused', isOver: true };
    case 'unknown':
      return { fate: 'unknown', isOver: true };
    case 'not-seen':
    case 'in-pool':
      return { fate: 'unknown', isOver: false };
    default:
      return { fate: fateOfOutcome(state.outcome), isOver: state.name !== 'included' };
  }
}

/** Undefined while another tab holds the lock. */
export async function unlessHeld<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  return withMutex(name, { ifAvailable: true }, async (held) => (held ? work() : undefined));
}

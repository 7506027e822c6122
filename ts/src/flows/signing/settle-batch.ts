/** Looks up, by hash, what became of batches whose page ended in the middle. Sends nothing again. */

import { messageOf } from '../../errors/index.js';
import { nullWhenRefused, type TransactionOutcome, VALIDITY_BLOCKS } from '../../near/index.js';
import { withMutex } from '../../storage/mutex.js';
import type { BatchEntry, BatchedTransaction } from '../../storage/records.js';
import type { ResumedBatch } from '../../types.js';
import type { FlowContext } from '../context.js';
import { batchMutex } from './batch-journal.js';
import { fateOfOutcome } from './send.js';

/** Nodes forget outcomes after five epochs: a transaction they do not know by then may have been executed. */
const REMEMBERED_BLOCKS = 200_000n;
/** A node may lag behind the one that reported the nonce. */
const LOOKUPS = 3;
const LOOKUP_PAUSE_MS = 500;

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
    const seen = await readChain(context, entry);
    transactions = await Promise.all(
      transactions.map(async (transaction) => {
        if (transaction.fate === 'unknown')
          return { ...transaction, fate: await lookUp(context, entry, transaction, seen) };
        // It may have left before the journal was written: reported as unsent, it would be paid again.
        const left = transaction.fate === 'not-sent' && (await outcomeOf(context, entry, transaction));
        return left ? { ...transaction, fate: fateOfOutcome(left) } : transaction;
      }),
    );
    const isOver = transactions.every(
      ({ fate, blockHeight }) => fate !== 'unknown' || isForgotten(blockHeight, seen),
    );
    if (isOver) await store.dropEntry(entry);
    else await store.updateEntry(entry, { transactions });
  } catch (error) {
    config.logger.warn('A batch could not be looked up', messageOf(error));
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

export interface Seen {
  /** Of the last final block. */
  readonly height: bigint;
  /** The key's nonce at that block; null when the account or key is gone, so that nothing more can be executed. */
  readonly nonce: bigint | null;
}

/** Read before the transactions are looked up: once a nonce is spent, a transaction that no block holds never runs. */
export async function readChain(
  { rpc }: FlowContext,
  { accountId, publicKey }: Pick<BatchEntry, 'accountId' | 'publicKey'>,
): Promise<Seen> {
  const { header } = await rpc.block({ finality: 'final' });
  const key = (await rpc.viewAccount(accountId)) && (await rpc.viewAccessKey(accountId, publicKey));
  return { height: BigInt(header.height), nonce: key ? BigInt(key.nonce) : null };
}

function outcomeOf(
  { rpc }: FlowContext,
  { accountId }: Pick<BatchEntry, 'accountId'>,
  { transactionId }: BatchedTransaction,
): Promise<TransactionOutcome | null> {
  return rpc.transactionStatus(transactionId, accountId).catch(nullWhenRefused);
}

export async function lookUp(
  context: FlowContext,
  entry: Pick<BatchEntry, 'accountId'>,
  transaction: BatchedTransaction,
  seen: Seen,
): Promise<BatchedTransaction['fate']> {
  const { nonce, blockHeight } = transaction;
  const isSpent = seen.nonce === null || seen.nonce >= BigInt(nonce);
  const hasExpired = seen.height > BigInt(blockHeight) + BigInt(VALIDITY_BLOCKS);
  for (let lookup = 1; ; lookup += 1) {
    const outcome = await outcomeOf(context, entry, transaction);
    if (outcome) return fateOfOutcome(outcome);
    if (isForgotten(blockHeight, seen) || !(isSpent || hasExpired)) return 'unknown';
    if (lookup === LOOKUPS) return 'refused';
    await new Promise((resolve) => setTimeout(resolve, LOOKUP_PAUSE_MS));
  }
}

export function isForgotten(blockHeight: string, { height }: Seen): boolean {
  return height > BigInt(blockHeight) + REMEMBERED_BLOCKS;
}

/** Undefined while another tab holds the lock. */
export async function unlessHeld<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  return withMutex(name, { ifAvailable: true }, async (held) => (held ? work() : undefined));
}

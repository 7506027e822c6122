/** The journal of what one approval sends: tells which transactions left if the page ends in the middle. */

import { transactionsDigest } from '../../intent/index.js';
import { withMutex } from '../../storage/mutex.js';
import type { BatchEntry, BatchedTransaction } from '../../storage/records.js';
import type { SignedTransaction, TransactionFate } from '../../types.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';
import type { SignedBatch } from './signed-batch.js';

export interface BatchJournal {
  /** Written before the copy leaves. */
  leaves(index: number, copy: SignedTransaction): Promise<void>;
  /** Notes the fate in memory; the next write stores it. */
  settles(index: number, fate: TransactionFate | undefined): void;
  /** Drops the batch if every fate is known; otherwise the next start looks it up. */
  close(): Promise<void>;
}

/** A single transaction has one too: a page that ends loses its id, and the person would pay again. */
export async function openBatchJournal(
  { store, config }: FlowContext,
  batch: SignedBatch,
): Promise<BatchJournal> {
  const payments = await Promise.all(batch.requests.map((request) => transactionsDigest([request])));
  const noted = (copy: SignedTransaction, index: number, fate: TransactionFate): BatchedTransaction => ({
    transactionId: copy.hash,
    receiverId: copy.transaction.receiverId,
    nonce: copy.transaction.nonce,
    blockHeight: batch.blockHeight,
    fate,
    ...(payments[index] && { payment: payments[index] }),
  });
  const transactions = batch.signed.map((copy, index) => noted(copy, index, 'not-sent'));
  const entry: BatchEntry = {
    kind: 'batch',
    batchId: crypto.randomUUID(),
    accountId: batch.accountId,
    publicKey: batch.publicKey,
    transactions,
    createdAt: Date.now(),
  };
  const release = await hold(batchMutex(entry.batchId));
  let isOpen = false;

  /** A journal that cannot be written stops nothing: it only tells more after a reload. */
  const write = async (): Promise<void> => {
    try {
      const current = { ...entry, transactions: [...transactions] };
      if (isOpen) await store.updateEntry(entry, current);
      else isOpen = await store.openEntry(current);
    } catch (error) {
      warn(config, 'The journal of a batch could not be written', error);
    }
  };
  let writing = Promise.resolve();

  return {
    leaves: (index, copy) => {
      transactions[index] = noted(copy, index, 'unknown');
      writing = writing.then(write);
      return writing;
    },
    settles: (index, fate) => {
      const known = transactions[index];
      if (known && fate) transactions[index] = { ...known, fate };
    },
    close: async () => {
      try {
        await writing;
        if (!isOpen) return;
        if (transactions.some(({ fate }) => fate === 'unknown')) await write();
        else await store.dropEntry(entry);
      } catch (error) {
        warn(config, 'The journal of a batch could not be closed', error);
      } finally {
        release();
      }
    },
  };
}

/** Held by the tab that sends the batch. */
export function batchMutex(batchId: string): string {
  return `latchkey:batch:${batchId}`;
}

/** Holds a lock of this origin until the returned function is called. */
export function hold(name: string): Promise<() => void> {
  return new Promise((resolve) => {
    withMutex(name, {}, () => new Promise<void>((release) => resolve(release))).catch(() =>
      resolve(() => undefined),
    );
  });
}

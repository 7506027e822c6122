/** The journal of a batch that is being sent: which of its transactions left, should the page end in the middle. */

import { messageOf } from '../../errors/index.js';
import { withMutex } from '../../storage/mutex.js';
import type { BatchEntry, BatchedTransaction } from '../../storage/records.js';
import type { SignedTransaction, TransactionFate } from '../../types.js';
import type { FlowContext } from '../context.js';
import type { SignedBatch } from './signed-batch.js';

export interface BatchJournal {
  /** Written before the copy leaves. */
  leaves(index: number, copy: SignedTransaction): Promise<void>;
  /** Noted; written with what comes next. */
  settles(index: number, fate: TransactionFate | undefined): void;
  /** Forgets the batch when it is known what became of each; else it is looked up at the next start. */
  close(): Promise<void>;
}

const NONE: BatchJournal = {
  leaves: async () => undefined,
  settles: () => undefined,
  close: async () => undefined,
};

/** One transaction alone needs no journal: its caller has its id, or an error that carries it. */
export async function openBatchJournal(
  { store, config }: FlowContext,
  batch: SignedBatch,
): Promise<BatchJournal> {
  if (batch.signed.length < 2) return NONE;
  const noted = (copy: SignedTransaction, fate: TransactionFate): BatchedTransaction => ({
    transactionId: copy.hash,
    receiverId: copy.transaction.receiverId,
    nonce: copy.transaction.nonce,
    blockHeight: batch.blockHeight,
    fate,
  });
  const transactions = batch.signed.map((copy) => noted(copy, 'not-sent'));
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

  /** A journal that cannot be written stops nobody: it tells more after a reload, and decides nothing. */
  const write = async (): Promise<void> => {
    try {
      const current = { ...entry, transactions: [...transactions] };
      if (isOpen) await store.updateEntry(entry, current);
      else isOpen = await store.openEntry(current);
    } catch (error) {
      config.logger.warn('The journal of a batch could not be written', messageOf(error));
    }
  };
  let writing = Promise.resolve();

  return {
    leaves: (index, copy) => {
      transactions[index] = noted(copy, 'unknown');
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
        config.logger.warn('The journal of a batch could not be closed', messageOf(error));
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

/** Holds a lock of this origin until the answered function is called. */
export function hold(name: string): Promise<() => void> {
  return new Promise((resolve) => {
    withMutex(name, {}, () => new Promise<void>((release) => resolve(release))).catch(() =>
      resolve(() => undefined),
    );
  });
}

/** What both the journal of a batch and the look at what became of it know of an entry. */
import type { BatchedTransaction } from '../../storage/records.js';
import type { TransactionFate } from '../../types.js';

/** Whether a block holds its end; a fork may still drop that block. */
export function hasEnded(fate: TransactionFate | undefined): boolean {
  return fate === 'executed' || fate === 'failed';
}

/** The id under which a node finds it; null for a delegate while no one has named the transaction that carries it. */
export function chainIdOf({ transactionId, delegate }: BatchedTransaction): string | null {
  return delegate ? delegate.carrier : transactionId;
}

/** Held by the tab that sends the batch. */
export function batchMutex(batchId: string): string {
  return `latchkey:batch:${batchId}`;
}

/**
 * The journal of what one approval sends: tells which transactions left if the page ends in the middle. That of a delegate stays
 * open until the chain tells its end: the relay may have sent it before it fell silent.
 */
import { definedFields } from '../../defined-fields.js';
import { transactionsDigest } from '../../intent/index.js';
import { depositOfAll } from '../../near/fees.js';
import type { TransactionOutcome } from '../../near/index.js';
import { pause } from '../../sleep.js';
import { withMutex } from '../../storage/mutex.js';
import type { BatchEntry, BatchedTransaction } from '../../storage/records.js';
import type { ActionResult, SignedTransaction, TransactionFate, TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { ifLoaded, warn } from '../warn.js';
import { batchMutex, hasEnded } from './batch-entry.js';
import { noteBurntGas } from './burnt-gas.js';
import { meetRecipients } from './recipients.js';
import { laneOf } from './send.js';
import type { SignedBatch } from './signed-batch.js';

/** What requests transfer or attach, if anything. */
function amountOf(...requests: readonly (TransactionRequest | undefined)[]): { amountYocto?: string } {
  const amount = depositOfAll(requests.flatMap((request) => request?.actions ?? []));
  return amount > 0n ? { amountYocto: String(amount) } : {};
}

/** Time in which a block usually becomes final. */
const FINALITY_MS = 3_000;

export interface BatchJournal {
  /** Written before the copy leaves. */
  leaves(index: number, copy: SignedTransaction): Promise<void>;
  /** Notes the fate in memory; the next write stores it. */
  settles(index: number, result: ActionResult): void;
  /**
   * Drops the batch if every fate is known and final. Watches it in the background if one is not final yet; the next
   * start looks up what is unknown.
   */
  close(): Promise<void>;
}

/** A single transaction has one too: a page that ends loses its id, and the user would pay again. */
export async function openBatchJournal(context: FlowContext, batch: SignedBatch): Promise<BatchJournal> {
  const { store, config } = context;
  const payments = await Promise.all(batch.requests.map((request) => transactionsDigest([request])));
  const noted = (copy: SignedTransaction, index: number, fate: TransactionFate): BatchedTransaction => ({
    transactionId: copy.hash,
    receiverId: copy.transaction.receiverId,
    nonce: copy.transaction.nonce,
    ...definedFields({ lane: laneOf(copy) }),
    blockHeight: batch.blockHeight,
    fate,
    ...(payments[index] && { payment: payments[index] }),
    ...amountOf(batch.requests[index]),
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
  let isEarly = false;

  /** A journal that cannot be written stops nothing: it only tells more after a reload. */
  const write = async (): Promise<void> => {
    try {
      const current = { ...entry, transactions: [...transactions] };
      if (isOpen) await store.journal.update(entry, current);
      else isOpen = await store.journal.open(current);
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
    settles: (index, { fate, result }) => {
      const known = transactions[index];
      if (known && fate) transactions[index] = { ...known, fate };
      const outcome = result as TransactionOutcome | null;
      if (hasEnded(fate) && outcome?.final_execution_status !== 'FINAL') isEarly = true;
      const request = batch.requests[index];
      if (fate === 'executed' && request && outcome) noteBurntGas(context.rpc, request, outcome);
    },
    close: async () => {
      const paid = batch.requests.filter((_, index) => transactions[index]?.fate === 'executed');
      await meetRecipients(context, batch.accountId, paid);
      try {
        await writing;
        if (!isOpen) return;
        const isUnknown = transactions.some(({ fate }) => fate === 'unknown');
        if (!isUnknown && !isEarly) return await store.journal.drop(entry);
        // The next start reports all of a batch with an unknown outcome.
        isEarly &&= !isUnknown;
        if (isEarly)
          for (const [index, sent] of transactions.entries())
            transactions[index] = { ...sent, isShown: true };
        await write();
        if (isEarly) void watchLater(context, entry.batchId);
      } catch (error) {
        warn(config, 'The journal of a batch could not be closed', error);
      } finally {
        release();
      }
    },
  };
}

/** Watches what was sent until it is final. Loads that code when it usually is. */
async function watchLater(context: FlowContext, batchId: string): Promise<void> {
  await pause(FINALITY_MS, context.closing);
  if (context.closing.aborted) return;
  await (await ifLoaded(context, import('./settle-batch.js')))?.watchBatch(context, batchId);
}

/** Holds a lock of this origin until the returned function is called. */
export function hold(name: string): Promise<() => void> {
  return new Promise((resolve) => {
    withMutex(name, {}, () => new Promise<void>((release) => resolve(release))).catch(() =>
      resolve(() => undefined),
    );
  });
}

export interface DelegateToNote {
  readonly accountId: string;
  readonly receiverId: string;
  readonly hash: string;
  readonly publicKey: string;
  readonly nonce: string;
  readonly maxBlockHeight: string;
  /** The one that it stands for. */
  readonly transactions: readonly TransactionRequest[];
  /** The digest of its receiver and actions. */
  readonly payment: string;
}

/**
 * Ends the journal with what the relay told: keeps an unknown fate for the next look. `carrier` is the transaction that
 * the relay has named.
 */
export type CloseDelegateJournal = (fate: TransactionFate, carrier: string | null) => Promise<void>;

/** Written before the delegate leaves. A journal that cannot be written stops nothing. */
export async function openDelegateJournal(
  context: FlowContext,
  {
    accountId,
    receiverId,
    hash,
    publicKey,
    nonce,
    maxBlockHeight,
    transactions: asked,
    payment,
  }: DelegateToNote,
): Promise<CloseDelegateJournal> {
  const { store, config } = context;
  const transaction: BatchedTransaction = {
    transactionId: hash,
    receiverId,
    nonce,
    blockHeight: maxBlockHeight,
    fate: 'unknown',
    payment,
    ...amountOf(...asked),
    delegate: { carrier: null },
  };
  const entry: BatchEntry = {
    kind: 'batch',
    batchId: crypto.randomUUID(),
    accountId,
    publicKey,
    transactions: [transaction],
    createdAt: Date.now(),
  };
  const release = await hold(batchMutex(entry.batchId));
  const orWarn = (error: unknown) => warn(config, 'The journal of a delegate could not be written', error);
  await store.journal.open(entry).catch(orWarn);
  return async (fate, carrier) => {
    const transactions = [{ ...transaction, delegate: { carrier } }];
    const closing =
      fate === 'unknown' ? store.journal.update(entry, { transactions }) : store.journal.drop(entry);
    await closing.catch(orWarn);
    if (fate === 'executed') await meetRecipients(context, accountId, asked);
    release();
  };
}

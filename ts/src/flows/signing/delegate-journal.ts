/**
 * The journal of a delegate that the relay carries out. The relay may have sent it before it fell silent, so it stays
 * open until the chain tells: by the transaction that carries it, where the relay has named that, else by the nonce
 * of the key that signed it.
 */
import { delegateEnd } from '../../near/delegate-end.js';
import { noteOutcome } from '../../near/send.js';
import type { BatchEntry, BatchedTransaction } from '../../storage/records.js';
import type { TransactionFate, TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';
import { batchMutex, hold } from './batch-journal.js';
import { meetRecipients } from './recipients.js';

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

type NotedDelegate = Pick<BatchedTransaction, 'nonce' | 'blockHeight'> &
  Required<Pick<BatchedTransaction, 'delegate'>>;

export interface DelegateLook {
  readonly fate: TransactionFate;
  /** Whether another look can tell nothing more. */
  readonly isOver: boolean;
}

/** What the chain tells of a delegate whose fate is unknown. */
export async function lookAtDelegate(
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

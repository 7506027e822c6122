/** What the next start finds of an earlier visit. */
import type { LatchkeyErrorCode } from '../errors/latchkey-error.js';
import type { TransactionFate } from './transactions.js';

/** The outcome of registrations whose answer was lost, looked up at start. */
export interface ResumeResult {
  /** Registered after all, and stored. */
  readonly committed: readonly string[];
  /** Can no longer succeed; dropped. */
  readonly dropped: readonly string[];
  /** Still unknown. */
  readonly pending: readonly string[];
  /** Created with other keys than ours. */
  readonly mismatched: readonly string[];
  /** Accounts that a key of an earlier linking may still be deleted from; that continues in the background. */
  readonly deletions?: readonly string[];
  /** Accounts whose linking needs the user once more: `finishDeviceLinking`. */
  readonly unfinished?: readonly string[];
  /** Why some of `pending` could not be settled for reasons other than the chain: a full disk, for example. */
  readonly problems?: readonly ResumeProblem[];
  /** Batches whose page ended before the outcome of each transaction was known; absent when there were none. */
  readonly batches?: readonly ResumedBatch[];
  /** App keys that were being added when the page ended; absent when there were none. */
  readonly appKeys?: readonly ResumedAppKey[];
}

/** An app key of an earlier visit: `kept` when the chain has it, `expired` if its end is over, `dropped` when it never will. */
export interface ResumedAppKey {
  readonly nearAccountId: string;
  readonly receiverId: string;
  readonly publicKey: string;
  readonly outcome: 'kept' | 'expired' | 'dropped' | 'pending';
}

export interface ResumeProblem {
  readonly accountId: string;
  readonly errorCode: LatchkeyErrorCode;
  readonly error: string;
}

/** A batch of an earlier visit, in its current state on the chain. None of it is sent again. */
export interface ResumedBatch {
  readonly nearAccountId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** In their order. The next start looks up an `unknown` one again. */
  readonly transactions: readonly {
    /** Null for a delegate while no one has named the transaction that carries it. */
    readonly transactionId: string | null;
    readonly receiverId: string;
    /** What its actions transfer or attach, in yoctoNEAR; absent where that is nothing, or not kept. */
    readonly amountYocto?: string;
    readonly fate: TransactionFate;
  }[];
}

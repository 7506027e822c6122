/** Signing and sending transactions. */
import type { SignedTransaction } from '../../wasm/signer/signer.js';
import type { ActionInput, TransactionInput } from './actions.js';
import type { FlowOptions, Outcome } from './flow.js';

/** How settled a transaction must be before a call answers. */
export type WaitUntil = 'NONE' | 'INCLUDED' | 'INCLUDED_FINAL' | 'EXECUTED' | 'FINAL' | 'EXECUTED_OPTIMISTIC';

/**
 * The fate of a transaction.
 * - `executed`: the chain executed it. `sent`: the chain took it; the awaited level says nothing further.
 * - `failed`: it was executed and failed; its fee is spent.
 * - `refused`: the chain did not take it, and never will.
 * - `unknown`: it was sent, and may still be executed. Look it up by its id before sending it again.
 * - `not-sent`: it never left the wallet, and never will.
 */
export type TransactionFate = 'executed' | 'sent' | 'failed' | 'refused' | 'unknown' | 'not-sent';

export interface ActionOptions<Result = ActionResult> extends FlowOptions<'action', Result> {
  /** Default EXECUTED_OPTIMISTIC. */
  readonly waitUntil?: WaitUntil | undefined;
}

export interface ActionResult extends Outcome {
  readonly fate?: TransactionFate;
  /** Null when nothing was signed. */
  readonly transactionId: string | null;
  /** The chain's answer to `send_tx`. */
  readonly result: unknown;
}

export interface ExecuteActionArgs {
  readonly nearAccountId: string;
  readonly receiverId: string;
  readonly actionArgs: ActionInput | readonly ActionInput[];
  readonly options?: ActionOptions | undefined;
}

export type SignTransactionsOptions = FlowOptions<'action', readonly SignTransactionResult[]>;

export interface SignTransactionsArgs {
  readonly nearAccountId: string;
  readonly transactions: readonly TransactionInput[];
  readonly options?: SignTransactionsOptions | undefined;
}

export interface SignTransactionResult {
  readonly signedTransaction: SignedTransaction;
  readonly nearAccountId: string;
  readonly logs: readonly string[];
}

export interface SendTransactionArgs {
  readonly signedTransaction: SignedTransaction;
  readonly options?: ActionOptions | undefined;
}

/**
 * One after the other (default), each when the one before has reached `waitUntil`; or all of them, each `staggerMs`
 * (default 75) after the one before, where each result waits for `waitUntil`. `waitUntil` here overrides that of the
 * call.
 */
export type ExecutionWait =
  | { readonly mode: 'sequential'; readonly waitUntil?: WaitUntil | undefined }
  | {
      readonly mode: 'parallelStaggered';
      readonly staggerMs?: number | undefined;
      readonly waitUntil?: WaitUntil | undefined;
    };

export interface SignAndSendOptions extends ActionOptions<readonly ActionResult[]> {
  readonly executionWait?: ExecutionWait | undefined;
  /**
   * The digest that an embedded transaction button showed at the user's click (base64url of 32 bytes). A wallet in this page
   * refuses to sign anything else (INTENT_DIGEST_MISMATCH), and takes the click as its own, unless the user chose to
   * confirm by a click there. A wallet in a frame does not see it.
   */
  readonly uiDigest?: string | undefined;
}

export interface SignAndSendTransactionsArgs {
  readonly nearAccountId: string;
  readonly transactions: readonly TransactionInput[];
  readonly options?: SignAndSendOptions | undefined;
}

/** Delegate actions (NEP-366). */
import type { ActionInput } from './actions.js';
import type { FlowOptions, Outcome } from './flow.js';
import type { ActionResult } from './transactions.js';

/** A delegate action (NEP-366) to sign. */
export interface DelegateActionInput {
  readonly receiverId: string;
  readonly actions: ActionInput | readonly ActionInput[];
  /**
   * The nonce that it gets, a decimal string: above that of the account's key, by at most 1000. Default: the wallet's next
   * one.
   */
  readonly nonce?: string | undefined;
  /** The last block that may carry it, a decimal string: at most 86400 blocks ahead. Default: by `validForBlocks`. */
  readonly maxBlockHeight?: string | undefined;
}

interface DelegateValidity {
  /** How many blocks after the prompt the delegate can be used: 10 to 86400, default 600. */
  readonly validForBlocks?: number | undefined;
}

export interface DelegateOptions extends FlowOptions<'action', SignDelegateResult>, DelegateValidity {}

export interface SignDelegatesOptions
  extends FlowOptions<'action', readonly SignDelegateResult[]>,
    DelegateValidity {}

export interface ExecuteDelegateOptions extends FlowOptions<'action', ActionResult>, DelegateValidity {}

export interface SignDelegateArgs extends DelegateActionInput {
  readonly nearAccountId: string;
  readonly options?: DelegateOptions | undefined;
}

export interface SignDelegatesArgs {
  readonly nearAccountId: string;
  /** In order; at most 100. */
  readonly delegateActions: readonly DelegateActionInput[];
  readonly options?: SignDelegatesOptions | undefined;
}

export interface ExecuteDelegateArgs extends Omit<SignDelegateArgs, 'options' | 'nonce' | 'maxBlockHeight'> {
  readonly options?: ExecuteDelegateOptions | undefined;
}

/** A signed delegate (NEP-366); all null when it was not signed. Its holder can submit it once, and pays. */
export interface SignDelegateResult extends Outcome {
  /** Its NEP-461 hash, base58. */
  readonly hash: string | null;
  /** Its borsh bytes in standard base64: with `hash`, the body that a relay's POST /signed-delegate takes. */
  readonly signedDelegate: string | null;
  readonly publicKey: string | null;
  readonly nonce: string | null;
  /** The last block that may carry it. */
  readonly maxBlockHeight: string | null;
}

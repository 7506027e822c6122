/** The actions and transactions that a caller gives. */
import type { Action, NonceMode } from '../../wasm/signer/signer.js';

// Defined in Rust, so that what is shown, hashed and signed is what the chain's encoding has.
export type {
  AccessKey,
  AccessKeyPermission,
  Action,
  DeterministicStateInit,
  FunctionCallPermission,
  GasKeyFunctionCallPermission,
  GasKeyPermission,
  GlobalContractIdentifier,
  NonceMode,
  SignedTransaction,
  StateEntry,
  Transaction,
  TransactionRequest,
  UniversalStateInit,
  Version1,
} from '../../wasm/signer/signer.js';

/**
 * The arguments of a call: an object, which becomes JSON; a text, which must be JSON; or bytes, sent as they are, also none.
 * The confirmation shows bytes that are not JSON as bytes, and warns that they cannot be read.
 */
export type CallArguments = string | Uint8Array | Readonly<Record<string, unknown>>;

/** A function call as a caller may give it; gas and deposit are optional. */
export interface FunctionCallInput {
  readonly type: 'FunctionCall';
  readonly methodName: string;
  readonly args: CallArguments;
  /** Default 30000000000000 (30 Tgas). */
  readonly gas?: string | undefined;
  /** yoctoNEAR, default 0. */
  readonly deposit?: string | undefined;
}

/** An action as a caller gives it. */
export type ActionInput = FunctionCallInput | Exclude<Action, { readonly type: 'FunctionCall' }>;

/** A transaction as a caller gives it. */
export interface TransactionInput {
  readonly receiverId: string;
  readonly actions: readonly ActionInput[];
  /** The lane to use, counted from 0, where the key of this device is a gas key (protocol 85); absent for any other key. */
  readonly lane?: number | undefined;
  /**
   * 'Strict': the chain takes the transaction only as the next one of the key, and keeps it until those before it are there
   * (protocol 85). Default 'Monotonic': any later one.
   */
  readonly nonceMode?: NonceMode | undefined;
}

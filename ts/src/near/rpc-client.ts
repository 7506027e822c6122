/** The client of the chain's JSON-RPC as its callers see it, and how it asks the nodes. */
import type * as v from 'valibot';
import type { WaitUntil } from '../types.js';
import type {
  AccessKeyList,
  AccessKeyView,
  AccountView,
  BlockView,
  CallResult,
  Finality,
  GasKeyNonces,
  Place,
  TransactionOutcome,
  TransactionState,
} from './rpc-answer.js';
import type { RpcFailure, rpcFailure } from './rpc-error.js';
import type { SendOptions } from './transaction-sending.js';
import type { NotedTransaction } from './transaction-state.js';

/** One HTTP request to a node, reported before it is sent. */
export interface RpcCall {
  /** JSON-RPC method: `query`, `block`, `send_tx`, `tx` or `EXPERIMENTAL_protocol_config`. */
  readonly method: string;
  /** `query` only: `view_account`, `call_function` and so on. */
  readonly requestType?: string;
  /** The node's origin; the rest of its address may hold an API key. */
  readonly node: string;
}

export interface RpcClientOptions {
  /** One URL, several in a list, or several in one string separated by commas or spaces. */
  readonly urls: string | readonly string[];
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly onCall?: ((call: RpcCall) => void) | undefined;
  /** Time limit of one HTTP request. Default 30000. */
  readonly timeoutMs?: number | undefined;
  /** Largest answer that the client reads. Default 8 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * Number of nodes of different origins that must agree if a view asks for agreement. Default 2 where the URLs are of
   * several origins, and 1 otherwise; the addresses of this machine count as one.
   */
  readonly agreement?: number | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ViewOptions extends CallOptions {
  /** Default `final`. */
  readonly finality?: Finality | undefined;
}

/**
 * How much a view must prove. In every view, a "no" (a refusal of the chain, an answer that `isNo` names) is asked again
 * while it comes from below the highest block that any node has shown, or from below our last write.
 */
export interface CertaintyOptions extends ViewOptions {
  /**
   * For answers that decide what is thrown away: a "no" counts once nodes gave it at two different blocks, the later one ten
   * blocks above the first that this client has seen since it last asked nothing for ten seconds. All that was on the chain
   * then is seen, also by nodes that all lag.
   */
  readonly certain?: boolean | undefined;
  /**
   * With `certain`: the block that holds what the view looks for, as someone whom the client need not trust names it. A "no"
   * from below it is asked again, unless it is more than 20 blocks above those that nodes show.
   */
  readonly heldAt?: number | undefined;
  /** A "no" counts once nodes gave it at two different blocks, the later one not below what each provider shows now. */
  readonly twice?: boolean | undefined;
  /** Asks any answer from below the height at which a "no" is `certain` again, not only a "no". */
  readonly newest?: boolean | undefined;
  /** Asks any answer from below the block of our last write again, not only a "no"; see {@link RpcClient.noteWrite}. */
  readonly afterWrites?: boolean | undefined;
}

export interface BlockOptions extends CallOptions {
  /**
   * For a block that decisions depend on: asks as many nodes as the client's `agreement`, which must all know it, with one
   * height, hash and time. Rejects with RPC_DISAGREEMENT if they differ.
   */
  readonly agreed?: boolean | undefined;
}

export interface AgreedViewOptions extends CertaintyOptions {
  /**
   * The hash of a block: reads the state after that block, so that several views see one state. A node that does not have
   * the block yet is asked again. The options on finality and certainty do not apply.
   */
  readonly blockHash?: string | undefined;
  /**
   * For answers that keys depend on: asks as many nodes as the client's `agreement` for their final block. Rejects
   * with RPC_DISAGREEMENT if their answers differ.
   */
  readonly agreed?: boolean | undefined;
}

export interface ListViewOptions<T> extends AgreedViewOptions {
  /** Whether an answer means "no", as an empty list does. */
  readonly isNo?: ((answer: T) => boolean) | undefined;
}

export interface FunctionViewOptions<T = CallResult> extends ListViewOptions<T> {
  /**
   * Decides whether an answer is good enough. If not, asks the next node; the last answer stands as a "no" does.
   */
  readonly accept?: ((result: CallResult) => boolean) | undefined;
}

/** Arguments of a view call: a value to encode as JSON, or its bytes. */
export type FunctionArgs = Readonly<Record<string, unknown>> | Uint8Array;

/**
 * Every method rejects with a LatchkeyError that {@link rpcFailure} reads, or with the signal's reason.
 */
export interface RpcClient {
  /**
   * Whether no single remote node decides what agreement is asked for: several must agree, or all nodes are on this
   * machine.
   */
  readonly isWitnessed: boolean;
  /** An access key and the block it was read at; null if the account has no such key, or does not exist. */
  viewAccessKey(
    accountId: string,
    publicKey: string,
    options?: AgreedViewOptions,
  ): Promise<AccessKeyView | null>;
  /** The nonce of each lane of a gas key; null if the account has no such gas key, or does not exist. */
  viewGasKeyNonces(
    accountId: string,
    publicKey: string,
    options?: AgreedViewOptions,
  ): Promise<GasKeyNonces | null>;
  /** Every access key of an account; none if it does not exist, which {@link viewAccount} tells apart. */
  viewAccessKeyList(accountId: string, options?: ListViewOptions<AccessKeyList>): Promise<AccessKeyList>;
  /** An account; null if it does not exist. */
  viewAccount(accountId: string, options?: AgreedViewOptions): Promise<AccountView | null>;
  /** The current protocol configuration, as far as the schema reads it. */
  protocolConfig<S extends v.GenericSchema>(schema: S, options?: CallOptions): Promise<v.InferOutput<S>>;
  /** Calls a contract's view method. */
  callFunction(
    contractId: string,
    method: string,
    args?: FunctionArgs,
    options?: FunctionViewOptions,
  ): Promise<CallResult>;
  /** Like {@link callFunction}, for a method that returns JSON; checks the value against the schema. */
  callFunctionJson<S extends v.GenericSchema>(
    schema: S,
    contractId: string,
    method: string,
    args?: FunctionArgs,
    options?: FunctionViewOptions<v.InferOutput<S>>,
  ): Promise<v.InferOutput<S>>;
  /**
   * Tells the client of a block that holds our write, by its height or hash: a "no" from below it is asked again. A
   * hash is looked up when the next view depends on it.
   */
  noteWrite(block: number | string): void;
  /** The newest final block that any answer has shown in the last `maxAgeMs`; asks for one where there is none. */
  head(maxAgeMs: number, options?: CallOptions): Promise<Place>;
  /** A block; with `maxAgeMs` the last one that was read as the newest final block, if it is that young. */
  block(
    reference?: { finality: Finality } | { blockId: number | string },
    options?: BlockOptions & { readonly maxAgeMs?: number },
  ): Promise<BlockView>;
  /**
   * Sends a signed transaction (borsh bytes) and resolves when it has reached `waitUntil` (default
   * EXECUTED_OPTIMISTIC; NONE waits for INCLUDED, since nodes check nothing at NONE). The chain executes the same bytes
   * only once, so the client sends them again until a block holds them, up to 40 s and five unanswered attempts.
   *
   * A failed execution is an answer, not an error: see `executionFailure`. Rejects with kind `invalid_transaction`
   * when the chain refused it for good. For a stale nonce, that needs a final block that has spent it; for an expired
   * transaction, a final block too far above the one it names. As many nodes as the client's `agreement` must confirm
   * it, so that no single node can provoke a second signature; as many must have a failed execution. Rejects with `outcome_unknown`, and how far the
   * transaction came, when the nodes do not show its end. Aborting ends the wait, not the transaction.
   */
  sendTransaction(
    signed: Uint8Array,
    waitUntil?: WaitUntil,
    options?: SendOptions,
  ): Promise<TransactionOutcome>;
  /** What the nodes have of a transaction now; null if every node says that it is in no block. */
  transactionStatus(
    transactionId: string,
    signerId: string,
    options?: CallOptions,
  ): Promise<TransactionOutcome | null>;
  /** What became of a transaction whose bytes are gone; `in-pool` while it may still come. Sends nothing. */
  transactionState(noted: NotedTransaction, options?: CallOptions): Promise<TransactionState>;
}

export interface Node {
  readonly url: string;
  readonly origin: string;
  sidelinedUntil: number;
  limitedUntil: number;
}

/** A call's parameters, as JSON. */
export type Params = Readonly<Record<string, unknown>>;

/** Asks one node. */
export type Ask = <T>(method: string, params: Params, read: (result: unknown) => T) => Promise<T>;

/** How the nodes are asked. */
export interface RequestOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /** Whether an answer is good enough; if not, the next node is asked, and the last answer stands. */
  readonly accept?: ((value: T) => boolean) | undefined;
  /** Whether the chain's own refusal comes from a node that lags, so that the next one is asked. */
  readonly isLate?: ((refusal: RpcFailure) => boolean) | undefined;
  readonly onFailedNode?: (failure: RpcFailure) => void;
  /** Time limit of one node's answer. */
  readonly timeoutMs?: number;
  /** Begins with a later node each time this number grows. */
  readonly turn?: number;
}

/** The nodes that are asked. */
export interface Nodes {
  /** Asks one node after the other until one gives an answer that counts. */
  request<T>(
    method: string,
    params: Params,
    read: (result: unknown) => T,
    options: RequestOptions<T>,
  ): Promise<T>;
  /** Whether as many nodes as must agree each confirm it. Skips nodes that do not answer. */
  allSay(isSo: (ask: Ask) => Promise<boolean>, signal: AbortSignal | undefined): Promise<boolean>;
  readonly agreement: number;
  /** Whether all of them are on this machine, so that a busy one keeps nothing. */
  readonly areOwn: boolean;
}

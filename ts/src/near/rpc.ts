import type * as v from 'valibot';
import { LatchkeyError } from '../errors/latchkey-error.js';
import type { WaitUntil } from '../types.js';
import { postJson } from './http.js';
import { reader, resultOf } from './rpc-answer.js';
import { isFinalAnswer, type RpcFailure, type RpcFailureKind, rpcError, rpcFailure } from './rpc-error.js';
import type {
  AccessKeyList,
  AccessKeyView,
  AccountView,
  BlockView,
  CallResult,
  Finality,
  TransactionOutcome,
  TransactionState,
} from './rpc-types.js';
import type { Nodes, NotedTransaction, RequestOptions, SendOptions } from './transaction-state.js';
import { createViews } from './views.js';

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
  readonly fetch?: typeof globalThis.fetch;
  readonly onCall?: (call: RpcCall) => void;
  /** Time limit of one HTTP request. Default 30000. */
  readonly timeoutMs?: number;
  /** Largest answer that the client reads. Default 8 MiB. */
  readonly maxAnswerBytes?: number;
  /** Number of nodes that must agree if a view asks for agreement. Default 1. */
  readonly agreement?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ViewOptions extends CallOptions {
  /** Default `final`. */
  readonly finality?: Finality;
}

/**
 * How much a view must prove. In every view, a "no" (a refusal of the chain, an answer that `isNo` names) is asked again
 * while it comes from below the highest block that any node has shown, or from below our last write.
 */
export interface CertaintyOptions extends ViewOptions {
  /** For answers that decide what is thrown away: a "no" counts once nodes gave it at two different blocks. */
  readonly certain?: boolean;
  /** Asks any answer from below the block of our last write again, not only a "no"; see {@link RpcClient.noteWrite}. */
  readonly afterWrites?: boolean;
}

export interface AgreedViewOptions extends CertaintyOptions {
  /**
   * For answers that keys depend on: asks as many nodes as the client's `agreement` for their final block. Rejects
   * with RPC_DISAGREEMENT if their answers differ.
   */
  readonly agreed?: boolean;
}

export interface ListViewOptions<T> extends AgreedViewOptions {
  /** Whether an answer means "no", as an empty list does. */
  readonly isNo?: ((answer: T) => boolean) | undefined;
}

export interface FunctionViewOptions<T = CallResult> extends ListViewOptions<T> {
  /**
   * Decides whether an answer is good enough. If not, asks the next node; the last answer stands as a "no" does.
   */
  readonly accept?: (result: CallResult) => boolean;
}

/** Arguments of a view call: a value to encode as JSON, or its bytes. */
export type FunctionArgs = Readonly<Record<string, unknown>> | Uint8Array;

/**
 * Every method rejects with a LatchkeyError that {@link rpcFailure} reads, or with the signal's reason.
 */
export interface RpcClient {
  /** An access key and the block it was read at; null if the account has no such key, or does not exist. */
  viewAccessKey(
    accountId: string,
    publicKey: string,
    options?: AgreedViewOptions,
  ): Promise<AccessKeyView | null>;
  /** Every access key of an account. */
  viewAccessKeyList(accountId: string, options?: ListViewOptions<AccessKeyList>): Promise<AccessKeyList>;
  /** An account; null if it does not exist. */
  viewAccount(accountId: string, options?: CertaintyOptions): Promise<AccountView | null>;
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
  block(
    reference?: { finality: Finality } | { blockId: number | string },
    options?: CallOptions,
  ): Promise<BlockView>;
  /**
   * Sends a signed transaction (borsh bytes) and resolves when it has reached `waitUntil` (default
   * EXECUTED_OPTIMISTIC; NONE waits for INCLUDED, since nodes check nothing at NONE). The chain executes the same bytes
   * only once, so the client sends them again until a block holds them, up to 40 s and five unanswered attempts.
   *
   * A failed execution is an answer, not an error: see `executionFailure`. Rejects with kind `invalid_transaction`
   * when the chain refused it for good. For a stale nonce, that needs a final block that has spent it; for an expired
   * transaction, a final block too far above the one it names. As many nodes as the client's `agreement` must confirm
   * it, so that no single node can provoke a second signature. Rejects with `outcome_unknown`, and how far the
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

const SIDELINED_MS = 30_000;
const SIDELINING: ReadonlySet<RpcFailureKind> = new Set(['unreachable', 'http', 'malformed', 'node']);
const DEFAULT_WAIT: WaitUntil = 'EXECUTED_OPTIMISTIC';

export interface Node {
  readonly url: string;
  readonly origin: string;
  sidelinedUntil: number;
}

/** Creates a client for one or several nodes. Throws INVALID_RPC_URL or INVALID_CONFIG for unusable addresses. */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  const nodes: Node[] = parseRpcUrls(options.urls).map((url) => ({
    url,
    origin: new URL(url).origin,
    sidelinedUntil: 0,
  }));
  const post = {
    fetch: options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxBytes: options.maxAnswerBytes ?? 8 * 1024 * 1024,
  };
  let lastId = 0;
  const agreement = options.agreement ?? 1;

  /** The nodes in configured order, or beginning with a later one; recently failed ones last. */
  const inTurn = (turn = 0) => {
    const now = Date.now();
    const first = turn % nodes.length;
    const rotated = [...nodes.slice(first), ...nodes.slice(0, first)];
    return rotated.sort((a, b) => Number(a.sidelinedUntil > now) - Number(b.sidelinedUntil > now));
  };

  /** The nodes that count toward agreement: one per provider if several must agree. */
  const witnesses = () => (agreement > 1 ? onePerProvider(inTurn()) : inTurn());

  /** Asks one node; a node that failed moves to the end of the line. */
  async function askNode<T>(
    node: Node,
    method: string,
    params: Readonly<Record<string, unknown>>,
    read: (result: unknown) => T,
    signal: AbortSignal | undefined,
    timeoutMs = post.timeoutMs,
  ): Promise<T> {
    const { request_type: requestType } = params;
    options.onCall?.({
      method,
      node: node.origin,
      ...(typeof requestType === 'string' && { requestType }),
    });
    lastId += 1;
    const body = { jsonrpc: '2.0', id: String(lastId), method, params };
    try {
      return read(resultOf(await postJson(node.url, body, { ...post, timeoutMs, signal })));
    } catch (error) {
      const failure = rpcFailure(error);
      if (failure && SIDELINING.has(failure.kind)) node.sidelinedUntil = Date.now() + SIDELINED_MS;
      throw error;
    }
  }

  /** Asks each node until one gives an answer that `read` accepts, or the chain's own refusal. */
  async function request<T>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    read: (result: unknown) => T,
    { signal, accept, isLate, onFailedNode, timeoutMs, turn = 0 }: RequestOptions<T> = {},
  ): Promise<T> {
    let unaccepted: (() => T) | undefined;
    let failure: unknown;
    for (const node of inTurn(turn)) {
      try {
        const value = await askNode(node, method, params, read, signal, timeoutMs);
        if (!accept || accept(value)) return value;
        unaccepted = () => value;
      } catch (error) {
        const known = rpcFailure(error);
        if (known && isLate?.(known)) {
          unaccepted = () => {
            throw error;
          };
          continue;
        }
        if (!known || (isFinalAnswer(known) && !isNotFound(method, known))) throw error;
        onFailedNode?.(known);
        // "No such transaction" counts only if every node says so.
        if (failure === undefined || !isNotFound(method, known)) failure = error;
      }
    }
    if (unaccepted) return unaccepted();
    throw failure;
  }

  const allSay: Nodes['allSay'] = async (isSo, signal) => {
    let said = 0;
    let failure: unknown;
    for (const node of witnesses()) {
      try {
        if (!(await isSo((method, params, read) => askNode(node, method, params, read, signal))))
          return false;
        said += 1;
      } catch (error) {
        if (!rpcFailure(error)) throw error;
        failure = error;
      }
      if (said === agreement) return true;
    }
    throw (
      failure ?? rpcError({ kind: 'node' }, { reason: `${agreement} nodes must say so, and ${said} did` })
    );
  };

  const transactions: Nodes = { request, allSay };

  return {
    ...createViews({ request, askNode, witnesses, agreement }),
    protocolConfig: (schema, call = {}) =>
      request('EXPERIMENTAL_protocol_config', { finality: 'final' }, reader(schema), call),
    sendTransaction: async (signed, waitUntil = DEFAULT_WAIT, sending = {}) =>
      (await loadTransactions()).sendTransaction(transactions, signed, waitUntil, sending),
    transactionStatus: async (transactionId, signerId, { signal } = {}) =>
      (await loadTransactions()).lookUp(transactions, transactionId, signerId, signal),
    transactionState: async (noted, { signal } = {}) =>
      (await loadTransactions()).transactionState(transactions, noted, signal),
  };
}

/** Splits a list or one comma- or space-separated string into checked URLs. */
export function parseRpcUrls(urls: string | readonly string[]): string[] {
  const parsed = [urls]
    .flat()
    .flatMap((text) => text.split(/[\s,]+/))
    .filter((url) => url !== '');
  if (parsed.length === 0) throw new LatchkeyError('INVALID_RPC_URL');
  for (const url of parsed) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new LatchkeyError('INVALID_CONFIG', {
        values: { reason: `not an http(s) URL for NEAR RPC: ${url}` },
      });
    }
    const { username, password, host } = new URL(url);
    if (username !== '' || password !== '') {
      // fetch rejects such a URL and repeats it in its error.
      throw new LatchkeyError('INVALID_CONFIG', {
        values: { reason: `the URL for NEAR RPC at ${host} must not hold a user name or password` },
      });
    }
  }
  return parsed;
}

/** The first node of each origin: two addresses of one provider are one witness. */
function onePerProvider(nodes: readonly Node[]): Node[] {
  const origins = nodes.map(({ origin }) => origin);
  return nodes.filter(({ origin }, index) => origins.indexOf(origin) === index);
}

/** Whether a node does not know the transaction, or repeats its refusal: another node may have accepted it. */
function isNotFound(method: string, { kind }: RpcFailure): boolean {
  return kind === 'unknown_transaction' || (method === 'tx' && kind === 'invalid_transaction');
}

/** Loaded ahead by what signs. */
function loadTransactions(): Promise<typeof import('./transaction-state.js')> {
  return import('./transaction-state.js');
}

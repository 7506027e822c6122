/**
 * A small client of NEAR's JSON-RPC. It tries its nodes in order and moves a failed one to the end for a while. It
 * checks every answer before use.
 */
import { base64 } from '@scure/base';
import type * as v from 'valibot';
import { LatchkeyError } from '../errors/latchkey-error.js';
import type { WaitUntil } from '../types.js';
import { postJson } from './http.js';
import { outcomeReader, queryResult, reader, resultOf } from './rpc-answer.js';
import {
  isFinalAnswer,
  isTransient,
  type RpcFailure,
  type RpcFailureKind,
  rpcError,
  rpcFailure,
} from './rpc-error.js';
import {
  type AccessKeyList,
  type AccessKeyView,
  AccessKeyViewSchema,
  type AccountView,
  type BlockView,
  BlockViewSchema,
  type CallResult,
  type Finality,
  type TransactionOutcome,
} from './rpc-types.js';
import { sleep } from './sleep.js';
import { readSignedTransaction } from './transaction-id.js';
import { createViews, orNull } from './views.js';

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

export interface SendOptions extends CallOptions {
  /** The same bytes were sent before with an unknown outcome: look the transaction up before sending. */
  readonly wasSentBefore?: boolean;
}

/** Arguments of a view call: a value to encode as JSON, or its bytes. */
export type FunctionArgs = Readonly<Record<string, unknown>> | Uint8Array;

/**
 * Every method rejects with a LatchkeyError that {@link rpcFailure} reads, or with the signal's reason.
 */
export interface RpcClient {
  /** An access key and the block it was read at; null if the account has no such key. */
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
  /** Tells the client the height of a block that holds our write: a "no" from below it is asked again. */
  noteWrite(height: number): void;
  block(
    reference?: { finality: Finality } | { blockId: number | string },
    options?: CallOptions,
  ): Promise<BlockView>;
  /**
   * Sends a signed transaction (borsh bytes) and resolves when it has reached `waitUntil` (default
   * EXECUTED_OPTIMISTIC). The chain executes the same bytes only once, so after a lost answer the client looks the
   * transaction up by its id, then sends the same bytes again, up to five times.
   *
   * A failed execution is an answer, not an error: see `executionFailure`. Rejects with kind `invalid_transaction`
   * when the chain refused it for good. For a stale nonce, that needs a final block that has spent it; for an expired
   * transaction, nodes that no longer count its block as recent. As many nodes as the client's `agreement` must
   * confirm it, so that no single node can provoke a second signature. Rejects with `outcome_unknown` when no node
   * reported the outcome. Aborting ends the wait, not the transaction.
   */
  sendTransaction(
    signed: Uint8Array,
    waitUntil?: WaitUntil,
    options?: SendOptions,
  ): Promise<TransactionOutcome>;
  /** A transaction's outcome once it has reached `waitUntil`; null if no node knows it. */
  transactionStatus(
    transactionId: string,
    senderId: string,
    waitUntil?: WaitUntil,
    options?: CallOptions,
  ): Promise<TransactionOutcome | null>;
}

const MAX_SEND_RETRIES = 5;
/**
 * The chain accepts a transaction for this many blocks after its named block (nearcore's
 * transaction_validity_period).
 */
export const VALIDITY_BLOCKS = 86_400;
const LOOKS_WHEN_SPENT = 3;
const BACKOFF_MS = 200;
const JITTER_MS = 150;
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

  /** The nodes in configured order, recently failed ones last. */
  const inTurn = () => {
    const now = Date.now();
    return [...nodes].sort((a, b) => Number(a.sidelinedUntil > now) - Number(b.sidelinedUntil > now));
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
      return read(resultOf(await postJson(node.url, body, { ...post, signal })));
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
    { signal, accept, isLate, onFailedNode }: RequestOptions<T> = {},
  ): Promise<T> {
    let unaccepted: (() => T) | undefined;
    let failure: unknown;
    for (const node of inTurn()) {
      try {
        const value = await askNode(node, method, params, read, signal);
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

  /** Whether as many nodes as must agree each confirm it. Skips nodes that do not answer. */
  async function allSay(isSo: (node: Node) => Promise<boolean>): Promise<boolean> {
    let said = 0;
    let failure: unknown;
    for (const node of witnesses()) {
      try {
        if (!(await isSo(node))) return false;
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
  }

  async function transactionStatus(
    transactionId: string,
    senderId: string,
    waitUntil: WaitUntil = DEFAULT_WAIT,
    { signal }: CallOptions = {},
  ): Promise<TransactionOutcome | null> {
    const params = { tx_hash: transactionId, sender_account_id: senderId, wait_until: waitUntil };
    return orNull(
      'unknown_transaction',
      request('tx', params, outcomeReader(transactionId, waitUntil), { signal }),
    );
  }

  async function sendTransaction(
    signed: Uint8Array,
    waitUntil: WaitUntil = DEFAULT_WAIT,
    { signal, wasSentBefore = false }: SendOptions = {},
  ): Promise<TransactionOutcome> {
    const { transactionId, signerId, accessKey, blockHash } = await readSignedTransaction(signed);
    const params = { signed_tx_base64: base64.encode(signed), wait_until: waitUntil };
    const read = outcomeReader(transactionId, waitUntil);
    const ask = () => transactionStatus(transactionId, signerId, waitUntil, { signal });
    let mayBeSent = wasSentBefore;
    const onFailedNode = (failure: RpcFailure) => {
      mayBeSent ||= !failure.notDelivered;
    };

    for (let retry = 0; ; retry += 1) {
      try {
        const known = mayBeSent ? await ask() : null;
        return known ?? (await request('send_tx', params, read, { signal, onFailedNode }));
      } catch (error) {
        const failure = rpcFailure(error);
        if (failure?.reason === 'Expired' && blockHash) {
          const hasExpired = await isTooOld(blockHash, signal).catch(undefinedWhenUnanswered);
          const isLast = retry === MAX_SEND_RETRIES;
          // A lagging node reports this for a block it does not know yet; a lying node may withhold the copy.
          if (!hasExpired) mayBeSent = true;
          if (hasExpired === false && isLast) throw outcomeUnknown(transactionId, error);
          if (!hasExpired && !isLast) {
            await sleep(backoffMs(retry), signal);
            continue;
          }
        }
        if (failure?.kind === 'invalid_transaction') {
          const decidesLater = failure.reason === 'InvalidNonce' ? accessKey : null;
          const isDecided = async () => !decidesLater || (await isSpent(signerId, decidesLater, signal));
          const looks = decidesLater ? LOOKS_WHEN_SPENT : 1;
          return await findOrThrow(transactionId, error, { mayBeSent, ask, isDecided, looks, signal });
        }
        if (!failure) throw error;
        if (!isTransient(failure) || retry === MAX_SEND_RETRIES) {
          throw mayBeSent ? outcomeUnknown(transactionId, error) : error;
        }
        await sleep(backoffMs(retry), signal);
      }
    }
  }

  /**
   * A refusal may answer a second copy while the first is on the chain or on its way (a proxy or browser may repeat a
   * request). So it stands only if a lookup after the chain decided finds nothing. If a node probably took a copy,
   * the lookup goes on longer, since nodes may lag. So may the nodes behind a balancer's one address: for a spent
   * nonce it is repeated.
   */
  async function findOrThrow(
    transactionId: string,
    refusal: unknown,
    { mayBeSent, ask, isDecided, looks, signal }: Search,
  ): Promise<TransactionOutcome> {
    let wasDecided = false;
    let inVain = 0;
    for (let retry = 0; ; retry += 1) {
      // Must precede the lookup: a transaction absent from the chain once its nonce is spent can never enter a block.
      wasDecided ||= (await isDecided().catch(undefinedWhenUnanswered)) ?? false;
      const known = await ask().catch(nullWhenRefused).catch(undefinedWhenUnanswered);
      if (known) return known;
      const isRefused = known === null && wasDecided;
      inVain = isRefused ? inVain + 1 : 0;
      if (isRefused && ((!mayBeSent && inVain >= looks) || retry === MAX_SEND_RETRIES)) throw refusal;
      if (retry === MAX_SEND_RETRIES) throw outcomeUnknown(transactionId, refusal);
      await sleep(backoffMs(retry), signal);
    }
  }

  /** Whether no later block can contain this key and nonce: a final block has spent the nonce or removed the key. */
  async function isSpent(
    accountId: string,
    { publicKey, nonce }: { publicKey: string; nonce: bigint },
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const params = {
      request_type: 'view_access_key',
      account_id: accountId,
      public_key: publicKey,
      finality: 'final',
    };
    const read = (result: unknown) => reader(AccessKeyViewSchema)(queryResult(result));
    return allSay(async (node) => {
      const key = await orNull('unknown_access_key', askNode(node, 'query', params, read, signal));
      return !key || BigInt(key.nonce) >= nonce;
    });
  }

  /** Whether the chain has advanced too far to accept a transaction that names this block. */
  async function isTooOld(blockHash: string, signal: AbortSignal | undefined): Promise<boolean> {
    return allSay(async (node) => {
      const heightOf = async (reference: Readonly<Record<string, unknown>>) =>
        (await askNode(node, 'block', reference, reader(BlockViewSchema), signal)).header.height;
      const named = await heightOf({ block_id: blockHash });
      return (await heightOf({ finality: 'final' })) > named + VALIDITY_BLOCKS;
    });
  }

  return {
    ...createViews({ request, askNode, witnesses, agreement }),
    protocolConfig: (schema, call = {}) =>
      request('EXPERIMENTAL_protocol_config', { finality: 'final' }, reader(schema), call),
    sendTransaction,
    transactionStatus,
  };
}

export interface RequestOptions<T> extends CallOptions {
  readonly accept?: ((value: T) => boolean) | undefined;
  /** Whether the chain's own refusal comes from a node that lags, so that the next one is asked. */
  readonly isLate?: ((refusal: RpcFailure) => boolean) | undefined;
  readonly onFailedNode?: (failure: RpcFailure) => void;
}

interface Search {
  /** Whether a node probably accepted a copy of the transaction. */
  readonly mayBeSent: boolean;
  readonly ask: () => Promise<TransactionOutcome | null>;
  /** Whether a transaction absent from the chain now can never enter it. */
  readonly isDecided: () => Promise<boolean>;
  /** Number of fruitless lookups required after that, if no node probably accepted a copy. */
  readonly looks: number;
  readonly signal: AbortSignal | undefined;
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

/** Returns null if a node that remembers the transaction repeats its refusal: it is not on the chain. */
export function nullWhenRefused(error: unknown): null {
  if (rpcFailure(error)?.kind === 'invalid_transaction') return null;
  throw error;
}

/** Returns undefined if no node answered; rethrows any other error. */
function undefinedWhenUnanswered(error: unknown): undefined {
  if (!rpcFailure(error)) throw error;
}

/** 200 ms, doubled each time, plus up to 150 ms so that clients do not all return together. */
function backoffMs(retry: number): number {
  return BACKOFF_MS * 2 ** retry + Math.random() * JITTER_MS;
}

function outcomeUnknown(transactionId: string, cause: unknown): LatchkeyError {
  const reason = `what became of transaction ${transactionId} is not known`;
  return rpcError({ kind: 'outcome_unknown', transactionId }, { reason }, cause);
}

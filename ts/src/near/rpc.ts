/** The client for one or several nodes of the chain's JSON-RPC. */

import { readBounded } from '../bounded-body.js';
import { INVALID_CONFIG, INVALID_RPC_URL, LatchkeyError, messageOf } from '../errors/core.js';
import { isRecord } from '../is-record.js';
import { sleep } from '../sleep.js';
import type { WaitUntil } from '../types.js';
import { defaultAgreement, isThisMachine } from './networks.js';
import { reader, resultOf } from './rpc-answer.js';
import type { Node, Nodes, RequestOptions, RpcClient, RpcClientOptions } from './rpc-client.js';
import {
  errorFromAnswer,
  isFinalAnswer,
  type RpcFailure,
  type RpcFailureKind,
  rpcError,
  rpcFailure,
} from './rpc-error.js';
import { createViews } from './views.js';

const SIDELINED_MS = 30_000;
/** A node that wants a longer pause is asked again after this one. */
const LONGEST_RETRY_AFTER_MS = 10_000;
const SIDELINING: ReadonlySet<RpcFailureKind> = new Set(['unreachable', 'http', 'malformed', 'node']);
const DEFAULT_WAIT: WaitUntil = 'EXECUTED_OPTIMISTIC';

/** Creates a client for one or several nodes. Throws INVALID_RPC_URL or INVALID_CONFIG for unusable addresses. */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  const urls = parseRpcUrls(options.urls);
  const nodes: Node[] = urls.map((url) => ({
    url,
    origin: new URL(url).origin,
    sidelinedUntil: 0,
    limitedUntil: 0,
  }));
  const post = {
    fetch: options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxBytes: options.maxAnswerBytes ?? 8 * 1024 * 1024,
  };
  let lastId = 0;
  const agreement = options.agreement ?? defaultAgreement(urls);

  /** The nodes in configured order, or beginning with a later one; recently failed ones last. */
  const inTurn = (turn = 0) => {
    const now = Date.now();
    const first = turn % nodes.length;
    const rotated = [...nodes.slice(first), ...nodes.slice(0, first)];
    return rotated.sort((a, b) => Number(a.sidelinedUntil > now) - Number(b.sidelinedUntil > now));
  };

  /** The nodes that count toward agreement: one per provider if several must agree. */
  const witnesses = () => (agreement > 1 ? onePerProvider(inTurn()) : inTurn());

  /**
   * Asks one node; a node that failed moves to the end of the line. One that has named a time to come back (`Retry-After`) is
   * asked nothing before it, for whichever flow.
   */
  async function askNode<T>(
    node: Node,
    method: string,
    params: Readonly<Record<string, unknown>>,
    read: (result: unknown) => T,
    signal: AbortSignal | undefined,
    timeoutMs = post.timeoutMs,
  ): Promise<T> {
    const limitedMs = node.limitedUntil - Date.now();
    if (limitedMs > 0) await sleep(limitedMs, signal);
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
      const { retryAfterMs = 0 } = failure ?? {};
      if (retryAfterMs > 0) node.limitedUntil = Date.now() + Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
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
        if (!known || (isFinalAnswer(known) && !isOneNodesWord(method, known))) throw error;
        onFailedNode?.(known);
        if (failure === undefined || !isOneNodesWord(method, known)) failure = error;
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

  const areOwn = urls.every((url) => isThisMachine(new URL(url).hostname));
  const transactions: Nodes = { request, allSay, agreement, areOwn };

  return {
    ...createViews({ request, askNode, witnesses, agreement }),
    isWitnessed: agreement > 1 || areOwn,
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
  if (parsed.length === 0) throw new LatchkeyError(INVALID_RPC_URL);
  for (const url of parsed) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new LatchkeyError(INVALID_CONFIG, {
        values: { reason: `not an http(s) URL for NEAR RPC: ${url}` },
      });
    }
    const { username, password, host } = new URL(url);
    if (username !== '' || password !== '') {
      // fetch rejects such a URL and repeats it in its error.
      throw new LatchkeyError(INVALID_CONFIG, {
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

/**
 * Whether an answer counts only if every node gives it: a node does not know the transaction, repeats its refusal, or
 * cannot read it. Another node may accept it.
 */
function isOneNodesWord(method: string, { kind }: RpcFailure): boolean {
  return (
    kind === 'unknown_transaction' ||
    (method === 'tx' && kind === 'invalid_transaction') ||
    (method === 'send_tx' && kind === 'invalid_request')
  );
}

/** Loaded ahead by what signs. */
function loadTransactions(): Promise<typeof import('./transaction-sending.js')> {
  return import('./transaction-sending.js');
}

export interface PostOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Posts JSON and returns the parsed answer. If an HTTP error's body is a JSON-RPC error, throws that error.
 * Rejects with the signal's reason when the caller aborts.
 */
export async function postJson(url: string, body: unknown, options: PostOptions): Promise<unknown> {
  const { signal, timeoutMs } = options;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await options.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await readText(response, options.maxBytes);
    return parseAnswer(response, text);
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted)
      throw rpcError({ kind: 'unreachable' }, { reason: `no answer within ${timeoutMs} ms` }, error);
    if (error instanceof LatchkeyError) throw error;
    throw unreachable(error);
  }
}

/** Node's error codes for a connection that was never established; browsers and Workers do not expose them. */
const NO_CONNECTION: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

function unreachable(error: unknown): LatchkeyError {
  const cause = error instanceof Error && error.cause;
  const notDelivered = isRecord(cause) && NO_CONNECTION.includes(cause.code);
  const reason = `the node cannot be reached (${messageOf(error)})`;
  return rpcError({ kind: 'unreachable', notDelivered }, { reason }, error);
}

function parseAnswer(response: Response, text: string): unknown {
  const answer = parseJson(text);
  if (!response.ok) {
    const { status, statusText } = response;
    // A rate limit comes from in front of the node, whatever its body looks like.
    const isLimited = status === 429 || status === 403;
    if (!isLimited && isRecord(answer) && isRecord(answer.error)) throw errorFromAnswer(answer.error);
    const isTurnedAway = status < 500 && status !== 408;
    const reason = `${status} ${statusText}`.trim();
    const retryAfterMs = retryAfterOf(response);
    const failure = { kind: 'http', status, notDelivered: isTurnedAway } as const;
    throw rpcError({ ...failure, ...(retryAfterMs !== undefined && { retryAfterMs }) }, { reason });
  }
  if (text.trim() === '') {
    throw rpcError({ kind: 'malformed' }, { message: 'Empty response from RPC server' });
  }
  if (answer === undefined) throw rpcError({ kind: 'malformed' }, { reason: 'the answer is not JSON' });
  return answer;
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const text = await readBounded(response, maxBytes);
  if (text !== undefined) return text;
  throw rpcError({ kind: 'malformed' }, { reason: `the answer is larger than ${maxBytes} bytes` });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { LatchkeyError } from '../errors/latchkey-error.js';
import type { WaitUntil } from '../types.js';
import type { Nodes, RequestOptions } from './asked-nodes.js';
import { postJson } from './http.js';
import { defaultAgreement, isThisMachine } from './providers.js';
import { reader, resultOf } from './rpc-answer.js';
import type { Node, RpcClient, RpcClientOptions } from './rpc-client.js';
import { isFinalAnswer, type RpcFailure, type RpcFailureKind, rpcError, rpcFailure } from './rpc-error.js';
import { createViews } from './views.js';

const SIDELINED_MS = 30_000;
const SIDELINING: ReadonlySet<RpcFailureKind> = new Set(['unreachable', 'http', 'malformed', 'node']);
const DEFAULT_WAIT: WaitUntil = 'EXECUTED_OPTIMISTIC';

/** Creates a client for one or several nodes. Throws INVALID_RPC_URL or INVALID_CONFIG for unusable addresses. */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  const urls = parseRpcUrls(options.urls);
  const nodes: Node[] = urls.map((url) => ({
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
function loadTransactions(): Promise<typeof import('./transaction-state.js')> {
  return import('./transaction-state.js');
}

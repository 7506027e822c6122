/** A node that lies: a proxy before an honest one, which forwards each request and changes what comes back. */
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';

/** A JSON-RPC answer of a node. */
export interface NodeAnswer {
  result?: Record<string, unknown>;
  error?: unknown;
}

/** The parameters of the request that is answered. */
export type AskedParams = Readonly<Record<string, unknown>>;

/** Makes a lie out of the truth. */
export type Lie = (truth: NodeAnswer, asked: AskedParams) => unknown;

export interface LyingNode {
  readonly url: string;
  /** The requests: see {@link FaultProxy.calls}. */
  readonly calls: FaultProxy['calls'];
  /**
   * Lies in each answer to this call, named as the fault proxy names it, or in so many of them, until the node tells the
   * truth.
   */
  lie(name: string, lie: Lie, times?: number): void;
  /** Answers this call so, with this HTTP status or 200, and keeps the request to itself. */
  withhold(name: string, answer: unknown, status?: number): void;
  tellTruth(): void;
  close(): Promise<void>;
}

/** Starts a node that answers like the one at `target`, and lies on request. */
export async function startLyingNode(target: string): Promise<LyingNode> {
  const proxy = await startFaultProxy(target);
  return {
    url: proxy.url,
    calls: proxy.calls,
    lie: (name, lie, times) => {
      const rewrite = (truth: NodeAnswer, request: string) =>
        lie(truth, (JSON.parse(request) as { params: AskedParams }).params);
      proxy.fail(name, { kind: 'rewrite-answer', rewrite }, times);
    },
    withhold: (name, body, status = 200) => void proxy.fail(name, { kind: 'status', status, body }),
    tellTruth: proxy.heal,
    close: proxy.close,
  };
}

/** The block of an honest answer, so that a lie names a real one. */
function placeOf({ result, error }: NodeAnswer): Record<string, unknown> {
  const info = (error as { cause?: { info?: Record<string, unknown> } } | undefined)?.cause?.info;
  const { block_height, block_hash } = result ?? info ?? {};
  return { block_height, block_hash };
}

const refusal = (cause: string, info: object) => ({
  jsonrpc: '2.0',
  id: '1',
  error: { name: 'HANDLER_ERROR', cause: { name: cause, info }, code: -32000, message: 'Server error' },
});

/** A view of a contract returns this value. */
export const returns =
  (value: unknown): Lie =>
  (truth) => {
    const result = [...new TextEncoder().encode(JSON.stringify(value))];
    return { jsonrpc: '2.0', id: '1', result: { result, logs: [], ...placeOf(truth) } };
  };

/** The account does not exist. */
export const noAccount: Lie = (truth, { account_id }) =>
  refusal('UNKNOWN_ACCOUNT', { requested_account_id: account_id, ...placeOf(truth) });

/** The account exists. */
export const anAccount: Lie = (truth) => ({
  jsonrpc: '2.0',
  id: '1',
  result: {
    amount: '1',
    locked: '0',
    code_hash: '11111111111111111111111111111111',
    storage_usage: 182,
    ...placeOf(truth),
  },
});

/** The account has no such key. */
export const noKey: Lie = (truth, { public_key }) =>
  refusal('UNKNOWN_ACCESS_KEY', { public_key, ...placeOf(truth) });

/** The account has this key, of full access. */
export const fullAccess: Lie = (truth) => ({
  jsonrpc: '2.0',
  id: '1',
  result: { nonce: 1, permission: 'FullAccess', ...placeOf(truth) },
});

/** The account has only this key, of full access. */
export const onlyKey =
  (publicKey: string): Lie =>
  (truth) => ({
    jsonrpc: '2.0',
    id: '1',
    result: {
      keys: [{ public_key: publicKey, access_key: { nonce: 1, permission: 'FullAccess' } }],
      ...placeOf(truth),
    },
  });

/** No block holds the transaction. */
export const noTransaction: Lie = (_truth, { tx_hash }) =>
  refusal('UNKNOWN_TRANSACTION', { requested_transaction_hash: tx_hash });

/** The transaction is invalid, for this reason. */
export const invalidTransaction = (reason: unknown) => ({
  jsonrpc: '2.0',
  id: '1',
  error: {
    name: 'HANDLER_ERROR',
    cause: { name: 'INVALID_TRANSACTION', info: {} },
    code: -32000,
    message: 'Server error',
    data: { TxExecutionError: { InvalidTxError: reason } },
  },
});

/** The contract called by the transaction returned this value, and gave everything back. */
export const returned =
  (value: unknown): Lie =>
  (truth) => {
    const status = { SuccessValue: Buffer.from(JSON.stringify(value)).toString('base64') };
    return truth.result ? { ...truth, result: { ...truth.result, status } } : truth;
  };

/** The transaction ran and failed. */
export const failed: Lie = (truth) => {
  const Failure = { ActionError: { index: 0, kind: { AccountDoesNotExist: { account_id: 'a.testnet' } } } };
  return { ...truth, result: { ...truth.result, status: { Failure } } };
};

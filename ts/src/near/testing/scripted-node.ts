/** Nodes for tests that answer each method from its own list, in nearcore's words; the last answer repeats. */
import { createRpcClient, type RpcClientOptions } from '../index.js';

export const HASH = '11111111111111111111111111111111';

export type Reply =
  | {
      readonly result?: unknown;
      readonly error?: unknown;
      readonly status?: number;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | Error
  /** Never answers. */
  | 'silence';

export type Script = Readonly<Partial<Record<'send_tx' | 'tx' | 'query' | 'block', readonly Reply[]>>>;

/** The envelope of nearcore's structured errors. */
export function handlerError(name: string, info: unknown, data: unknown) {
  const cause = info === undefined ? { name } : { name, info };
  return { error: { name: 'HANDLER_ERROR', cause, code: -32000, message: 'Server error', data } };
}

/** A refusal at submission (`InvalidTxError`). */
export const invalid = (InvalidTxError: unknown) =>
  handlerError('INVALID_TRANSACTION', {}, { TxExecutionError: { InvalidTxError } });

export const INVALID_NONCE = invalid({ InvalidNonce: { tx_nonce: 5, ak_nonce: 7 } });
export const EXPIRED = invalid('Expired');
export const UNKNOWN_TRANSACTION = handlerError(
  'UNKNOWN_TRANSACTION',
  { requested_transaction_hash: HASH },
  `Transaction ${HASH} doesn't exist`,
);
export const UNKNOWN_BLOCK = { status: 422, ...handlerError('UNKNOWN_BLOCK', {}, 'DB Not Found Error') };
export const UNKNOWN_KEY = handlerError('UNKNOWN_ACCESS_KEY', {}, 'no such key');
/** Before nearcore 2.14; `timeout(cause)` from then on. */
export const OLD_TIMEOUT = { status: 408, ...handlerError('TIMEOUT_ERROR', undefined, 'Timeout') };
export const timeout = (info: Readonly<Record<string, unknown>>) => ({
  status: 408,
  ...handlerError('TIMEOUT_ERROR', info, 'Timeout'),
});
/** A node that does not track the signer's shard. */
export const UNTRACKED = { result: { final_execution_status: 'NONE' } };
export const BAD_GATEWAY = { status: 502, text: '' };

export const keyWithNonce = (nonce: bigint, height = 7) => ({
  result: { nonce: Number(nonce), permission: 'FullAccess', block_height: height, block_hash: HASH },
});
export const blockAt = (height: number) => ({
  result: { header: { height, hash: HASH, timestamp_nanosec: '1' } },
});

interface Request {
  readonly node: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A client of these nodes, and its requests in order. */
export function scriptedNodes(
  script: Readonly<Record<string, Script>>,
  options: Partial<RpcClientOptions> = {},
) {
  const requests: Request[] = [];
  const counts = new Map<string, number>();
  const client = createRpcClient({
    urls: Object.keys(script).map((name) => `https://${name}.example`),
    ...options,
    fetch: async (url, init) => {
      const node = new URL(String(url)).hostname.split('.')[0] ?? '';
      const { method, params } = JSON.parse(String(init?.body)) as Omit<Request, 'node'>;
      requests.push({ node, method, params });
      const key = `${node} ${method}`;
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      const replies = script[node]?.[method as keyof Script] ?? [];
      const reply = replies[Math.min(count, replies.length - 1)];
      if (!reply) throw new Error(`${node} has no answer to ${method}`);
      if (reply instanceof Error) throw reply;
      if (reply === 'silence') return untilAborted(init?.signal);
      const { status = 200, text, headers, ...envelope } = reply;
      const body = text ?? JSON.stringify({ jsonrpc: '2.0', id: '1', ...envelope });
      return new Response(body, { status, ...(headers && { headers }) });
    },
  });
  return { client, requests, methods: () => requests.map(({ method }) => method) };
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

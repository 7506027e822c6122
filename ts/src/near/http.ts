/** Posts one bounded JSON request: a time limit, a size limit, and errors that name the limit reached. */
import { readBounded } from '../bounded-body.js';
import { LatchkeyError, messageOf } from '../errors/latchkey-error.js';
import { isRecord } from '../is-record.js';
import { errorFromAnswer, rpcError } from './rpc-error.js';

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

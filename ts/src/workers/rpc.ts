/**
 * Calls between the page and a worker, over Comlink, plus what Comlink lacks: a worker says when it is ready, errors keep
 * code and cause, no call hangs when a worker ends, and calls can be cancelled or time out.
 */
import { expose, type Remote, releaseProxy, transfer, wrap } from 'comlink';
import {
  CANCELLED,
  CRYPTO_FAILED,
  cancelledBy,
  type ErrorValues,
  errorFrom,
  isErrorCode,
  LatchkeyError,
  type LatchkeyErrorCode,
  messageOf,
  UNKNOWN_WORKER_RESPONSE,
  WORKER_CLOSED,
  WORKER_FAILED,
  WORKER_TIMEOUT,
} from '../errors/wallet.js';

const READY = 'latchkey:ready';
const START_TIMEOUT_MS = 10_000;
const MAX_CAUSE_DEPTH = 4;

/** What a worker's method gets after its arguments. */
export interface CallContext {
  /** Aborts when the page cancels the call. Running WASM does not see it: only ending the worker stops that. */
  readonly signal: AbortSignal;
  /** Transfers the buffers with the result instead of copying them. */
  move<T>(value: T, buffers: Transferable[]): T;
}

/** A worker's methods, as the page sees them: plain data in, plain data out. */
// biome-ignore lint/suspicious/noExplicitAny: the bound of a method table, each method is typed where it is declared
export type WorkerApi = Record<string, (...args: any[]) => unknown>;

/** The same methods as the worker implements them. */
export type WorkerMethods<Api extends WorkerApi> = {
  readonly [K in keyof Api]: (
    ...args: [...Parameters<Api[K]>, CallContext]
  ) => ReturnType<Api[K]> | Promise<ReturnType<Api[K]>>;
};

type Answer = { readonly ok: unknown } | { readonly error: WireError };

interface WireError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** Of a LatchkeyError. */
  readonly values?: ErrorValues | undefined;
  readonly cause?: WireError;
}

interface Endpoint {
  call(id: number, name: string, args: unknown[]): Promise<Answer>;
  cancel(id: number): void;
}

// ---------------------------------------------------------------- worker side

/** Serves the methods. Call it once, at the top level of the worker's module, before any await. */
export function serve<Api extends WorkerApi>(methods: WorkerMethods<Api>): void {
  const running = new Map<number, AbortController>();
  const endpoint: Endpoint = {
    async call(id, name, args) {
      const controller = new AbortController();
      running.set(id, controller);
      let buffers: Transferable[] = [];
      const context: CallContext = {
        signal: controller.signal,
        move: (value, moved) => {
          buffers = moved;
          return value;
        },
      };
      try {
        const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
        if (!method) throw new LatchkeyError(WORKER_FAILED, { values: { reason: `no method ${name}` } });
        const ok: unknown = await (method as (...all: unknown[]) => unknown)(...args, context);
        if (buffers.length === 0) structuredClone(ok);
        return transfer({ ok }, buffers);
      } catch (error) {
        return { error: toWire(error) };
      } finally {
        running.delete(id);
      }
    },
    cancel(id) {
      running.get(id)?.abort();
    },
  };
  expose(endpoint);
  postMessage(READY);
}

function toWire(error: unknown, depth = 0): WireError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const code: unknown = (error as { readonly code?: unknown }).code;
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(error instanceof LatchkeyError && { values: error.values }),
    ...(error.cause !== undefined && depth < MAX_CAUSE_DEPTH && { cause: toWire(error.cause, depth + 1) }),
  };
}

// ---------------------------------------------------------------- page side

/** Codes of the WASM that are codes of the wallet too. */
const SHARED_CODES: readonly (string | undefined)[] = [
  'INVALID_ACCOUNT_ID',
  'INVALID_CREDENTIAL',
  'INTENT_DIGEST_MISMATCH',
  'NO_TRANSACTIONS',
] satisfies LatchkeyErrorCode[];
const isShared = (code: string | undefined): code is LatchkeyErrorCode => SHARED_CODES.includes(code);

function fromWire(wire: WireError): LatchkeyError {
  const cause = wire.cause && fromWire(wire.cause);
  const { code, message } = wire;
  if ((wire.name === 'LatchkeyError' && isErrorCode(code)) || isShared(code))
    return errorFrom({ code, message, values: wire.values, cause });
  if (wire.code) {
    return new LatchkeyError(CRYPTO_FAILED, {
      message: wire.message,
      cause,
      details: { workerCode: wire.code },
    });
  }
  if (wire.name === 'AbortError') return new LatchkeyError(CANCELLED, { cause });
  return new LatchkeyError(WORKER_FAILED, { values: { reason: wire.message }, cause });
}

export interface CallOptions {
  /** An abort rejects the call immediately with the signal's reason, and tells the worker. */
  readonly signal?: AbortSignal | undefined;
  /** After this long the call rejects with WORKER_TIMEOUT and tells the worker. */
  readonly timeoutMs?: number | undefined;
  /** Buffers to transfer instead of copying; they are empty here afterwards. */
  readonly transfer?: Transferable[] | undefined;
  /** End the worker on abort or timeout: the only way to stop running WASM. */
  readonly hard?: boolean | undefined;
}

/** A started worker. */
export interface WorkerClient<Api extends WorkerApi> {
  /** Resolves when the worker answers calls; rejects when it could not start. */
  readonly ready: Promise<void>;
  /** Why the worker is gone, once it is. */
  readonly dead: LatchkeyError | undefined;
  call<K extends keyof Api & string>(
    name: K,
    args: Parameters<Api[K]>,
    options?: CallOptions,
  ): Promise<Awaited<ReturnType<Api[K]>>>;
  /** Ends the worker; calls still running reject with WORKER_CLOSED. */
  close(): void;
}

export interface ConnectOptions {
  readonly startTimeoutMs?: number;
  /** Called once, when the worker has ended for any reason. */
  readonly onDeath?: (reason: LatchkeyError) => void;
}

/** Starts a worker and connects to it. */
export function connect<Api extends WorkerApi>(
  start: () => Worker,
  { startTimeoutMs = START_TIMEOUT_MS, onDeath }: ConnectOptions = {},
): WorkerClient<Api> {
  const worker = start();
  const remote: Remote<Endpoint> = wrap<Endpoint>(worker);
  const waiting = new Set<(reason: unknown) => void>();
  let dead: LatchkeyError | undefined;
  let lastId = 0;

  const die = (reason: LatchkeyError): void => {
    if (dead) return;
    dead = reason;
    // Comlink's registry holds the worker for as long as its proxy lives, and the worker's listeners hold the proxy.
    remote[releaseProxy]();
    worker.terminate();
    for (const reject of [...waiting]) reject(reason);
    waiting.clear();
    onDeath?.(reason);
  };

  const ready = new Promise<void>((resolve, reject) => {
    waiting.add(reject);
    const timer = setTimeout(
      () => die(new LatchkeyError(WORKER_FAILED, { values: { reason: 'the worker did not start' } })),
      startTimeoutMs,
    );
    const settle = (): void => {
      clearTimeout(timer);
      waiting.delete(reject);
    };
    worker.addEventListener('message', (event) => {
      if (event.data !== READY) return;
      settle();
      resolve();
    });
    worker.addEventListener('error', (event) => {
      clearTimeout(timer);
      event.preventDefault();
      die(
        new LatchkeyError(WORKER_FAILED, {
          values: { reason: event.message || 'its script did not load' },
        }),
      );
    });
    worker.addEventListener('messageerror', () =>
      die(new LatchkeyError(WORKER_FAILED, { values: { reason: 'an unreadable message' } })),
    );
  });
  ready.catch(() => undefined);

  return {
    ready,
    get dead() {
      return dead;
    },
    close: () => die(new LatchkeyError(WORKER_CLOSED)),
    call(name, args, { signal, timeoutMs, transfer: moved = [], hard = false } = {}) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        if (dead) return reject(dead);
        if (signal?.aborted) return reject(cancelledBy(signal));
        let timer: ReturnType<typeof setTimeout> | undefined;
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          waiting.delete(fail);
        };
        const fail = (reason: unknown): void => {
          settle();
          reject(reason);
        };
        const giveUp = (reason: LatchkeyError): void => {
          fail(reason);
          if (hard) die(reason);
          else if (!dead) remote.cancel(id).catch(() => undefined);
        };
        const onAbort = (): void => giveUp(cancelledBy(signal));
        signal?.addEventListener('abort', onAbort, { once: true });
        if (timeoutMs !== undefined) {
          timer = setTimeout(
            () => giveUp(new LatchkeyError(WORKER_TIMEOUT, { values: { ms: timeoutMs } })),
            timeoutMs,
          );
        }
        waiting.add(fail);
        const send = async (): Promise<void> => {
          await ready;
          if (!waiting.has(fail)) return;
          const answer: unknown = await remote.call(id, name, transfer(args, moved));
          settle();
          if (!isAnswer(answer)) return reject(new LatchkeyError(UNKNOWN_WORKER_RESPONSE));
          if ('error' in answer) reject(fromWire(answer.error));
          else resolve(answer.ok as never);
        };
        send().catch((error) =>
          fail(
            error instanceof LatchkeyError
              ? error
              : new LatchkeyError(WORKER_FAILED, { values: { reason: messageOf(error) }, cause: error }),
          ),
        );
      });
    },
  };
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && ('ok' in value || 'error' in value);
}

/** The host's end of the port: requests, their reports and answers, and what becomes of them when none comes. */
import { LatchkeyError } from '../../errors/frame.js';
import type { LoginState } from '../../types.js';
import { MAX_ANSWER_SIZE } from '../plain.js';
import {
  type EndOf,
  type HostRequest,
  type Message,
  type MessageType,
  messageNamed,
  type PayloadOf,
  type Progress,
  type ResultOf,
  type StickyEnd,
  type WalletMessage,
  type WireError,
  walletMessage,
} from '../protocol/index.js';
import { copied, fromWireError, invalid, read } from '../wire-error.js';
import { overlayOn } from './overlay-phases.js';

/** How long a cancelled request may take to say what became of it: longer than the wallet gives its flow. */
const CANCEL_WAIT_MS = 5_000;

/** What a sticky request came to after its result. */
export type End<T> = { readonly ok: true; readonly result: T } | { readonly ok: false; readonly error: LatchkeyError };

export interface RequestCall<T extends MessageType> {
  readonly onProgress?: (progress: Progress) => void;
  /** The request's own UI in the wallet, beside confirmations: the key viewer, the code of a linking. */
  readonly onUi?: (state: 'opened' | 'closed') => void;
  /** Told once, after the result of a sticky request: nothing comes after it. */
  readonly onEnd?: (end: End<EndOf<T>>) => void;
  /** Cancels the request in the wallet. It answers with what became of it, or rejects with CANCELLED. */
  readonly signal?: AbortSignal;
  /** Longest silence of the wallet; default the client's. Null: none. Nothing is counted while a person is waited for. */
  readonly timeoutMs?: number | null;
  /** Whether reports go on after the result. Default: as the message's policy has it. */
  readonly sticky?: boolean;
}

export interface PortClient {
  /**
   * Sends the request and resolves with its result. Rejects with the wallet's error, REQUEST_TIMEOUT (the wallet is
   * told to cancel), INVALID_MESSAGE (a payload that cannot be sent, or an answer of another version), CANCELLED, or
   * the reason of {@link close}. A cancelled flow that says itself what became of it resolves with that.
   */
  request<T extends MessageType>(
    type: T,
    payload: PayloadOf<T>,
    call?: RequestCall<T>,
  ): Promise<ResultOf<T>>;
  /** What the wallet tells unasked; returns what ends it. */
  onLoginState(listener: (state: LoginState) => void): () => void;
  /** Cancels every request that runs. */
  cancelAll(): Promise<void>;
  /** Rejects what is pending with the reason, and closes the port. */
  close(reason: LatchkeyError): void;
}

interface Pending {
  readonly type: MessageType;
  readonly entry: Message<unknown, unknown, unknown>;
  readonly call: RequestCall<MessageType>;
  readonly timeoutMs: number | null;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  timer?: ReturnType<typeof setTimeout>;
  isCancelled: boolean;
  /** Its result is there, and it goes on. */
  isAnswered: boolean;
}

export function createPortClient(
  port: MessagePort,
  { requestTimeoutMs }: { readonly requestTimeoutMs: number },
): PortClient {
  const pending = new Map<string, Pending>();
  const loginListeners = new Set<(state: LoginState) => void>();
  let counter = 0;
  let closed: LatchkeyError | undefined;

  const post = (request: Omit<HostRequest, 'requestId'>): string => {
    counter += 1;
    const requestId = `${Date.now()}-${counter}`;
    port.postMessage({ ...request, requestId });
    return requestId;
  };

  /** The request is over: what comes for it later is nobody's. */
  const finish = (id: string, { timer }: Pending): void => {
    clearTimeout(timer);
    pending.delete(id);
  };

  const fail = (id: string, of: Pending, error: LatchkeyError): void => {
    finish(id, of);
    if (of.isAnswered) of.call.onEnd?.({ ok: false, error });
    else of.reject(error);
  };

  const succeed = (id: string, of: Pending, result: unknown, goesOn: boolean): void => {
    finish(id, of);
    if (goesOn) pending.set(id, of);
    of.isAnswered = true;
    of.resolve(result);
  };

  const tellToCancel = (requestId: string): void => {
    post({ type: 'PM_CANCEL', payload: { requestId } });
  };

  const watch = (id: string, of: Pending, isWaiting = false): void => {
    clearTimeout(of.timer);
    if (isWaiting || of.isCancelled || of.isAnswered || of.timeoutMs === null) return;
    of.timer = setTimeout(() => {
      tellToCancel(id);
      fail(id, of, new LatchkeyError('REQUEST_TIMEOUT', { values: { type: of.type } }));
    }, of.timeoutMs);
  };

  const cancel = (id: string, of: Pending): void => {
    if (pending.get(id) !== of || of.isCancelled) return;
    of.isCancelled = true;
    tellToCancel(id);
    clearTimeout(of.timer);
    of.timer = setTimeout(() => fail(id, of, new LatchkeyError('CANCELLED')), CANCEL_WAIT_MS);
  };

  const failed = (id: string, of: Pending, { details: { result, ...details } = {}, ...rest }: WireError): void => {
    const error = fromWireError({ ...rest, details });
    // What a cancelled flow says itself: without it nobody could look up what had left the wallet.
    if (error.code !== 'CANCELLED' || result === undefined) return fail(id, of, error);
    if (of.isAnswered) return end(id, of, { ok: true, result });
    succeed(id, of, read(of.entry.result, result, of.type, 'result'), false);
  };

  const end = (id: string, of: Pending, told: StickyEnd): void => {
    if (!told.ok) return fail(id, of, fromWireError(told.error));
    const result = of.entry.end && read(of.entry.end, told.result, of.type, 'result');
    finish(id, of);
    of.call.onEnd?.({ ok: true, result: result as EndOf<MessageType> });
  };

  const take = (id: string, of: Pending, message: WalletMessage): void => {
    switch (message.type) {
      case 'PROGRESS':
        watch(id, of, message.payload.status === 'progress' && overlayOn(message.payload) === 'show');
        return of.call.onProgress?.(message.payload);
      case 'WALLET_UI_OPENED':
        watch(id, of, true);
        return of.call.onUi?.('opened');
      case 'WALLET_UI_CLOSED':
        watch(id, of);
        of.call.onUi?.('closed');
        return message.payload && of.isAnswered ? end(id, of, message.payload) : undefined;
      case 'PONG':
        return of.entry.policy.pong ? succeed(id, of, undefined, false) : undefined;
      case 'PM_RESULT': {
        if (of.entry.policy.pong || of.isAnswered) return;
        const { ok, result } = message.payload;
        if (!ok) return fail(id, of, new LatchkeyError('HOST_ERROR'));
        return succeed(id, of, read(of.entry.result, result, of.type, 'result'), isSticky(of));
      }
      case 'ERROR':
        return failed(id, of, message.payload);
    }
  };

  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    const id = idOf(data);
    const of = id === undefined ? undefined : pending.get(id);
    try {
      const message = read(walletMessage, copied(data, 'of the wallet', '', MAX_ANSWER_SIZE), 'of the wallet', '');
      if (message.type === 'LOGIN_STATE') for (const listener of loginListeners) listener(message.payload);
      else if (id !== undefined && of) take(id, of, message);
    } catch (error) {
      // Without a request of ours, it is nobody's.
      if (id !== undefined && of && error instanceof LatchkeyError) fail(id, of, error);
    }
  };
  port.addEventListener('message', onMessage);
  port.start();

  const request = <T extends MessageType>(
    type: T,
    payload: PayloadOf<T>,
    call: RequestCall<T> = {},
  ): Promise<ResultOf<T>> =>
    new Promise<unknown>((resolve, reject) => {
      if (closed) throw closed;
      const { signal, timeoutMs = requestTimeoutMs } = call;
      if (signal?.aborted) throw new LatchkeyError('CANCELLED', { cause: signal.reason });
      const entry = messageNamed(type);
      if (!entry) throw invalid(type, 'type', 'no such message');
      const sent = copied(payload, type, 'payload');
      const sticky = call.sticky ?? entry.policy.sticky ?? false;
      const id = post({ type, ...(sent !== undefined && { payload: sent }), ...(sticky && { options: { sticky } }) });
      const of: Pending = {
        type,
        entry,
        call: call as RequestCall<MessageType>,
        timeoutMs,
        resolve,
        reject,
        isCancelled: false,
        isAnswered: false,
      };
      pending.set(id, of);
      watch(id, of);
      signal?.addEventListener('abort', () => cancel(id, of), { once: true });
    }) as Promise<ResultOf<T>>;

  return {
    request,
    onLoginState: (listener) => {
      loginListeners.add(listener);
      return () => void loginListeners.delete(listener);
    },
    cancelAll: async () => {
      await request('PM_CANCEL', {});
    },
    close: (reason) => {
      closed ??= reason;
      port.removeEventListener('message', onMessage);
      port.close();
      for (const [id, of] of pending) fail(id, of, reason);
    },
  };
}

function isSticky({ call, entry }: Pending): boolean {
  return call.sticky ?? entry.policy.sticky ?? false;
}

function idOf(data: unknown): string | undefined {
  const id = typeof data === 'object' && data !== null && 'requestId' in data ? data.requestId : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The host's end of the port: requests, their reports and answers, and what becomes of them when none comes. */
import { LatchkeyError, toLatchkeyError } from '../../errors/frame.js';
import type { LoginState } from '../../types.js';
import type {
  EndOf,
  HostRequest,
  PayloadOf,
  Progress,
  ResultOf,
  StickyEnd,
  WalletMessage,
  WireError,
} from '../protocol/index.js';
import { type MessageType, POLICIES, type Policy } from '../protocol/policies.js';
import { copied, fromWireError } from '../wire-error.js';
import { overlayOn } from './overlay-phases.js';

type Answers = typeof import('./answers.js');

/** How long a cancelled request may take to say what became of it: longer than the wallet gives its flow. */
const CANCEL_WAIT_MS = 5_000;

/** What a sticky request came to after its result. */
export type End<T> =
  | { readonly ok: true; readonly result: T }
  | { readonly ok: false; readonly error: LatchkeyError };

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
  request<T extends MessageType>(type: T, payload: PayloadOf<T>, call?: RequestCall<T>): Promise<ResultOf<T>>;
  /** What the wallet tells unasked; returns what ends it. */
  onLoginState(listener: (state: LoginState) => void): () => void;
  /** Cancels every request that runs. */
  cancelAll(): Promise<void>;
  /** Rejects what is pending with the reason, and closes the port. */
  close(reason: LatchkeyError): void;
}

interface Pending {
  readonly type: MessageType;
  readonly policy: Policy;
  readonly call: RequestCall<MessageType>;
  readonly timeoutMs: number | null;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly isSticky: boolean;
  /** Aborts when the request is over. */
  readonly over: AbortController;
  timer?: ReturnType<typeof setTimeout>;
  isCancelled: boolean;
  /** Its result is there, and it goes on. */
  isAnswered: boolean;
}

type Handler = (id: string, of: Pending, message: WalletMessage) => void;
type Handlers = {
  readonly [Type in Exclude<WalletMessage['type'], 'LOGIN_STATE'>]: (
    id: string,
    of: Pending,
    message: Extract<WalletMessage, { readonly type: Type }>,
  ) => void;
};

export function createPortClient(
  port: MessagePort,
  { requestTimeoutMs }: { readonly requestTimeoutMs: number },
): PortClient {
  const pending = new Map<string, Pending>();
  const loginListeners = new Set<(state: LoginState) => void>();
  let counter = 0;
  let closed: LatchkeyError | undefined;
  let answers: Answers;
  let loading: Promise<void> | undefined;

  /** The reader of answers. One that did not load (offline, say) is asked for again by the next message. */
  const loadAnswers = (): Promise<void> => {
    loading ??= import('./answers.js').then(
      (loaded) => {
        answers = loaded;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  const post = (request: Omit<HostRequest, 'requestId'>): string => {
    counter += 1;
    const requestId = `${Date.now()}-${counter}`;
    port.postMessage({ ...request, requestId });
    return requestId;
  };

  /** The request is over: what comes for it later is nobody's. */
  const finish = (id: string, { timer, over }: Pending): void => {
    clearTimeout(timer);
    over.abort();
    pending.delete(id);
  };

  const fail = (id: string, of: Pending, error: LatchkeyError): void => {
    finish(id, of);
    if (of.isAnswered) of.call.onEnd?.({ ok: false, error });
    else of.reject(error);
  };

  const succeed = (id: string, of: Pending, result: unknown, goesOn: boolean): void => {
    of.isAnswered = true;
    if (goesOn) watch(id, of);
    else finish(id, of);
    of.resolve(result);
  };

  const tellToCancel = (requestId: string): void => {
    post({ type: 'PM_CANCEL', payload: { requestId } });
  };

  const watch = (id: string, of: Pending, isWaiting = false): void => {
    // A cancelled request has its own time, which nothing prolongs.
    if (of.isCancelled) return;
    clearTimeout(of.timer);
    if (isWaiting || of.isAnswered || of.timeoutMs === null) return;
    of.timer = setTimeout(() => {
      tellToCancel(id);
      fail(id, of, new LatchkeyError('REQUEST_TIMEOUT', { values: { type: of.type } }));
    }, of.timeoutMs);
  };

  const cancel = (id: string, of: Pending): void => {
    if (of.isCancelled) return;
    of.isCancelled = true;
    tellToCancel(id);
    clearTimeout(of.timer);
    of.timer = setTimeout(() => fail(id, of, new LatchkeyError('CANCELLED')), CANCEL_WAIT_MS);
  };

  const answer = (id: string, of: Pending, result: unknown, goesOn: boolean): void => {
    const read = answers.readResult(of.type, 'result', result);
    if ('error' in read) fail(id, of, read.error);
    else succeed(id, of, read.value, goesOn);
  };

  const end = (id: string, of: Pending, told: StickyEnd): void => {
    if (!told.ok) {
      fail(id, of, fromWireError(told.error));
      return;
    }
    const read = answers.readResult(of.type, 'end', told.result);
    if ('error' in read) {
      fail(id, of, read.error);
      return;
    }
    finish(id, of);
    of.call.onEnd?.({ ok: true, result: read.value as EndOf<MessageType> });
  };

  const failed = (id: string, of: Pending, { details = {}, ...rest }: WireError): void => {
    const { result, ...others } = details;
    // What a cancelled flow says itself: without it nobody could look up what had left the wallet.
    if (rest.code !== 'CANCELLED' || result === undefined) {
      fail(id, of, fromWireError({ ...rest, details: others }));
    } else if (of.isAnswered) {
      end(id, of, { ok: true, result });
    } else {
      answer(id, of, result, false);
    }
  };

  const handlers: Handlers = {
    PROGRESS: (id, of, { payload }) => {
      watch(id, of, payload.status === 'progress' && overlayOn(payload) === 'show');
      of.call.onProgress?.(payload);
    },
    WALLET_UI_OPENED: (id, of) => {
      watch(id, of, true);
      of.call.onUi?.('opened');
    },
    WALLET_UI_CLOSED: (id, of, { payload }) => {
      watch(id, of);
      of.call.onUi?.('closed');
      if (payload && of.isAnswered) end(id, of, payload);
    },
    PONG: (id, of) => {
      if (of.policy.pong) succeed(id, of, undefined, false);
    },
    PM_RESULT: (id, of, { payload: { ok, result } }) => {
      if (of.policy.pong || of.isAnswered) return;
      if (ok) answer(id, of, result, of.isSticky);
      else fail(id, of, new LatchkeyError('HOST_ERROR'));
    },
    ERROR: (id, of, { payload }) => failed(id, of, payload),
  };

  const take = (data: unknown): void => {
    const id = idOf(data);
    const of = id === undefined ? undefined : pending.get(id);
    const read = answers.readMessage(data);
    if ('error' in read) {
      // About no request of ours, it is nobody's.
      if (id !== undefined && of) fail(id, of, read.error);
    } else if (read.value.type === 'LOGIN_STATE') {
      for (const listener of loginListeners) listener(read.value.payload);
    } else if (id !== undefined && of) {
      (handlers[read.value.type] as Handler)(id, of, read.value);
    }
  };

  // What comes before the reader is loaded waits for it, in its order.
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    void loadAnswers().then(
      () => take(data),
      (error) => {
        const id = idOf(data);
        const of = id === undefined ? undefined : pending.get(id);
        if (id !== undefined && of) fail(id, of, toLatchkeyError(error, 'Reading the answer of the wallet'));
      },
    );
  };
  port.addEventListener('message', onMessage);
  port.start();
  // Ahead of the first answer, which tells of a failure.
  loadAnswers().catch(() => undefined);

  const request = <T extends MessageType>(
    type: T,
    payload: PayloadOf<T>,
    call: RequestCall<T> = {},
  ): Promise<ResultOf<T>> =>
    new Promise<unknown>((resolve, reject) => {
      if (closed) throw closed;
      const { signal, timeoutMs = requestTimeoutMs } = call;
      if (signal?.aborted) throw new LatchkeyError('CANCELLED', { cause: signal.reason });
      const policy: Policy = POLICIES[type];
      const sent = copied(payload, type, 'payload');
      const isSticky = call.sticky ?? policy.sticky ?? false;
      const id = post({
        type,
        ...(sent !== undefined && { payload: sent }),
        ...(isSticky && { options: { sticky: true } }),
      });
      const of: Pending = {
        type,
        policy,
        call: call as RequestCall<MessageType>,
        timeoutMs,
        resolve,
        reject,
        isSticky,
        over: new AbortController(),
        isCancelled: false,
        isAnswered: false,
      };
      pending.set(id, of);
      watch(id, of);
      signal?.addEventListener('abort', () => cancel(id, of), { signal: of.over.signal });
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

function idOf(data: unknown): string | undefined {
  const id = typeof data === 'object' && data !== null && 'requestId' in data ? data.requestId : undefined;
  return typeof id === 'string' ? id : undefined;
}

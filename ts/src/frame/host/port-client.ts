/** The host's end of the port: sends requests, and gives each what the wallet says of it. */
import { LatchkeyError, toLatchkeyError } from '../../errors/frame.js';
import type { LoginState } from '../../types.js';
import type { HostRequest, PayloadOf, ResultOf } from '../protocol/index.js';
import { type MessageType, POLICIES, type Policy } from '../protocol/policies.js';
import { copied } from '../wire-error.js';
import { type Answers, type OpenRequest, openRequest, type RequestCall } from './open-request.js';
import { createRequestClocks } from './request-clock.js';

/** The longest silence of the wallet over a request, unless client or call have another. */
const REQUEST_TIMEOUT_MS = 20_000;

export interface PortClientOptions {
  /** The longest silence of the wallet over a request. Default 20000. */
  readonly requestTimeoutMs?: number;
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

export function createPortClient(
  port: MessagePort,
  { requestTimeoutMs = REQUEST_TIMEOUT_MS }: PortClientOptions = {},
): PortClient {
  const open = new Map<string, OpenRequest>();
  const loginListeners = new Set<(state: LoginState) => void>();
  const clockOf = createRequestClocks();
  let counter = 0;
  let closed: LatchkeyError | undefined;
  let loading: Promise<Answers> | undefined;

  /** The reader of answers. One that did not load (offline, say) is asked for again by the next message. */
  const loadAnswers = (): Promise<Answers> => {
    loading ??= import('./answers.js').catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  const post = (request: Omit<HostRequest, 'requestId'>): string => {
    counter += 1;
    const requestId = `${Date.now()}-${counter}`;
    port.postMessage({ ...request, requestId });
    return requestId;
  };

  const take = (data: unknown, answers: Answers): void => {
    const read = answers.readMessage(data);
    // About no request of ours, it is nobody's.
    if ('error' in read) openOf(data)?.fail(read.error);
    else if (read.value.type !== 'LOGIN_STATE') openOf(data)?.take(read.value, answers);
    else for (const listener of loginListeners) listener(read.value.payload);
  };

  const openOf = (data: unknown): OpenRequest | undefined => {
    const id = typeof data === 'object' && data !== null && 'requestId' in data ? data.requestId : undefined;
    return typeof id === 'string' ? open.get(id) : undefined;
  };

  // What comes before the reader is loaded waits for it, in its order.
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    void loadAnswers().then(
      (answers) => take(data, answers),
      (error) => openOf(data)?.fail(toLatchkeyError(error, 'Reading the answer of the wallet')),
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
      const { signal, timeoutMs: limitMs = requestTimeoutMs } = call;
      if (signal?.aborted) throw new LatchkeyError('CANCELLED', { cause: signal.reason });
      const policy: Policy = POLICIES[type];
      const sent = copied(payload, type, 'payload');
      const isSticky = call.sticky ?? policy.sticky ?? false;
      const id = post({
        type,
        ...(sent !== undefined && { payload: sent }),
        ...(isSticky && { options: { sticky: true } }),
      });
      const opened = openRequest({
        type,
        call,
        isSticky,
        clockOf: (onSilence) => clockOf({ limitMs, queues: policy.flow !== undefined, onSilence }),
        resolve,
        reject,
        tellToCancel: () => void post({ type: 'PM_CANCEL', payload: { requestId: id } }),
        onOver: () => void open.delete(id),
      });
      open.set(id, opened);
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
      for (const opened of open.values()) opened.fail(reason);
    },
  };
}

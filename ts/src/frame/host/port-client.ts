/** The host's end of the port: sends requests, and routes the wallet's messages to them. */
import { cancelledBy, type LatchkeyError } from '../../errors/core.js';
import type { LoginState } from '../../types.js';
import {
  type HostRequest,
  MESSAGES,
  type MessageType,
  type PayloadOf,
  type Policy,
  type ResultOf,
} from '../protocol/index.js';
import { copied } from '../wire-error.js';
import { readMessage } from './answers.js';
import { type OpenRequest, openRequest, type RequestCall } from './open-request.js';
import { createRequestClock } from './request-clock.js';

/** The longest silence of the wallet over a request, unless the client or the call sets another. */
const REQUEST_TIMEOUT_MS = 20_000;
/** How long a page in doubt may take to answer PING. */
const PING_TIMEOUT_MS = 3_000;

export interface PortClientOptions {
  /** The longest silence of the wallet over a request. A flow goes on after it while its page answers PING. Default 20000. */
  readonly requestTimeoutMs?: number;
}

export interface PortClient {
  /**
   * Sends the request and resolves with its result. Rejects with the wallet's error, REQUEST_TIMEOUT (after telling
   * the wallet to cancel), INVALID_MESSAGE (a payload that cannot be sent, or an answer of another version),
   * CANCELLED, or the reason of {@link close}. A cancelled flow that reports its own outcome resolves with that.
   */
  request<T extends MessageType>(type: T, payload: PayloadOf<T>, call?: RequestCall<T>): Promise<ResultOf<T>>;
  policyOf(type: MessageType): Policy;
  /** Whether the wallet page answers PING, within 3 seconds. */
  isAlive(): Promise<boolean>;
  /** Subscribes to the login state, which the wallet sends unasked. Returns a function that ends it. */
  onLoginState(listener: (state: LoginState) => void): () => void;
  /** Cancels every open request. */
  cancelAll(): Promise<void>;
  /** Rejects pending requests with the reason, and closes the port. */
  close(reason: LatchkeyError): void;
}

export function createPortClient(
  port: MessagePort,
  { requestTimeoutMs = REQUEST_TIMEOUT_MS }: PortClientOptions = {},
): PortClient {
  const open = new Map<string, OpenRequest>();
  const loginListeners = new Set<(state: LoginState) => void>();
  let counter = 0;
  let closed: LatchkeyError | undefined;

  const post = (request: Omit<HostRequest, 'requestId'>): string => {
    counter += 1;
    const requestId = `${Date.now()}-${counter}`;
    port.postMessage({ ...request, requestId });
    return requestId;
  };

  const openOf = (data: unknown): OpenRequest | undefined => {
    const id = typeof data === 'object' && data !== null && 'requestId' in data ? data.requestId : undefined;
    return typeof id === 'string' ? open.get(id) : undefined;
  };

  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    const read = readMessage(data);
    // Messages about no open request are dropped.
    if ('error' in read) openOf(data)?.fail(read.error);
    else if (read.value.type !== 'LOGIN_STATE') openOf(data)?.take(read.value);
    else for (const listener of loginListeners) listener(read.value.payload);
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
      const { signal, timeoutMs: limitMs = requestTimeoutMs } = call;
      if (signal?.aborted) throw cancelledBy(signal);
      const policy: Policy = MESSAGES[type];
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
        isAlive,
        clockOf: (onSilence) => createRequestClock(limitMs, onSilence),
        resolve,
        reject,
        tellToCancel: () => void post({ type: 'PM_CANCEL', payload: { requestId: id } }),
        onOver: () => void open.delete(id),
      });
      open.set(id, opened);
    }) as Promise<ResultOf<T>>;

  const isAlive = (): Promise<boolean> =>
    request('PING', undefined, { timeoutMs: PING_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );

  return {
    request,
    isAlive,
    policyOf: (type) => MESSAGES[type],
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

/** The other side of the wallet end: a `Wallet` and its page's services, which record each call and give preset answers. */

import type { LoginState } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { createPortClient, type PortClient } from '../host/port-client.js';
import type { FrameServices } from '../protocol/index.js';
import { servePort } from '../wallet/serve-port.js';

export interface RecordedCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A method's answer to its arguments. */
export type Answers = Partial<Record<keyof Wallet | keyof FrameServices, (...args: never[]) => unknown>>;

export interface Recording {
  readonly wallet: Wallet;
  readonly services: FrameServices;
  readonly calls: RecordedCall[];
}

function recording(answers: Answers): Recording {
  const calls: RecordedCall[] = [];
  const recorder = new Proxy(
    {},
    {
      get:
        (_, method: keyof Answers) =>
        (...args: never[]) => {
          calls.push({ method, args });
          const answer = answers[method];
          if (!answer) throw new Error(`${method} was not to be called`);
          return answer(...args);
        },
    },
  );
  return { wallet: recorder as Wallet, services: recorder as FrameServices, calls };
}

/** A message as it arrived over the port. */
export interface Told {
  readonly type: string;
  readonly requestId?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

interface Served extends Recording {
  /** Every message of the wallet end. */
  readonly said: Told[];
  /** Every request to it. */
  readonly asked: Told[];
  readonly hostPort: MessagePort;
  tellLoginState(state: LoginState): void;
  close(): void;
}

function serve(answers: Answers): Served {
  const { port1, port2 } = new MessageChannel();
  const recorded = recording(answers);
  const said: Told[] = [];
  const asked: Told[] = [];
  port1.addEventListener('message', ({ data }) => said.push(data));
  port2.addEventListener('message', ({ data }) => asked.push(data));
  port1.start();
  let tell: (state: LoginState) => void = () => undefined;
  const served = servePort(port2, {
    ...recorded,
    onLoginState: (listener) => {
      tell = listener;
      return () => {
        tell = () => undefined;
      };
    },
  });
  return {
    ...recorded,
    said,
    asked,
    hostPort: port1,
    tellLoginState: (state) => tell(state),
    close: () => {
      served.close();
      port1.close();
    },
  };
}

export interface Connected extends Served {
  readonly client: PortClient;
  /** Resolves when both ends have handled all earlier messages. */
  settled(): Promise<void>;
}

/** Both ends over one channel. */
export function connect(answers: Answers, { requestTimeoutMs = 60_000 } = {}): Connected {
  const served = serve(answers);
  const client = createPortClient(served.hostPort, { requestTimeoutMs });
  const ping = () => client.request('PING', undefined, { timeoutMs: null });
  return {
    ...served,
    client,
    // Ports keep their order; the second round covers messages that the first one caused.
    settled: async () => {
      await ping();
      await ping();
    },
  };
}

export interface RawHost extends Served {
  /** Sends a request under the next id, and answers that id. */
  ask(type: string, payload?: unknown, options?: { readonly sticky?: boolean }): string;
  post(message: unknown): void;
  /** The answers to a request, once all earlier messages are handled. */
  answersTo(requestId: string | undefined): Promise<Told[]>;
}

/** The wallet end, and a host that sends raw messages. */
export function rawHost(answers: Answers): RawHost {
  const served = serve(answers);
  const { hostPort, said } = served;
  let counter = 0;
  const ask: RawHost['ask'] = (type, payload, options) => {
    counter += 1;
    const requestId = `1700000000000-${counter}`;
    hostPort.postMessage({
      type,
      requestId,
      ...(payload !== undefined && { payload }),
      ...(options && { options }),
    });
    return requestId;
  };
  const ping = (): Promise<void> =>
    new Promise((resolve) => {
      const id = ask('PING');
      const listening = new AbortController();
      hostPort.addEventListener(
        'message',
        ({ data }) => {
          if (data.requestId !== id) return;
          listening.abort();
          resolve();
        },
        { signal: listening.signal },
      );
    });
  return {
    ...served,
    ask,
    post: (message) => hostPort.postMessage(message),
    answersTo: async (requestId) => {
      await ping();
      await ping();
      return said.filter((one) => one.requestId === requestId);
    },
  };
}

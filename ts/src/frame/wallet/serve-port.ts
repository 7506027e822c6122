/**
 * The wallet page's end of the port: reads, runs and answers every request by its row of the table. Nothing throws
 * here, whatever a host sends, and each answer goes to its own request.
 */
import * as v from 'valibot';
import { HOST_BUSY, LatchkeyError } from '../../errors/frame.js';
import { isRecord } from '../../is-record.js';
import type { LoginState } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { MAX_REQUEST_SIZE } from '../plain.js';
import {
  type FrameServices,
  type HostRequest,
  hostRequest,
  loginState,
  type Message,
  messageNamed,
  requestId as requestIdSchema,
  type WalletMessage,
} from '../protocol/index.js';
import { read } from '../read.js';
import { copied, invalid } from '../wire-error.js';
import { errorMessage, toWireError } from './error-message.js';
import { MAX_ASKING, MAX_RUNNING } from './limits.js';
import type { Patience } from './patience.js';
import { RunningRequest } from './running-request.js';

export interface ServedPort {
  close(): void;
}

export interface ServedWallet {
  readonly wallet: Wallet;
  readonly services: FrameServices;
  /** Whether this place answers a message. Default: every message. */
  readonly serves?: (type: string) => boolean;
  /** How long the user's patience with this host lasts. */
  readonly patience?: Pick<Patience, 'assertMayAsk' | 'refused'>;
  /** Subscribes to the login state as this host may know it; returns a function that ends it. */
  readonly onLoginState: (listener: (state: LoginState) => void) => () => void;
}

/** Serves the wallet on the port until `close`, which cancels running requests. */
export function servePort(
  port: MessagePort,
  { wallet, services, patience, serves = () => true, onLoginState }: ServedWallet,
): ServedPort {
  const running = new Map<string, RunningRequest>();
  const ids = requestIds();
  const send = (message: WalletMessage): void => port.postMessage(message);

  const start = (data: unknown, requestId: string): void => {
    const asked = read(hostRequest, copied(data, 'of the host', '', MAX_REQUEST_SIZE), 'of the host', '');
    const { entry, payload } = readRequest(asked, serves);
    assertRoom(asked.type, entry, [...running.values()]);
    if (entry.click === 'always') patience?.assertMayAsk();
    const request = new RunningRequest(asked, entry, {
      wallet,
      services,
      patience,
      send,
      cancel: (by, id) => {
        for (const meant of meantBy(by, id)) meant.cancel();
      },
      onOver: () => running.delete(requestId),
    });
    running.set(requestId, request);
    void request.run(payload);
  };

  /** The running requests that a PM_CANCEL means. It may name one that has ended by now; that is no error. */
  const meantBy = (own: RunningRequest, id?: string): RunningRequest[] => {
    if (id === undefined) return [...running.values()].filter((request) => request !== own);
    if (id === own.requestId || !ids.wasTaken(id))
      throw invalid('PM_CANCEL', 'payload.requestId', 'no request has this id');
    const meant = running.get(id);
    return meant ? [meant] : [];
  };

  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    let requestId: string | undefined;
    try {
      requestId = ids.take(data);
      start(data, requestId);
    } catch (error) {
      send(errorMessage(requestId, toWireError(error)));
    }
  };

  const unreadable = (): void =>
    send(errorMessage(undefined, toWireError(invalid('of the host', '', 'cannot be read here'))));

  port.addEventListener('message', onMessage);
  port.addEventListener('messageerror', unreadable);
  port.start();
  const unsubscribe = onLoginState((state) => {
    const { success, output } = v.safeParse(loginState, state);
    if (success) send({ type: 'LOGIN_STATE', payload: output });
  });
  return {
    close: () => {
      unsubscribe();
      port.removeEventListener('message', onMessage);
      port.removeEventListener('messageerror', unreadable);
      for (const request of [...running.values()]) request.abandon();
      port.close();
    },
  };
}

/** The ids of a port's requests: `<ms>-<counter>`, each counter higher than the last. */
function requestIds() {
  let last = -1;
  return {
    /** Takes the request's id, once. Throws INVALID_MESSAGE where no answer can go under it. */
    take(data: unknown): string {
      const id = v.safeParse(requestIdSchema, isRecord(data) ? data.requestId : undefined);
      if (!id.success)
        throw invalid('of the host', 'requestId', 'is missing, or not of the form <ms>-<counter>');
      const counter = counterOf(id.output);
      if (counter <= last) throw invalid('of the host', 'requestId', 'its counter was used before');
      last = counter;
      return id.output;
    },
    wasTaken: (id: string): boolean => counterOf(id) <= last,
  };
}

function counterOf(requestId: string): number {
  return Number(requestId.slice(requestId.indexOf('-') + 1));
}

/** The row of the table for a request, and its payload by that row's schema. Throws INVALID_MESSAGE. */
function readRequest(
  { type, payload }: HostRequest,
  serves: (type: string) => boolean,
): { readonly entry: Message<unknown, unknown, unknown>; readonly payload: unknown } {
  const entry = messageNamed(type);
  if (!entry) throw invalid(type, 'type', 'no such message');
  if (!serves(type)) throw invalid(type, 'type', 'this address of the wallet does not answer it');
  return { entry, payload: read(entry.payload, payload, type, 'payload') };
}

/** Throws INVALID_MESSAGE where too many requests are running, and HOST_BUSY where too many may need the user. */
function assertRoom(type: string, entry: RunningRequest['entry'], running: readonly RunningRequest[]): void {
  if (running.length >= (entry.pong ? 2 : 1) * MAX_RUNNING)
    throw invalid(type, '', `${MAX_RUNNING} requests are running already`);
  if (mayAsk(entry) && running.filter((request) => mayAsk(request.entry)).length >= MAX_ASKING)
    throw new LatchkeyError(HOST_BUSY, { values: { count: MAX_ASKING } });
}

/** Whether a request may need the user. */
function mayAsk({ overlay }: RunningRequest['entry']): boolean {
  return overlay !== 'none';
}

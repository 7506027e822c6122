/**
 * The wallet page's end of the port: reads, runs and answers every request by its row of the table. Nothing throws
 * here, whatever a host sends, and each answer goes to its own request.
 */
import * as v from 'valibot';
import { isCancellation, LatchkeyError } from '../../errors/export.js';
import { isRecord } from '../../is-record.js';
import type { LoginState } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { MAX_ANSWER_SIZE, MAX_REQUEST_SIZE } from '../plain.js';
import {
  type FrameServices,
  type HostRequest,
  hostRequest,
  loginState,
  type Message,
  messageNamed,
  type Progress,
  progress,
  requestId as requestIdSchema,
  type Schema,
  type StickyEnd,
  type WalletMessage,
} from '../protocol/index.js';
import { read } from '../read.js';
import { copied, invalid } from '../wire-error.js';
import { errorMessage, toWireError } from './error-message.js';
import { MAX_ASKING, MAX_RUNNING } from './limits.js';
import type { Patience } from './patience.js';

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

/** How long a cancelled flow may take to report its outcome. */
const CANCEL_GRACE_MS = 3_000;

interface Running {
  readonly asked: HostRequest;
  readonly entry: Message<unknown, unknown, unknown>;
  readonly ending: AbortController;
  isCancelled: boolean;
  /** The result is sent, and a sticky request continues. */
  isAnswered: boolean;
}

/** Serves the wallet on the port until `close`, which cancels running requests. */
export function servePort(
  port: MessagePort,
  { wallet, services, patience, serves = () => true, onLoginState }: ServedWallet,
): ServedPort {
  const running = new Map<string, Running>();
  let lastCounter = -1;

  const send = (message: WalletMessage): void => port.postMessage(message);

  /** Whether the request is still to be answered: a cancelled one may already have its answer. */
  const isOpen = (of: Running): boolean => running.get(of.asked.requestId) === of;

  const report = (of: Running, event: Progress): void => {
    if (!isOpen(of) || (of.isAnswered && !of.asked.options?.sticky)) return;
    const { success, output } = v.safeParse(progress, event);
    if (success) send({ type: 'PROGRESS', requestId: of.asked.requestId, payload: output });
  };

  const fail = (of: Running, error: unknown, result?: unknown): void => {
    if (!isOpen(of)) return;
    running.delete(of.asked.requestId);
    send(errorMessage(of.asked.requestId, toWireError(error, of.entry.failure), result));
  };

  const cancel = (of: Running): void => {
    if (of.isCancelled) return;
    send({
      type: 'PROGRESS',
      requestId: of.asked.requestId,
      payload: { step: 0, phase: 'cancelled', status: 'error' },
    });
    of.isCancelled = true;
    of.ending.abort(new LatchkeyError('CANCELLED'));
    const end = (): void => fail(of, new LatchkeyError('CANCELLED'));
    if (of.entry.flow) setTimeout(end, CANCEL_GRACE_MS);
    else end();
  };

  /** The running requests that a PM_CANCEL means. It may name one that has ended by now; that is no error. */
  const meantBy = (own: string, id?: string): Running[] => {
    if (id === undefined) return [...running.values()].filter(({ asked }) => asked.requestId !== own);
    if (id === own || counterOf(id) > lastCounter) {
      throw invalid('PM_CANCEL', 'payload.requestId', 'no request has this id');
    }
    const meant = running.get(id);
    return meant ? [meant] : [];
  };

  const run = async (of: Running, payload: unknown): Promise<void> => {
    const { entry, ending } = of;
    const { requestId, type } = of.asked;
    let ended: Promise<unknown> | undefined;
    try {
      const value = await entry.run(wallet, payload, {
        options: { onEvent: (event) => report(of, event), signal: ending.signal },
        services,
        cancel: (id) => meantBy(requestId, id).forEach(cancel),
        until: (end) => {
          ended = end;
          // A cancelled request ignores its end; a rejection must not count as unhandled.
          end.catch(() => undefined);
        },
        ui: (state) => {
          if (isOpen(of)) send({ type: UI[state], requestId });
        },
      });
      const result = answerable(entry.result, value, type);
      if (of.isCancelled && !isSuccess(result)) return fail(of, new LatchkeyError('CANCELLED'), result);
      if (!isOpen(of)) return;
      send(
        entry.pong
          ? { type: 'PONG', requestId }
          : { type: 'PM_RESULT', requestId, payload: { ok: true, ...withResult(result) } },
      );
      of.isAnswered = true;
      if (ended && entry.end) await tellEnd(of, entry.end, ended);
      running.delete(requestId);
    } catch (error) {
      fail(of, of.isCancelled && isCancellation(error) ? new LatchkeyError('CANCELLED') : error);
    }
  };

  const tellEnd = async (of: Running, schema: Schema<unknown>, ended: Promise<unknown>): Promise<void> => {
    const { requestId, type } = of.asked;
    let end: StickyEnd;
    try {
      end = { ok: true, ...withResult(answerable(schema, await ended, type)) };
    } catch (error) {
      end = { ok: false, error: toWireError(error, of.entry.failure) };
    }
    if (of.isCancelled) return fail(of, new LatchkeyError('CANCELLED'), end.ok ? end.result : undefined);
    // Of the key viewer, which has no confirmer that would count.
    if (of.entry.flow === 'export' && end.ok && !isSuccess(end.result)) patience?.refused();
    send({ type: 'WALLET_UI_CLOSED', requestId, payload: end });
  };

  /** Takes the request's id, once. Throws INVALID_MESSAGE where no answer can go under it. */
  const takeId = (data: unknown): string => {
    const id = v.safeParse(requestIdSchema, isRecord(data) ? data.requestId : undefined);
    if (!id.success)
      throw invalid('of the host', 'requestId', 'is missing, or not of the form <ms>-<counter>');
    const counter = counterOf(id.output);
    if (counter <= lastCounter) throw invalid('of the host', 'requestId', 'its counter was used before');
    lastCounter = counter;
    return id.output;
  };

  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    let requestId: string | undefined;
    try {
      requestId = takeId(data);
      const asked = read(hostRequest, copied(data, 'of the host', '', MAX_REQUEST_SIZE), 'of the host', '');
      const { type } = asked;
      const entry = messageNamed(type);
      if (!entry) throw invalid(type, 'type', 'no such message');
      if (!serves(type)) throw invalid(type, 'type', 'this address of the wallet does not answer it');
      const payload = read(entry.payload, asked.payload, type, 'payload');
      if (running.size >= (entry.pong ? 2 : 1) * MAX_RUNNING)
        throw invalid(type, '', `${MAX_RUNNING} requests are running already`);
      if (mayAsk(entry) && [...running.values()].filter((of) => mayAsk(of.entry)).length >= MAX_ASKING)
        throw new LatchkeyError('HOST_BUSY', { values: { count: MAX_ASKING } });
      if (entry.click === 'always') patience?.assertMayAsk();
      const request = {
        asked,
        entry,
        ending: new AbortController(),
        isCancelled: false,
        isAnswered: false,
      };
      running.set(requestId, request);
      void run(request, payload);
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
      for (const { ending } of running.values()) ending.abort(new LatchkeyError('CANCELLED'));
      running.clear();
      port.close();
    },
  };
}

/** Whether a request may need the user. */
function mayAsk({ overlay }: Running['entry']): boolean {
  return overlay !== 'none';
}

const UI = { opened: 'WALLET_UI_OPENED', closed: 'WALLET_UI_CLOSED' } as const;

/** Reduces a result to the fields of its schema, ready to be sent. */
function answerable(schema: Schema<unknown>, value: unknown, type: string): unknown {
  return copied(read(schema, value, type, 'result'), type, 'result', MAX_ANSWER_SIZE);
}

function withResult(result: unknown): { readonly result?: unknown } {
  return result === undefined ? {} : { result };
}

/** Whether a flow succeeded anyway. */
function isSuccess(result: unknown): boolean {
  return [result].flat().every((one) => !isRecord(one) || one.success !== false);
}

function counterOf(requestId: string): number {
  return Number(requestId.slice(requestId.indexOf('-') + 1));
}

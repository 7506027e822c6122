/** One request of a host, from its start to its answer. Nothing throws here, whatever the wallet does. */
import * as v from 'valibot';
import { CANCELLED, isCancellation, LatchkeyError } from '../../errors/core.js';
import { isRecord } from '../../is-record.js';
import type { Wallet } from '../../wallet.js';
import { MAX_ANSWER_SIZE } from '../plain.js';
import {
  type FrameServices,
  type HostRequest,
  type Message,
  type Progress,
  progress,
  type Schema,
  type StickyEnd,
  type WalletMessage,
} from '../protocol/index.js';
import { read } from '../read.js';
import { copied } from '../wire-error.js';
import { errorMessage, toWireError } from './error-message.js';
import type { Patience } from './patience.js';

/** How long a cancelled flow may take to report its outcome. */
const CANCEL_GRACE_MS = 3_000;

export interface RequestSurroundings {
  readonly wallet: Wallet;
  readonly services: FrameServices;
  readonly patience?: Pick<Patience, 'refused'> | undefined;
  send(message: WalletMessage): void;
  /** Cancels the requests that a PM_CANCEL of this request means. */
  cancel(by: RunningRequest, requestId?: string): void;
  /** Called once, before the last message about the request. */
  onOver(request: RunningRequest): void;
}

export class RunningRequest {
  readonly requestId: string;
  /** Its row of the table. */
  readonly entry: Message<unknown, unknown, unknown>;
  readonly #asked: HostRequest;
  readonly #at: RequestSurroundings;
  readonly #ending = new AbortController();
  /** It has its last answer, or its host is gone. */
  #isOver = false;
  #isCancelled = false;
  /** The result is sent, and a sticky request continues. */
  #isAnswered = false;

  constructor(asked: HostRequest, entry: Message<unknown, unknown, unknown>, at: RequestSurroundings) {
    this.requestId = asked.requestId;
    this.entry = entry;
    this.#asked = asked;
    this.#at = at;
  }

  async run(payload: unknown): Promise<void> {
    const { entry, requestId } = this;
    let ended: Promise<unknown> | undefined;
    try {
      const value = await entry.run(this.#at.wallet, payload, {
        options: { onEvent: (event) => this.#report(event), signal: this.#ending.signal },
        services: this.#at.services,
        cancel: (id) => this.#at.cancel(this, id),
        until: (end) => {
          ended = end;
          // A cancelled request ignores its end; a rejection must not count as unhandled.
          end.catch(() => undefined);
        },
        ui: (state) => {
          if (!this.#isOver) this.#at.send({ type: UI[state], requestId });
        },
      });
      const result = answerable(entry.result, value, this.#asked.type);
      if (this.#isCancelled && !isSuccess(result)) return this.#fail(new LatchkeyError(CANCELLED), result);
      if (this.#isOver) return;
      this.#at.send(
        entry.pong
          ? { type: 'PONG', requestId }
          : { type: 'PM_RESULT', requestId, payload: { ok: true, ...withResult(result) } },
      );
      this.#isAnswered = true;
      if (ended && entry.end) await this.#tellEnd(entry.end, ended);
      this.#leave();
    } catch (error) {
      this.#fail(this.#isCancelled && isCancellation(error) ? new LatchkeyError(CANCELLED) : error);
    }
  }

  /** Tells the wallet to stop. The host hears how a flow ended, or of the cancellation alone after 3 seconds. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#at.send({
      type: 'PROGRESS',
      requestId: this.requestId,
      payload: { step: 0, phase: 'cancelled', status: 'error' },
    });
    this.#isCancelled = true;
    this.#ending.abort(new LatchkeyError(CANCELLED));
    const end = (): void => this.#fail(new LatchkeyError(CANCELLED));
    if (this.entry.flow) setTimeout(end, CANCEL_GRACE_MS);
    else end();
  }

  /** Stops it without an answer: the host is gone. */
  abandon(): void {
    this.#leave();
    this.#ending.abort(new LatchkeyError(CANCELLED));
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#at.onOver(this);
  }

  #report(event: Progress): void {
    if (this.#isOver || (this.#isAnswered && !this.#asked.options?.sticky)) return;
    const { success, output } = v.safeParse(progress, event);
    if (success) this.#at.send({ type: 'PROGRESS', requestId: this.requestId, payload: output });
  }

  #fail(error: unknown, result?: unknown): void {
    if (this.#isOver) return;
    this.#leave();
    this.#at.send(errorMessage(this.requestId, toWireError(error, this.entry.failure), result));
  }

  async #tellEnd(schema: Schema<unknown>, ended: Promise<unknown>): Promise<void> {
    const { requestId, entry } = this;
    let end: StickyEnd;
    try {
      end = { ok: true, ...withResult(answerable(schema, await ended, this.#asked.type)) };
    } catch (error) {
      end = { ok: false, error: toWireError(error, entry.failure) };
    }
    if (this.#isCancelled) return this.#fail(new LatchkeyError(CANCELLED), end.ok ? end.result : undefined);
    // Of the key viewer, which has no confirmer that would count.
    if (entry.flow === 'export' && end.ok && !isSuccess(end.result)) this.#at.patience?.refused();
    this.#at.send({ type: 'WALLET_UI_CLOSED', requestId, payload: end });
  }
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

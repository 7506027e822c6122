/** One open request of the host: it takes the wallet's messages about it and settles it. */
import { CANCELLED, HOST_ERROR, LatchkeyError, REQUEST_TIMEOUT } from '../../errors/frame.js';
import {
  type EndOf,
  MESSAGES,
  type MessageType,
  type Policy,
  type Progress,
  type StickyEnd,
  type WalletMessage,
  type WireError,
} from '../protocol/index.js';
import { fromWireError } from '../wire-error.js';
import { readResult } from './answers.js';
import { overlayOn } from './overlay-phases.js';
import type { RequestClock } from './request-clock.js';
import { SentIds } from './sent-ids.js';

/** How long a cancelled request may take to report its outcome: longer than the wallet gives its flow. */
const CANCEL_WAIT_MS = 5_000;

/** The end of a sticky request, after its result. */
export type End<T> =
  | { readonly ok: true; readonly result: T }
  | { readonly ok: false; readonly error: LatchkeyError };

export interface RequestCall<T extends MessageType> {
  readonly onProgress?: (progress: Progress) => void;
  /** The request's own UI in the wallet, apart from confirmations: the key viewer, the code of a linking. */
  readonly onUi?: (state: 'opened' | 'closed') => void;
  /** Called once, after the result of a sticky request; nothing follows it. */
  readonly onEnd?: (end: End<EndOf<T>>) => void;
  /** Cancels the request in the wallet. It then resolves with its outcome, or rejects with CANCELLED. */
  readonly signal?: AbortSignal;
  /**
   * Longest silence of the wallet; default the client's; null for none. Does not count while the wallet waits for a
   * user.
   */
  readonly timeoutMs?: number | null;
  /** Whether reports continue after the result. Default: the message's policy. */
  readonly sticky?: boolean;
}

/** A message of the wallet about a request. */
export type RequestMessage = Exclude<WalletMessage, { readonly type: 'LOGIN_STATE' }>;

type Handler = (message: RequestMessage) => void;
type Handlers = {
  readonly [Type in RequestMessage['type']]: (
    message: Extract<RequestMessage, { readonly type: Type }>,
  ) => void;
};

export interface OpenRequest {
  take(message: RequestMessage): void;
  fail(error: LatchkeyError): void;
}

export interface RequestOptions<T extends MessageType> {
  readonly type: T;
  readonly call: RequestCall<T>;
  readonly isSticky: boolean;
  /** Makes its clock, which calls `onSilence` when the wallet has been silent for too long. */
  readonly clockOf: (onSilence: () => void) => RequestClock;
  /** Whether the wallet page still answers. */
  readonly isAlive: () => Promise<boolean>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Tells the wallet to cancel it. */
  readonly tellToCancel: () => void;
  /** Messages about it that arrive later are dropped. */
  readonly onOver: () => void;
}

export function openRequest<T extends MessageType>({
  type,
  call,
  isSticky,
  clockOf,
  isAlive,
  resolve,
  reject,
  tellToCancel,
  onOver,
}: RequestOptions<T>): OpenRequest {
  const policy: Policy = MESSAGES[type];
  const over = new AbortController();
  /** The result has arrived, and the request continues. */
  let isAnswered = false;
  /** Counts the wallet's messages about the request. */
  let heardCount = 0;
  const sent = new SentIds();

  const finish = (): void => {
    clock.stop();
    over.abort();
    onOver();
  };

  const fail = (error: LatchkeyError): void => {
    finish();
    const told = policy.sends ? sent.withFate(error) : error;
    if (isAnswered) call.onEnd?.({ ok: false, error: told });
    else reject(told);
  };

  const succeed = (result: unknown, goesOn: boolean): void => {
    isAnswered = true;
    if (goesOn) clock.pause();
    else finish();
    resolve(result);
  };

  const answer = (result: unknown, goesOn: boolean): void => {
    const read = readResult(type, 'result', result);
    if ('error' in read) fail(read.error);
    else succeed(read.value, goesOn);
  };

  const end = (told: StickyEnd): void => {
    const read = told.ok ? readResult(type, 'end', told.result) : { error: fromWireError(told.error) };
    if ('error' in read) {
      fail(read.error);
      return;
    }
    finish();
    call.onEnd?.({ ok: true, result: read.value as EndOf<T> });
  };

  const failed = ({ details = {}, ...rest }: WireError): void => {
    const { result, ...others } = details;
    // The cancelled flow's own result: the host needs it to look up transactions that had left the wallet.
    if (rest.code !== 'CANCELLED' || result === undefined) {
      fail(fromWireError({ ...rest, details: others }));
    } else if (isAnswered) {
      end({ ok: true, result });
    } else {
      answer(result, false);
    }
  };

  const heard = (waitsForUser: boolean): void => {
    heardCount += 1;
    if (isAnswered || waitsForUser) clock.pause();
    else clock.restart();
  };

  const handlers: Handlers = {
    PROGRESS: ({ payload }) => {
      sent.hear(payload);
      heard(payload.status === 'progress' && overlayOn(payload) === 'show');
      call.onProgress?.(payload);
    },
    WALLET_UI_OPENED: () => {
      heard(true);
      call.onUi?.('opened');
    },
    WALLET_UI_CLOSED: ({ payload }) => {
      heard(false);
      call.onUi?.('closed');
      if (payload && isAnswered) end(payload);
    },
    PONG: () => {
      if (policy.pong) succeed(undefined, false);
    },
    PM_RESULT: ({ payload: { ok, result } }) => {
      if (policy.pong || isAnswered) return;
      if (ok) answer(result, isSticky);
      else fail(new LatchkeyError(HOST_ERROR));
    },
    ERROR: ({ payload }) => failed(payload),
  };

  const giveUp = (): void => {
    if (!policy.pong) tellToCancel();
    fail(new LatchkeyError(REQUEST_TIMEOUT, { values: { type } }));
  };

  /** A flow has limits of its own, and may have sent something: it goes on while its page lives. */
  const onSilence = async (): Promise<void> => {
    if (!policy.flow) return giveUp();
    const before = heardCount;
    const isThere = await isAlive();
    if (over.signal.aborted || heardCount !== before) return;
    if (isThere) clock.restart();
    else giveUp();
  };

  const clock = clockOf(() => void onSilence());
  clock.restart();
  call.signal?.addEventListener(
    'abort',
    () => {
      tellToCancel();
      clock.endIn(CANCEL_WAIT_MS, () => fail(new LatchkeyError(CANCELLED)));
    },
    { once: true, signal: over.signal },
  );
  return { take: (message) => (handlers[message.type] as Handler)(message), fail };
}

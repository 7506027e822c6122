/** The messages on the port between a host and the wallet page, both ways (interop, section 8). */
import * as v from 'valibot';
import type { ErrorValues, LatchkeyErrorCode } from '../../errors/latchkey-error.js';
import { arrivedDetails, progressData } from './reports.js';
import { loginState } from './results.js';
import {
  code,
  errorValues,
  exact,
  flag,
  json,
  oneOf,
  only,
  optional,
  requestId,
  sentence,
  text,
  wholeNumber,
} from './schemas.js';

/** A host's request. The message's own schema checks `payload`. */
export interface HostRequest {
  readonly type: string;
  readonly requestId: string;
  readonly payload?: unknown;
  /** `sticky`: the request's reports continue after its result, until WALLET_UI_CLOSED marks its end. */
  readonly options?: { readonly sticky?: boolean };
}

export const hostRequest = exact<HostRequest>({
  type: text(64),
  requestId,
  payload: optional(json),
  options: optional(exact<{ readonly sticky?: boolean }>({ sticky: optional(flag) })),
});

/** One report of a running request: a flow's event, without the flow's name. */
export interface Progress {
  readonly step: number;
  readonly phase: string;
  readonly status: 'progress' | 'success' | 'error';
  readonly message?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: Omit<WireError, 'details'>;
}

export const progress = only<Progress>({
  step: wholeNumber,
  phase: text(64),
  status: oneOf('progress', 'success', 'error'),
  message: optional(sentence),
  data: optional(progressData),
  error: optional(v.object({ code, message: sentence, values: optional(errorValues) })),
});

/** An error as it travels. */
export interface WireError {
  readonly code: LatchkeyErrorCode;
  readonly message: string;
  /** Absent where the message is not the text of the code. */
  readonly values?: ErrorValues;
  readonly details?: Readonly<Record<string, unknown>>;
}

const wireError = only<WireError>({
  code,
  message: sentence,
  values: optional(errorValues),
  details: optional(arrivedDetails),
});

/** How a sticky request ended: with a value of the message's `end` schema, or an error. */
export type StickyEnd =
  | { readonly ok: true; readonly result?: unknown }
  | { readonly ok: false; readonly error: WireError };

/**
 * The wallet page's messages after READY. An ERROR without a requestId is about something that was no request, or
 * came under an id that was used before.
 */
export const walletMessage = v.variant('type', [
  v.object({ type: v.literal('PONG'), requestId }),
  v.object({ type: v.literal('PROGRESS'), requestId, payload: progress }),
  v.object({
    type: v.literal('PM_RESULT'),
    requestId,
    payload: v.object({ ok: flag, result: optional(json) }),
  }),
  v.object({ type: v.literal('ERROR'), requestId: optional(requestId), payload: wireError }),
  v.object({ type: v.literal('LOGIN_STATE'), payload: loginState }),
  v.object({ type: v.literal('WALLET_UI_OPENED'), requestId }),
  v.object({
    type: v.literal('WALLET_UI_CLOSED'),
    requestId,
    /** Present when the sticky request has ended; without it, its UI is closed and the request continues. */
    payload: optional(
      v.variant('ok', [
        v.object({ ok: v.literal(true), result: optional(json) }),
        v.object({ ok: v.literal(false), error: wireError }),
      ]),
    ),
  }),
]);

export type WalletMessage = v.InferOutput<typeof walletMessage>;

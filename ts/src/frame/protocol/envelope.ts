/** What travels on the port between a host and the wallet page, both ways (interop, section 8). */
import * as v from 'valibot';
import { ErrorDetailsSchema, ProgressDataSchema } from './reports.js';
import { LoginStateSchema } from './results.js';
import { CodeSchema, exact, only, optional, SHORT, text } from './schemas.js';

export const PROTOCOL_VERSION = '1.0.0';

/** `<milliseconds since 1970>-<counter>`; the counter grows with every request of a port. */
const RequestIdSchema = v.pipe(v.string(), v.regex(/^\d{1,16}-\d{1,12}$/));
const TypeSchema = v.pipe(v.string(), v.regex(/^[A-Z\d_]{1,64}$/));

/** What a host asks. `payload` is checked by the message's own schema. */
export interface HostRequest {
  readonly type: string;
  readonly requestId: string;
  readonly payload?: unknown;
  readonly options?: { readonly sticky?: boolean };
}

export const HostRequestSchema = exact<HostRequest>({
  type: TypeSchema,
  requestId: RequestIdSchema,
  payload: optional(v.unknown()),
  options: optional(exact<{ readonly sticky?: boolean }>({ sticky: optional(v.boolean()) })),
});

/** One report of a running request: a flow's event, without the flow's name. */
export interface Progress {
  readonly step: number;
  readonly phase: string;
  readonly status: string;
  readonly message?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly message: string };
}

/** An error as it travels: see {@link fromWireError} for what a host makes of it. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** How a sticky request ended after its result: with a value of the message's `end` schema, or an error. */
export type StickyEnd =
  | { readonly ok: true; readonly result?: unknown }
  | { readonly ok: false; readonly error: WireError };

const WireErrorSchema = only<WireError>({
  code: CodeSchema,
  message: text(SHORT),
  details: optional(ErrorDetailsSchema),
});

const ProgressSchema = only<Progress>({
  step: v.pipe(v.number(), v.integer(), v.minValue(0)),
  phase: text(64),
  status: v.picklist(['progress', 'success', 'error']),
  message: optional(text(SHORT)),
  data: optional(ProgressDataSchema),
  error: optional(v.object({ code: CodeSchema, message: text(SHORT) })),
});

/**
 * What the wallet page says. An ERROR without a requestId is about a message that is no request, or asks under an id
 * that was used before.
 */
export const WalletMessageSchema = v.variant('type', [
  v.object({ type: v.literal('READY'), payload: v.object({ protocolVersion: text(32) }) }),
  v.object({ type: v.literal('PONG'), requestId: RequestIdSchema }),
  v.object({ type: v.literal('PROGRESS'), requestId: RequestIdSchema, payload: ProgressSchema }),
  v.object({
    type: v.literal('PM_RESULT'),
    requestId: RequestIdSchema,
    payload: v.object({ ok: v.boolean(), result: optional(v.unknown()) }),
  }),
  v.object({ type: v.literal('ERROR'), requestId: optional(RequestIdSchema), payload: WireErrorSchema }),
  v.object({ type: v.literal('LOGIN_STATE'), payload: LoginStateSchema }),
  v.object({ type: v.literal('WALLET_UI_OPENED'), requestId: RequestIdSchema }),
  v.object({
    type: v.literal('WALLET_UI_CLOSED'),
    requestId: RequestIdSchema,
    payload: optional(
      v.union([
        v.object({ ok: v.literal(true), result: optional(v.unknown()) }),
        v.object({ ok: v.literal(false), error: WireErrorSchema }),
      ]),
    ),
  }),
]);

export type WalletMessage = v.InferOutput<typeof WalletMessageSchema>;

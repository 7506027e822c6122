/**
 * The messages that pass between the host's window and the wallet page's; all else goes over the port. Each is sent to
 * an exact origin, but for CONNECT without a port, which says nothing. What comes in is read by {@link readMessage}
 * alone.
 */
import * as v from 'valibot';
import type { RegistrationResult } from '../types.js';

const MAX_TEXT = 4_096;
const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
const accountId = v.pipe(v.string(), v.maxLength(64));
const code = v.pipe(v.string(), v.regex(/^[A-Z][A-Z\d_]{0,63}$/));
/** One loading of the wallet page: a UUID. */
const loadId = v.pipe(v.string(), v.uuid());

/**
 * From the host. With a port, to the wallet's origin: take it. Without one, to anybody: are you there? The wallet page
 * answers that with SERVICE_HOST_BOOTED.
 */
export const ConnectSchema = v.strictObject({ type: v.literal('CONNECT') });

/** From the wallet page, when it has started and whenever it is asked, until it has taken a port. */
export const BootedSchema = v.strictObject({
  type: v.literal('SERVICE_HOST_BOOTED'),
  payload: v.strictObject({ loadId }),
});

/** From the wallet page to a host that gets no port: HOST_NOT_ALLOWED, or why that could not be found out. */
export const RefusedSchema = v.strictObject({
  type: v.literal('ERROR'),
  payload: v.strictObject({ code, message: text }),
});

/** The first message on a port that the wallet page has taken. */
export const ReadySchema = v.object({
  type: v.literal('READY'),
  payload: v.object({ protocolVersion: v.pipe(v.string(), v.maxLength(32)), loadId: v.optional(loadId) }),
});

/** From the wallet page: its register button was clicked. */
export const RegisterButtonSubmitSchema = v.strictObject({
  type: v.literal('REGISTER_BUTTON_SUBMIT'),
  payload: v.strictObject({ nearAccountId: accountId }),
});

/** From the wallet page: what came of the click. `result` is as in PM_REGISTER; a host takes it from the port. */
export const RegisterButtonResultSchema = v.strictObject({
  type: v.literal('REGISTER_BUTTON_RESULT'),
  payload: v.strictObject({
    ok: v.boolean(),
    result: v.exactOptional(v.unknown()),
    cancelled: v.exactOptional(v.boolean()),
    error: v.exactOptional(text),
  }),
});

export type Connect = v.InferOutput<typeof ConnectSchema>;
export type Booted = v.InferOutput<typeof BootedSchema>;
export type Refused = v.InferOutput<typeof RefusedSchema>;
export type Ready = v.InferOutput<typeof ReadySchema>;
export type RegisterButtonSubmit = v.InferOutput<typeof RegisterButtonSubmitSchema>;
export interface RegisterButtonResult {
  readonly type: 'REGISTER_BUTTON_RESULT';
  readonly payload: {
    readonly ok: boolean;
    readonly result?: RegistrationResult;
    readonly cancelled?: boolean;
    readonly error?: string;
  };
}

/** The window and origin that a message must come from. */
export interface Sender {
  readonly source: Window | null;
  readonly origin: string;
}

/** The message, if it is from this very window, with this very origin, and of this schema; else undefined. */
export function readMessage<T>(
  schema: v.GenericSchema<unknown, T>,
  event: MessageEvent<unknown>,
  { source, origin }: Sender,
): T | undefined {
  if (source === null || event.source !== source || event.origin !== origin) return undefined;
  const read = v.safeParse(schema, event.data);
  return read.success ? read.output : undefined;
}

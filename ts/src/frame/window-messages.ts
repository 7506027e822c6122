/**
 * The messages between the host's window and the wallet page's; everything else goes over the port. Each goes to an
 * exact origin, except CONNECT without a port, which carries nothing. {@link readMessage} reads them all, with
 * readers of a few lines: a host loads them before its first call, and a schema library would be a quarter of that.
 */

import { isRecord } from '../is-record.js';
import type { ActionResult, RegistrationResult } from '../types.js';

/**
 * From the host. With a port, to the wallet's origin: accept this port. Without one, to any origin: are you there?
 * The wallet page answers that with SERVICE_HOST_BOOTED.
 */
export interface Connect {
  readonly type: 'CONNECT';
}

/** From the wallet page, when it has started and whenever a host asks, until it has accepted a port. */
export interface Booted {
  readonly type: 'SERVICE_HOST_BOOTED';
  /** Identifies one load of the page: a UUID. */
  readonly payload: { readonly loadId: string };
}

/** From the wallet page to a host that gets no port: HOST_NOT_ALLOWED, or why that could not be determined. */
export interface Refused {
  readonly type: 'ERROR';
  readonly payload: { readonly code: string; readonly message: string };
}

/** The first message on a port that the wallet page has accepted. */
export interface Ready {
  readonly type: 'READY';
  readonly payload: { readonly protocolVersion: string; readonly loadId?: string };
}

/** From the wallet page: the user clicked its register button. */
export interface RegisterButtonSubmit {
  readonly type: 'REGISTER_BUTTON_SUBMIT';
  readonly payload: { readonly nearAccountId: string };
}

/** From the wallet page: the outcome of the click. `result` is as in PM_REGISTER; a host reads it from the port. */
export interface RegisterButtonResult {
  readonly type: 'REGISTER_BUTTON_RESULT';
  readonly payload: {
    readonly ok: boolean;
    readonly result?: RegistrationResult;
    readonly cancelled?: boolean;
    readonly error?: string;
  };
}

/** From the wallet page: the user clicked its transaction button. */
export interface TransactionButtonSubmit {
  readonly type: 'TX_BUTTON_SUBMIT';
  readonly payload: { readonly nearAccountId: string };
}

/** From the wallet page: the outcome of the click. A host reads the results from the port. */
export interface TransactionButtonResult {
  readonly type: 'TX_BUTTON_RESULT';
  readonly payload: {
    readonly ok: boolean;
    readonly cancelled?: boolean;
    readonly error?: string;
    /** Of a failure, once any transaction was sent: the id and the fate of each. */
    readonly results?: readonly SentByButton[];
  };
}

/** What became of one transaction of the button. */
export type SentByButton = Pick<ActionResult, 'transactionId' | 'fate'>;

/**
 * From the wallet page: the key's time on the clipboard is over. Only the focused document can clear the clipboard,
 * and after the viewer has closed that is the host's.
 */
export interface ClearClipboard {
  readonly type: 'WALLET_CLEAR_CLIPBOARD';
}

/** From the wallet page: the user pressed Escape in it, and nothing drawn there handles it. */
export interface EscapePressed {
  readonly type: 'WALLET_ESCAPE_PRESSED';
}

/** Checks a value's shape by a test of each field. A field whose test accepts undefined may be absent. */
type Fields = Readonly<Record<string, (value: unknown) => boolean>>;

/** The fields of a message's payload; null where it has none. */
interface Shape<M> {
  readonly type: string;
  readonly payload: Fields | null;
  /** Names no field; it distinguishes the message's type. */
  readonly message?: M;
}

const MAX_TEXT = 4_096;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_TEXT;
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);
const isCode = (value: unknown): boolean => typeof value === 'string' && /^[A-Z][A-Z\d_]{0,63}$/.test(value);
const isSent = (value: Partial<SentByButton> | null): boolean =>
  typeof value === 'object' &&
  (value?.transactionId === null || isText(value?.transactionId)) &&
  (value?.fate === undefined || isText(value.fate));
const orAbsent =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value);

export const CONNECT: Shape<Connect> = { type: 'CONNECT', payload: null };
export const BOOTED: Shape<Booted> = { type: 'SERVICE_HOST_BOOTED', payload: { loadId: isUuid } };
export const REFUSED: Shape<Refused> = { type: 'ERROR', payload: { code: isCode, message: isText } };
export const READY: Shape<Ready> = {
  type: 'READY',
  payload: { protocolVersion: isText, loadId: orAbsent(isUuid) },
};
export const REGISTER_BUTTON_SUBMIT: Shape<RegisterButtonSubmit> = {
  type: 'REGISTER_BUTTON_SUBMIT',
  payload: { nearAccountId: isText },
};
export const REGISTER_BUTTON_RESULT: Shape<RegisterButtonResult> = {
  type: 'REGISTER_BUTTON_RESULT',
  payload: {
    ok: isFlag,
    result: orAbsent((value) => typeof value === 'object'),
    cancelled: orAbsent(isFlag),
    error: orAbsent(isText),
  },
};

export const TX_BUTTON_SUBMIT: Shape<TransactionButtonSubmit> = {
  type: 'TX_BUTTON_SUBMIT',
  payload: { nearAccountId: isText },
};
export const TX_BUTTON_RESULT: Shape<TransactionButtonResult> = {
  type: 'TX_BUTTON_RESULT',
  payload: {
    ok: isFlag,
    cancelled: orAbsent(isFlag),
    error: orAbsent(isText),
    results: orAbsent((value) => Array.isArray(value) && value.every(isSent)),
  },
};
export const CLEAR_CLIPBOARD: Shape<ClearClipboard> = { type: 'WALLET_CLEAR_CLIPBOARD', payload: null };
export const ESCAPE_PRESSED: Shape<EscapePressed> = { type: 'WALLET_ESCAPE_PRESSED', payload: null };

/** The window and origin that a message must come from. */
export interface Sender {
  readonly source: Window | null;
  readonly origin: string;
}

/** Returns the message if it is from exactly this window and origin, and of this shape; else undefined. */
export function readMessage<M>(
  shape: Shape<M>,
  { source, origin, data }: MessageEvent<unknown>,
  from: Sender,
): M | undefined {
  return from.source !== null && source === from.source && origin === from.origin
    ? readShape(shape, data)
    : undefined;
}

/** Returns the message if it is of this shape; else undefined. Extra fields are of a later version, and ignored. */
export function readShape<M>({ type, payload }: Shape<M>, data: unknown): M | undefined {
  if (!isRecord(data) || data.type !== type) return undefined;
  return payload === null || hasFields(payload, data.payload) ? (data as M) : undefined;
}

function hasFields(fields: Fields, value: unknown): boolean {
  return isRecord(value) && Object.entries(fields).every(([key, is]) => is(value[key]));
}

/** The package's only error class, and the closed list of its codes. */
import type * as account from './account.js';
import type * as core from './core.js';
import type * as frame from './frame.js';
import type * as wallet from './wallet.js';

/** A text that a user may see, with its code. Its placeholders are names in braces. */
export interface ErrorText<Code extends string = LatchkeyErrorCode> {
  readonly code: Code;
  readonly text: string;
}

type CodesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends ErrorText<infer Code> ? Code : never;
}[keyof Table];

/** Every code a {@link LatchkeyError} can carry. */
export type LatchkeyErrorCode =
  | CodesOf<typeof core>
  | CodesOf<typeof wallet>
  | CodesOf<typeof frame>
  | CodesOf<typeof account>;

/** What fills the placeholders of a text. */
export type ErrorValues = Readonly<Record<string, string | number>>;

/** Fills a text's placeholders. */
export function filled(text: string, values: ErrorValues): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

export interface LatchkeyErrorOptions {
  /** Fills the placeholders of the text. Kept in the error: a catalogue in another language fills its own text with them. */
  readonly values?: ErrorValues | undefined;
  /** Replaces the text if the message comes from elsewhere (a relay, a worker). */
  readonly message?: string | undefined;
  readonly cause?: unknown;
  /** Plain data for programs; never a secret. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Every error that this package throws or reports. `cause` is the error that led to it. */
export class LatchkeyError extends Error {
  readonly code: LatchkeyErrorCode;
  /** What fills the placeholders of the code's text; undefined where the message came from elsewhere. */
  readonly values: ErrorValues | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    { code, text }: ErrorText,
    { values = {}, message, cause, details = {} }: LatchkeyErrorOptions = {},
  ) {
    super(message ?? filled(text, values), cause === undefined ? undefined : { cause });
    this.name = 'LatchkeyError';
    this.code = code;
    this.values = message === undefined ? values : undefined;
    this.details = details;
  }
}

/** Whether a value is a {@link LatchkeyError}, of one of the codes if any are given. */
export function isLatchkeyError(value: unknown, ...codes: LatchkeyErrorCode[]): value is LatchkeyError {
  return value instanceof LatchkeyError && (codes.length === 0 || codes.includes(value.code));
}

/** What another part of the wallet reported of an error. */
export interface ReportedError extends Pick<LatchkeyErrorOptions, 'cause' | 'details'> {
  readonly code: LatchkeyErrorCode;
  readonly message: string;
  /** Absent where the message is not the text of the code. */
  readonly values?: ErrorValues | undefined;
}

/** Makes the error that was reported, with its message as it is. */
export function errorFrom({ code, message, values, cause, details }: ReportedError): LatchkeyError {
  const text = { code, text: message };
  return new LatchkeyError(text, values ? { values, cause, details } : { message, cause, details });
}

/** Whether a text has the form of a code. A newer part of the wallet may have codes that this one does not know. */
export function isErrorCode(text: unknown): text is LatchkeyErrorCode {
  return typeof text === 'string' && /^[A-Z][A-Z\d_]{1,63}$/.test(text);
}

/** The message of any thrown value. */
export function messageOf(value: unknown): string {
  return value instanceof Error ? value.message : String(value);
}

/**
 * The package's only error class, the closed list of its codes, and the texts that every part needs.
 *
 * Every text that a user may see is in `errors.ts` or `errors/`, once. Each file there is the table of one area: code
 * that throws one of its codes imports from it, which loads its texts. {@link errorText} fills placeholders in
 * braces.
 */

import type { AdoptionTexts } from './adoption.js';
import type { AppKeyTexts } from './app-keys.js';
import type { ButtonTexts } from './button.js';
import type { ExportTexts } from './export.js';
import type { FacadeTexts } from './facade.js';
import type { FrameTexts } from './frame.js';
import type { HomeTexts } from './home.js';
import type { WalletTexts } from './index.js';
import type { LinkingTexts } from './linking.js';
import type { NearApiJsTexts } from './near-api-js.js';
import type { PhraseTexts } from './phrase.js';
import type { PopupTexts } from './popup.js';
import type { QrTexts } from './qr.js';
import type { RecoveryTexts } from './recovery.js';
import type { RegistryTexts } from './registry.js';
import type { ScannerTexts } from './scanner.js';
import type { WindowTexts } from './window.js';

const TEXTS = {
  MISSING_RELAYER_URL: '[configPresets] Missing relayer config: relayer.url',
  INSECURE_CONTEXT:
    'Passkey operations require a secure context (HTTPS or localhost). Serve {page} over HTTPS, or open it at localhost.',
  INVALID_CONFIG: 'Invalid configuration: {reason}',
  INVALID_RPC_URL: 'NEAR RPC URL cannot be empty',
  INVALID_ACCOUNT_ID: 'Invalid NEAR account ID: {reason}',
  INVALID_AMOUNT: '"{value}" is not {wanted}.',
  CANCELLED: "Operation was cancelled. Please try again when you're ready.",
  REGISTRATION_CANCELLED:
    "Registration was cancelled. Please try again when you're ready to set up your passkey.",
  LOGIN_CANCELLED: "Login was cancelled. Please try again when you're ready to authenticate.",
  PRF_MISSING:
    '{operation} failed because the browser did not return the required passkey PRF results. ' +
    'Some mobile browsers do not supply them when a passkey is created. ' +
    'Please update your browser, or use a desktop browser.',
  WORKER_CLOSED: 'The worker was closed before it answered',
  UI_DIGEST_VALIDATION_FAILED: 'The digest of what is shown could not be computed. Nothing was signed.',
  NEAR_RPC_FAILED: 'RPC request failed: {reason}',
  OFFLINE: 'This device is offline. Your keys and your money are safe. Connect, then try again.',
  RPC_DISAGREEMENT:
    'Two chain nodes gave different answers on which your keys depend: {first} and {second}. One of them is wrong, ' +
    'so nothing was done on their word. Try again later, or choose other nodes.',
  TRANSACTION_FAILED: 'The chain rejected the transaction: {reason}',
  UNKNOWN: '{operation} failed due to an unknown error. Please check your connection and try again.',
} as const;

/** Words the failure of a signed message; its code is that of the cause. */
export const NEP413_FAILED_TEXT = 'NEP-413 signing failed: {reason}';

/** Every code a {@link LatchkeyError} can carry. */
export type LatchkeyErrorCode =
  | keyof typeof TEXTS
  | keyof WalletTexts
  | keyof RecoveryTexts
  | keyof RegistryTexts
  | keyof ScannerTexts
  | keyof QrTexts
  | keyof LinkingTexts
  | keyof AdoptionTexts
  | keyof ExportTexts
  | keyof FacadeTexts
  | keyof FrameTexts
  | keyof HomeTexts
  | keyof AppKeyTexts
  | keyof ButtonTexts
  | keyof PhraseTexts
  | keyof PopupTexts
  | keyof NearApiJsTexts
  | keyof WindowTexts;

const known = new Map<string, string>(Object.entries(TEXTS));

/** Adds the table of one area. */
export function addTexts(texts: Readonly<Record<string, string>>): void {
  for (const [code, text] of Object.entries(texts)) known.set(code, text);
}

function textOf(code: LatchkeyErrorCode): string {
  return known.get(code) ?? code;
}

/** The text of a code, with its placeholders filled. */
export function errorText(
  code: LatchkeyErrorCode,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return filled(textOf(code), values);
}

/** Fills a text's placeholders. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

export interface LatchkeyErrorOptions {
  /** Fills the placeholders of the code's text. */
  readonly values?: Readonly<Record<string, string | number>> | undefined;
  /** Replaces the code's text if the message comes from elsewhere (a relay, a worker). */
  readonly message?: string | undefined;
  readonly cause?: unknown;
  /** Plain data for programs; never a secret. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Every error that this package throws or reports. `cause` is the error that led to it. */
export class LatchkeyError extends Error {
  readonly code: LatchkeyErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: LatchkeyErrorCode, options: LatchkeyErrorOptions = {}) {
    super(
      options.message ?? errorText(code, options.values),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'LatchkeyError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Whether a value is a {@link LatchkeyError}, of one of the codes if any are given. */
export function isLatchkeyError(value: unknown, ...codes: LatchkeyErrorCode[]): value is LatchkeyError {
  return value instanceof LatchkeyError && (codes.length === 0 || codes.includes(value.code));
}

/** Whether a string is one of our codes in a loaded area. */
export function isLatchkeyErrorCode(value: unknown): value is LatchkeyErrorCode {
  return typeof value === 'string' && known.has(value);
}

/** Whether the user, or the host by its signal, ended the operation. */
export function isCancellation(value: unknown): boolean {
  return isLatchkeyError(value, 'CANCELLED', 'REGISTRATION_CANCELLED', 'LOGIN_CANCELLED');
}

/** The refusal of a page that is neither HTTPS nor localhost (W3C Secure Contexts). */
export function insecureContext(): LatchkeyError {
  const page = globalThis.location?.origin ?? 'the page';
  return new LatchkeyError('INSECURE_CONTEXT', { values: { page } });
}

/** The CANCELLED of an aborted signal. Its reason, if it is a LatchkeyError, stays: a host's time limit is still one. */
export function cancelledBy(signal: AbortSignal | undefined): LatchkeyError {
  const reason: unknown = signal?.reason;
  return reason instanceof LatchkeyError ? reason : new LatchkeyError('CANCELLED', { cause: reason });
}

/** Wraps a failure in the text of `code`. What failed in a worker's WASM says so itself (crates/vrf-worker/src/error.rs). */
export function failedAs(code: LatchkeyErrorCode, cause: unknown): LatchkeyError {
  const reason = messageOf(cause);
  const isWhole = isLatchkeyError(cause, 'CRYPTO_FAILED') && cause.details.workerCode !== undefined;
  return new LatchkeyError(code, isWhole ? { message: reason, cause } : { values: { reason }, cause });
}

/** The message of any thrown value. */
export function messageOf(value: unknown): string {
  return value instanceof Error ? value.message : String(value);
}

/** Converts any thrown value to a {@link LatchkeyError}; `operation` fills the UNKNOWN text. */
export function toLatchkeyError(value: unknown, operation = 'Operation'): LatchkeyError {
  if (value instanceof LatchkeyError) return value;
  if (value instanceof Error && value.name === 'AbortError')
    return new LatchkeyError('CANCELLED', { cause: value });
  return new LatchkeyError('UNKNOWN', { values: { operation }, cause: value });
}

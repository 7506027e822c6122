/**
 * The texts of errors that every part needs, and what makes these errors. A bundle carries those alone whose constants it names.
 */
import type { Outcome } from '../types.js';
import { type ErrorText, errorFrom, isLatchkeyError, LatchkeyError, messageOf } from './latchkey-error.js';

export * from './latchkey-error.js';

export const NO_BROWSER = {
  code: 'NO_BROWSER',
  text:
    'The wallet runs in a page of a browser, and this call was made outside of one, such as on a server. Make it in the ' +
    'page: in an effect or an event handler.',
} as const;
export const WALLET_FRAME_ONLY = {
  code: 'WALLET_FRAME_ONLY',
  text: 'This needs the wallet frame: set iframeWallet.walletOrigin in the configuration.',
} as const;
export const MISSING_RELAYER_URL = {
  code: 'MISSING_RELAYER_URL',
  text: '[configPresets] Missing relayer config: relayer.url',
} as const;
export const INSECURE_CONTEXT = {
  code: 'INSECURE_CONTEXT',
  text: 'Passkey operations require a secure context (HTTPS or localhost). Serve {page} over HTTPS, or open it at localhost.',
} as const;
export const INVALID_CONFIG = { code: 'INVALID_CONFIG', text: 'Invalid configuration: {reason}' } as const;
export const INVALID_RPC_URL = { code: 'INVALID_RPC_URL', text: 'NEAR RPC URL cannot be empty' } as const;
export const INVALID_ACCOUNT_ID = {
  code: 'INVALID_ACCOUNT_ID',
  text: 'Invalid NEAR account ID: {reason}',
} as const;
export const INVALID_AMOUNT = { code: 'INVALID_AMOUNT', text: '"{value}" is not {wanted}.' } as const;
export const CANCELLED = {
  code: 'CANCELLED',
  text: "Operation was cancelled. Please try again when you're ready.",
} as const;
export const REGISTRATION_CANCELLED = {
  code: 'REGISTRATION_CANCELLED',
  text: "Registration was cancelled. Please try again when you're ready to set up your passkey.",
} as const;
export const LOGIN_CANCELLED = {
  code: 'LOGIN_CANCELLED',
  text: "Login was cancelled. Please try again when you're ready to authenticate.",
} as const;
export const PRF_MISSING = {
  code: 'PRF_MISSING',
  text:
    '{operation} failed because the browser did not return the required passkey PRF results. ' +
    'Some mobile browsers do not supply them when a passkey is created. ' +
    'Please update your browser, or use a desktop browser.',
} as const;
export const WORKER_CLOSED = {
  code: 'WORKER_CLOSED',
  text: 'The worker was closed before it answered',
} as const;
export const UI_DIGEST_VALIDATION_FAILED = {
  code: 'UI_DIGEST_VALIDATION_FAILED',
  text: 'The digest of what is shown could not be computed. Nothing was signed.',
} as const;
export const NEAR_RPC_FAILED = { code: 'NEAR_RPC_FAILED', text: 'RPC request failed: {reason}' } as const;
export const OFFLINE = {
  code: 'OFFLINE',
  text: 'This device is offline. Your keys and your money are safe. Connect, then try again.',
} as const;
export const RPC_DISAGREEMENT = {
  code: 'RPC_DISAGREEMENT',
  text:
    'Two chain nodes gave different answers on which your keys depend: {first} and {second}. One of them is wrong, ' +
    'so nothing was done on their word. Try again later, or choose other nodes.',
} as const;
export const TRANSACTION_FAILED = {
  code: 'TRANSACTION_FAILED',
  text: 'The chain rejected the transaction: {reason}',
} as const;
export const UNKNOWN = {
  code: 'UNKNOWN',
  text: '{operation} failed due to an unknown error. Please check your connection and try again.',
} as const;

/** Words the failure of a signed message; its code is that of the cause. */
export const NEP413_FAILED_TEXT = 'NEP-413 signing failed: {reason}';

/** Whether the user, or the host by its signal, ended the operation. */
export function isCancellation(value: unknown): boolean {
  return isLatchkeyError(value, 'CANCELLED', 'REGISTRATION_CANCELLED', 'LOGIN_CANCELLED');
}

/** The refusal of a page that is neither HTTPS nor localhost (W3C Secure Contexts). */
export function insecureContext(): LatchkeyError {
  const page = globalThis.location?.origin ?? 'the page';
  return new LatchkeyError(INSECURE_CONTEXT, { values: { page } });
}

/** The CANCELLED of an aborted signal. Its reason, if it is a LatchkeyError, stays: a host's time limit is still one. */
export function cancelledBy(signal: AbortSignal | undefined): LatchkeyError {
  const reason: unknown = signal?.reason;
  return reason instanceof LatchkeyError ? reason : new LatchkeyError(CANCELLED, { cause: reason });
}

/** The error of a call that did not succeed. */
export function errorOf({
  error,
  errorCode = 'UNKNOWN',
  errorValues,
}: Omit<Outcome, 'success'> = {}): LatchkeyError {
  return error === undefined
    ? new LatchkeyError({ code: errorCode, text: errorCode })
    : errorFrom({ code: errorCode, message: error, values: errorValues });
}

/** Wraps a failure in a text with its reason. What failed in a worker's WASM says so itself (crates/vrf-worker/src/error.rs). */
export function failedAs(text: ErrorText, cause: unknown): LatchkeyError {
  const reason = messageOf(cause);
  const isWhole = isLatchkeyError(cause, 'CRYPTO_FAILED') && cause.details.workerCode !== undefined;
  return new LatchkeyError(text, { values: { reason }, cause, ...(isWhole && { message: reason }) });
}

/** Converts any thrown value to a {@link LatchkeyError}; `operation` fills the UNKNOWN text. */
export function toLatchkeyError(value: unknown, operation = 'Operation'): LatchkeyError {
  if (value instanceof LatchkeyError) return value;
  if (value instanceof Error && value.name === 'AbortError')
    return new LatchkeyError(CANCELLED, { cause: value });
  return new LatchkeyError(UNKNOWN, { values: { operation }, cause: value });
}

import type { LatchkeyErrorCode } from 'latchkey';

/** A thrown value as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The error of a result that reports a failure, with its code. */
export function resultError({
  error,
  errorCode: code,
}: {
  readonly error?: string;
  readonly errorCode?: LatchkeyErrorCode;
}): Error {
  return Object.assign(new Error(error), code && { code });
}

/** Errors as the wallet page sends them: code, message and known details, without causes. */
import * as v from 'valibot';
import { HOST_ERROR, LatchkeyError, type LatchkeyErrorCode } from '../../errors/frame.js';
import { errorDetails, type WalletMessage, type WireError } from '../protocol/index.js';

/**
 * An error as the host gets it. A foreign error is replaced by `failure`'s text, since its own text may contain
 * anything.
 */
export function toWireError(error: unknown, failure: LatchkeyErrorCode = 'HOST_ERROR'): WireError {
  if (!(error instanceof LatchkeyError)) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    const code = isAbort ? 'CANCELLED' : failure;
    return { code, message: errorText(code, { reason: errorText(HOST_ERROR) }) };
  }
  const { code, message } = error;
  const details = v.safeParse(errorDetails, error.details);
  const has = details.success && Object.keys(details.output).length > 0;
  return { code, message, ...(has && { details: details.output }) };
}

export function errorMessage(
  requestId: string | undefined,
  error: WireError,
  result?: unknown,
): WalletMessage {
  const details = { ...error.details, ...(result !== undefined && { result }) };
  const payload = { ...error, ...(Object.keys(details).length > 0 && { details }) };
  return { type: 'ERROR', ...(requestId !== undefined && { requestId }), payload };
}

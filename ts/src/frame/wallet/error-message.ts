/** Errors as the wallet page sends them: code, message and known details, without causes. */
import * as v from 'valibot';
import { CANCELLED, type ErrorText, filled, HOST_ERROR, LatchkeyError } from '../../errors/frame.js';
import { orOffline } from '../../errors/offline.js';
import { errorDetails, type WalletMessage, type WireError } from '../protocol/index.js';

/**
 * An error as the host gets it. A foreign error is replaced by OFFLINE or `failure`'s text, since its own text may contain
 * anything.
 */
export function toWireError(thrown: unknown, failure: ErrorText = HOST_ERROR): WireError {
  const error = orOffline(thrown);
  if (!(error instanceof LatchkeyError)) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    const { code, text } = isAbort ? CANCELLED : failure;
    const values = { reason: HOST_ERROR.text };
    return { code, message: filled(text, values), values };
  }
  const { code, message, values } = error;
  const details = v.safeParse(errorDetails, error.details);
  const has = details.success && Object.keys(details.output).length > 0;
  return { code, message, ...(values && { values }), ...(has && { details: details.output }) };
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

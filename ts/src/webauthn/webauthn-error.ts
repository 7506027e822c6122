/** Classifies a failed passkey request. The order of the checks matters: browsers reuse NotAllowedError. */
import { LatchkeyError, messageOf } from '../errors/index.js';

// Gecko's text comes last: at top level Gecko uses it only for an inactive window.
const FOCUS =
  /page does not have focus|document is not focused|Credentials?Container request is not allowed/i;
const PENDING = /request is already pending/i;
const NOT_ALLOWED_HERE = /feature is not enabled|user activation is required/i;
const ALREADY_REGISTERED = /one of the credentials already registered/i;
const CANCELLED = /the operation either timed out or was not allowed|user cancelled|user aborted/i;

/** Converts any rejection of navigator.credentials to a LatchkeyError. */
export function classifyWebAuthnError(error: unknown, accountId: string): LatchkeyError {
  if (error instanceof LatchkeyError) return error;
  const message = messageOf(error);
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';

  if (FOCUS.test(message)) return new LatchkeyError('PAGE_NOT_FOCUSED', { cause: error });
  if (PENDING.test(message)) return new LatchkeyError('REQUEST_PENDING', { cause: error });
  if (name === 'InvalidStateError' || ALREADY_REGISTERED.test(message)) {
    return new LatchkeyError('PASSKEY_EXISTS', { values: { account: accountId }, cause: error });
  }
  if (NOT_ALLOWED_HERE.test(message)) {
    return new LatchkeyError('WEBAUTHN_FAILED', { values: { reason: message }, cause: error });
  }
  if (name === 'NotAllowedError' || name === 'AbortError' || CANCELLED.test(message)) {
    return new LatchkeyError('CANCELLED', { cause: error });
  }
  return new LatchkeyError('WEBAUTHN_FAILED', { values: { reason: message }, cause: error });
}

/** Whether the browser refused before it asked the user, so that a retry is not a second prompt. */
export function wasNeverShown(error: LatchkeyError): boolean {
  return error.code === 'PAGE_NOT_FOCUSED' || error.code === 'REQUEST_PENDING';
}

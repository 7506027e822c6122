/** Classifies a failed passkey request. The order of the checks matters: browsers reuse NotAllowedError. */
import {
  CANCELLED,
  LatchkeyError,
  PAGE_NOT_FOCUSED,
  PASSKEY_EXISTS,
  PRF_UNSUPPORTED,
  REQUEST_PENDING,
  WEBAUTHN_FAILED,
} from '../errors/wallet.js';
import { ALREADY_REGISTERED, DECLINED, NOT_ALLOWED_HERE, NOT_FOCUSED, PENDING } from './browser-texts.js';
import { said } from './forms.js';

/** Converts any rejection of navigator.credentials to a LatchkeyError. */
export function classifyWebAuthnError(error: unknown, accountId: string, rpId?: string): LatchkeyError {
  if (error instanceof LatchkeyError) return error;
  const { name, message } = said(error);

  if (NOT_FOCUSED.test(message)) return new LatchkeyError(PAGE_NOT_FOCUSED, { cause: error });
  if (PENDING.test(message)) return new LatchkeyError(REQUEST_PENDING, { cause: error });
  if (name === 'InvalidStateError' || ALREADY_REGISTERED.test(message)) {
    return new LatchkeyError(PASSKEY_EXISTS, { values: { account: accountId }, cause: error });
  }
  // Shims reject with undefined or an empty object where the user cancels.
  const isSilent = name === '' && message === '';
  const isDeclined =
    isSilent || name === 'NotAllowedError' || name === 'AbortError' || DECLINED.test(message);
  if (isDeclined && !NOT_ALLOWED_HERE.test(message)) return new LatchkeyError(CANCELLED, { cause: error });
  // Windows Hello before February 2026, which Firefox gives up on before any prompt.
  if (name === 'UnknownError' && isFirefoxOnWindows())
    return new LatchkeyError(PRF_UNSUPPORTED, { cause: error });
  // WebAuthn Level 3, 5.1.3: the page is on no host of the rpId, and no list of related origins names it.
  const reason =
    name === 'SecurityError' ? `this page may not use the rpId ${rpId} (${message})` : message || name;
  return new LatchkeyError(WEBAUTHN_FAILED, { values: { reason }, cause: error });
}

/** Whether the browser refused before it asked the user, so that a retry is not a second prompt. */
export function wasNeverShown(error: LatchkeyError): boolean {
  return error.code === 'PAGE_NOT_FOCUSED' || error.code === 'REQUEST_PENDING';
}

const isFirefoxOnWindows = (): boolean => /Windows.*Firefox\//.test(globalThis.navigator?.userAgent ?? '');

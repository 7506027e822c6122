/** How recovery words a failure: a failed prompt has texts of its own, everything else follows 'Recovery failed:'. */
import {
  errorText,
  filled,
  LatchkeyError,
  RECOVERY_ADVICE,
  RECOVERY_PROMPT_TEXTS,
} from '../../errors/recovery.js';

const SAID_ALREADY = /^Recovery failed/;

/**
 * The error in recovery's words. It keeps its code, except for a passkey that does not fit, which is not the same as
 * no passkey.
 */
export function inRecoveryWords(error: LatchkeyError): LatchkeyError {
  const { code, cause, details, message } = error;
  const told = (text: string, as = code) => new LatchkeyError(as, { message: text, cause, details });
  if (code === 'PASSKEY_EXISTS') return told(RECOVERY_PROMPT_TEXTS.noMatch, 'AUTHENTICATOR_NOT_FOUND');
  const ofPrompt = promptText(error);
  if (ofPrompt) return told(ofPrompt);
  // Finding nothing is an answer, not a failure.
  if (code === 'NO_RECOVERABLE_ACCOUNTS' || SAID_ALREADY.test(message)) return error;
  return told(errorText('RECOVERY_FAILED', { reason: message }));
}

function promptText({ code, cause, details }: LatchkeyError): string | undefined {
  const name = cause instanceof Error || cause instanceof DOMException ? cause.name : '';
  if (code === 'INSECURE_CONTEXT' || name === 'SecurityError') return RECOVERY_PROMPT_TEXTS.security;
  if (code !== 'CANCELLED') return undefined;
  if (details.timedOut || name === 'TimeoutError') return RECOVERY_PROMPT_TEXTS.timedOut;
  return name === 'NotAllowedError' ? RECOVERY_PROMPT_TEXTS.notAllowed : RECOVERY_PROMPT_TEXTS.aborted;
}

/** The error and, where the user can act on it, what to do. */
export function withAdvice(error: LatchkeyError, accountId: string | undefined): string {
  const advice = adviceFor(error, accountId);
  return advice ? `${error.message.replace(/\.?$/, '.')} ${advice}` : error.message;
}

function adviceFor({ code, message, details }: LatchkeyError, account: string | undefined) {
  // A browser without a matching passkey reports the same as one where the user pressed Cancel.
  const isUnanswered =
    message === RECOVERY_PROMPT_TEXTS.notAllowed || message === RECOVERY_PROMPT_TEXTS.timedOut;
  if (isUnanswered) return RECOVERY_ADVICE.noPasskeyOffered;
  if (code !== 'NO_RECOVERABLE_ACCOUNTS') return undefined;
  if (details.foreignPasskey) return RECOVERY_ADVICE.foreignPasskey;
  return account && filled(RECOVERY_ADVICE.unknownAccount, { account });
}

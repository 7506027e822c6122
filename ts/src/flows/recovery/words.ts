/** How recovery words a failure: a failed prompt has texts of its own, everything else follows 'Recovery failed:'. */
import {
  errorFrom,
  filled,
  type LatchkeyError,
  type LatchkeyErrorCode,
  RECOVERY_ADVICE,
  RECOVERY_FAILED,
  RECOVERY_PROMPT_TEXTS,
} from '../../errors/account.js';

/** Their texts name the operation themselves, or report no failure: finding nothing is an answer. */
const WHOLE: readonly LatchkeyErrorCode[] = [
  'RECOVERY_FAILED',
  'PRF_MISSING',
  'UNKNOWN',
  'NO_RECOVERABLE_ACCOUNTS',
  'NO_PASSKEY_HERE',
];

/**
 * The error in recovery's words. It keeps its code, except for a passkey that does not fit, which is not the same as
 * no passkey.
 */
export function inRecoveryWords(error: LatchkeyError): LatchkeyError {
  const { code, cause, details, message } = error;
  const told = (text: string, as = code) => errorFrom({ code: as, message: text, cause, details });
  if (code === 'PASSKEY_EXISTS') return told(RECOVERY_PROMPT_TEXTS.noMatch, 'AUTHENTICATOR_NOT_FOUND');
  const ofPrompt = promptProblem(error);
  if (ofPrompt) return told(RECOVERY_PROMPT_TEXTS[ofPrompt]);
  if (WHOLE.includes(code)) return error;
  return told(filled(RECOVERY_FAILED.text, { reason: message }));
}

/** Why the prompt failed, by what an error in recovery's words keeps, too. */
function promptProblem({
  code,
  cause,
  details,
}: LatchkeyError): keyof typeof RECOVERY_PROMPT_TEXTS | undefined {
  const name = cause instanceof Error || cause instanceof DOMException ? cause.name : '';
  if (code === 'INSECURE_CONTEXT' || name === 'SecurityError') return 'security';
  if (code !== 'CANCELLED') return undefined;
  if (details.timedOut || name === 'TimeoutError') return 'timedOut';
  return name === 'NotAllowedError' ? 'notAllowed' : 'aborted';
}

/** The error and, where the user can act on it, what to do. */
export function withAdvice(error: LatchkeyError, accountId: string | undefined): string {
  const advice = adviceFor(error, accountId);
  return advice ? `${error.message.replace(/\.?$/, '.')} ${advice}` : error.message;
}

function adviceFor(error: LatchkeyError, account: string | undefined) {
  const { code, details } = error;
  const problem = promptProblem(error);
  // A browser without a matching passkey reports the same as one where the user pressed Cancel.
  if (problem === 'notAllowed' || problem === 'timedOut') return RECOVERY_ADVICE.noPasskeyOffered;
  if (code !== 'NO_RECOVERABLE_ACCOUNTS') return undefined;
  if (details.foreignPasskey) return RECOVERY_ADVICE.foreignPasskey;
  return account && filled(RECOVERY_ADVICE.unknownAccount, { account });
}

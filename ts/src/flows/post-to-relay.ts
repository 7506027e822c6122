/** What the relay pays for, posted until its outcome is known. */
import { errorFrom, isLatchkeyError, type LatchkeyError, toLatchkeyError } from '../errors/wallet.js';
import { pause } from '../sleep.js';
import type { TransactionFate } from '../types.js';

const POSTS = 3;
const POST_PAUSE_MS = 1_000;

/**
 * Posts again after a lost answer, up to three times: the relay knows the request and pays for it once. Throws an error with the
 * `fate` in its details.
 */
export async function postToRelay(
  post: (signal: AbortSignal) => Promise<{ readonly transactionHash: string }>,
  signal: AbortSignal,
): Promise<{ readonly transactionHash: string }> {
  let wasLost = false;
  /** The transaction that a relay without its outcome has named. */
  let named: unknown;
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) throw told(toLatchkeyError(signal.reason), wasLost ? 'unknown' : 'not-sent', named);
    try {
      return await post(signal);
    } catch (error) {
      const known = toLatchkeyError(error, 'Sending');
      const { transactionId } = known.details;
      if (isLatchkeyError(known, 'RELAY_REFUSED')) {
        const isDone = typeof transactionId === 'string';
        // Its refusal of the second copy (too many requests, say) tells nothing about the first, whose answer was lost.
        const isOpen = wasLost && (!isDone || known.details.relayCode === 'nonce_used');
        throw told(known, isOpen ? 'unknown' : isDone ? 'failed' : 'not-sent', named);
      }
      wasLost = true;
      named = transactionId ?? named;
      if (attempt === POSTS || signal.aborted) throw told(known, 'unknown', named);
      await pause(POST_PAUSE_MS * attempt, signal);
    }
  }
}

function told(error: LatchkeyError, fate: TransactionFate, named: unknown): LatchkeyError {
  const { code, message, values } = error;
  const details = { ...(named !== undefined && { transactionId: named }), ...error.details, fate };
  return errorFrom({ code, message, values, cause: error, details });
}

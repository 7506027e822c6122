/** What failed for lack of a network, in one sentence. */
import { LatchkeyError, OFFLINE, toLatchkeyError } from './core.js';

/** Codes of requests to the chain, the relay and the wallet's origin, and of parts and workers that could not be loaded. */
const OF_THE_NETWORK = /_RPC_|_UNREACH|_UNANSW|^UNKNOWN$|^WORKER_FAILED$|^AUTHENTICATORS_/;

/**
 * OFFLINE in place of what failed while the browser has no network, which says it better; any other error as it is. Never
 * in place of what was sent.
 */
export function orOffline<T>(thrown: T): T | LatchkeyError {
  if (globalThis.navigator?.onLine !== false) return thrown;
  const { code, details } = toLatchkeyError(thrown);
  const { fate, kind } = details;
  const isOpen = kind === 'outcome_unknown' || (fate && fate !== 'not-sent');
  return isOpen || !OF_THE_NETWORK.test(code)
    ? thrown
    : new LatchkeyError(OFFLINE, { cause: thrown, details });
}

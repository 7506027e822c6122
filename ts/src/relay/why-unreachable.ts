/** Why the browser gave no answer of the relay: it tells a page only that there is none. */
import { messageOf } from '../errors/latchkey-error.js';

const PROBE_TIMEOUT_MS = 3_000;

/**
 * The reason in words. A relay that answers a request of any page, and whose answer to this one the browser keeps back, does
 * not list this origin (Fetch, CORS check).
 */
export async function whyUnreachable(address: string, error: unknown, signal: AbortSignal): Promise<string> {
  const reason = messageOf(error);
  const page = globalThis.location?.origin;
  if (!(error instanceof TypeError) || page === undefined) return reason;
  const probe = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
  const isThere = await fetch(new URL('/healthz', address), {
    mode: 'no-cors',
    credentials: 'omit',
    signal: probe,
  }).then(
    () => true,
    () => false,
  );
  return isThere
    ? `it does not accept ${page}. Its operator can add it to EXPECTED_WALLET_ORIGIN (a wallet) or EXPECTED_ORIGIN (an app)`
    : `${reason}. Check your connection, or whether a blocker in this browser stops it`;
}

/** Where this document may run no ceremony, by the error that came: another place is asked, never after a person's no. */
import { isLatchkeyError, messageOf } from '../errors/index.js';
import type { Credentials } from './credentials.js';

/**
 * The browser refuses every frame, or this one, or one that has not been clicked: a confirmation in a window of the
 * wallet's own leaves its frame without a click. WebKit's and Chromium's words; no browser has a name of its own for it.
 */
const REFUSED_HERE =
  /same as its ancestors|same-?origin with its ancestors|feature is not enabled|permissions? policy|user activation is required/i;
/**
 * Gecko has one text, its own last, for a window that is not the active one, for a frame that wants to create without a
 * click of its own, and for a policy that forbids it: only the first of them passes by waiting.
 */
const NOT_FOCUSED =
  /page does not have focus|document is not focused|Credentials?Container request is not allowed/i;
/** A frame gets the focus a moment after it is shown. */
const FOCUS_WAITS_MS = [50, 120];

/**
 * Asks `here` first. What it was refused as a frame, not by the person, is asked of the other ways in turn, each one
 * only when the one before could not be opened at all (POPUP_UNAVAILABLE with `isBlocked`).
 */
export function withOtherWays(here: Credentials, others: readonly Credentials[]): Credentials {
  if (others.length === 0) return here;
  return {
    hasOtherWays: true,
    create: (publicKey, signal) => inTurn((ways) => ways.create(publicKey, signal), signal),
    get: (publicKey, signal) => inTurn((ways) => ways.get(publicKey, signal), signal),
  };

  async function inTurn<T>(ask: (ways: Credentials) => Promise<T>, signal: AbortSignal): Promise<T> {
    let refused: unknown;
    for (const waitMs of [...FOCUS_WAITS_MS, undefined]) {
      try {
        return await ask(here);
      } catch (error) {
        if (signal.aborted || !isRefusedHere(error)) throw error;
        refused = error;
        if (waitMs === undefined || !NOT_FOCUSED.test(messageOf(error))) break;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
    for (const way of others) {
      try {
        signal.throwIfAborted();
        return await ask(way);
      } catch (error) {
        if (!isLatchkeyError(error, 'POPUP_UNAVAILABLE') || error.details.isBlocked !== true) throw error;
        refused = error;
      }
    }
    throw refused;
  }
}

/** Whether the browser said no to this document, and asked nobody. */
export function isRefusedHere(error: unknown): boolean {
  const message = messageOf(error);
  return REFUSED_HERE.test(message) || NOT_FOCUSED.test(message);
}

/** Runs a ceremony elsewhere if the browser refuses it in this document, but never after a user's no. */

import { isLatchkeyError } from '../errors/latchkey-error.js';
import { pause } from '../sleep.js';
import { FRAME_REFUSED, NOT_ALLOWED_HERE, NOT_FOCUSED } from './browser-texts.js';
import type { Credentials } from './credentials.js';
import { said } from './forms.js';
import { classifyWebAuthnError } from './webauthn-error.js';

/**
 * The browser refuses every frame, or this one, or one without a click: a confirmation in the wallet's own window
 * leaves its frame without a click.
 */
const REFUSED_HERE = [FRAME_REFUSED, NOT_ALLOWED_HERE, NOT_FOCUSED];
/** No user sees a prompt and declines it sooner. Extensions that serve no frame end so (KeePassXC gives null). */
const DECLINED_AFTER_MS = 300;
/** A frame gets the focus a moment after it appears. */
const FOCUS_WAITS_MS = [50, 120];

/**
 * Asks `here` first. If the browser or an extension refuses the frame, not the user, asks the other ways in turn; each one only if
 * the one before could not open at all (POPUP_UNAVAILABLE with `isBlocked`).
 */
export function withOtherWays(here: Credentials, others: readonly Credentials[]): Credentials {
  if (others.length === 0) return here;
  return {
    ...here,
    hasOtherWays: true,
    create: (publicKey, signal) => inTurn((ways) => ways.create(publicKey, signal), signal),
    get: (publicKey, signal) => inTurn((ways) => ways.get(publicKey, signal), signal),
  };

  async function inTurn<T>(ask: (ways: Credentials) => Promise<T>, signal: AbortSignal): Promise<T> {
    let refused: unknown;
    for (const waitMs of [...FOCUS_WAITS_MS, undefined]) {
      const askedAt = performance.now();
      try {
        return await ask(here);
      } catch (error) {
        const isUnasked = performance.now() - askedAt < DECLINED_AFTER_MS && isDeclined(error);
        if (signal.aborted || !(isUnasked || isRefusedHere(error))) throw error;
        refused = error;
        if (waitMs === undefined || !NOT_FOCUSED.test(said(error).message)) break;
        await pause(waitMs, signal);
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

function isDeclined(error: unknown): boolean {
  return classifyWebAuthnError(error, '').code === 'CANCELLED';
}

/** Whether the browser refused this document without asking the user. */
function isRefusedHere(error: unknown): boolean {
  return REFUSED_HERE.some((sentence) => sentence.test(said(error).message));
}

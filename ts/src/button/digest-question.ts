/** Asks the embedded button's frame for the digest of what it showed at the click; one question at a time. */
import { LatchkeyError, UI_DIGEST_FAILED, UI_DIGEST_SUPERSEDED, UI_DIGEST_TIMEOUT } from '../errors/frame.js';
import type { UiDigest } from './messages.js';

/** How long the frame may take to say what it shows. */
const TIMEOUT_MS = 3_000;

export class DigestQuestion {
  readonly #send: (requestId: string) => void;
  #open: { readonly requestId: string; settle(outcome: string | LatchkeyError): void } | undefined;
  #asked = 0;

  constructor(send: (requestId: string) => void) {
    this.#send = send;
  }

  /** Rejects with UI_DIGEST_FAILED, UI_DIGEST_TIMEOUT after 3 seconds, or UI_DIGEST_SUPERSEDED when it is asked again. */
  ask(): Promise<string> {
    this.end(new LatchkeyError(UI_DIGEST_SUPERSEDED));
    this.#asked += 1;
    const requestId = `${Date.now()}-${this.#asked}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(new LatchkeyError(UI_DIGEST_TIMEOUT)), TIMEOUT_MS);
      const settle = (outcome: string | LatchkeyError): void => {
        clearTimeout(timer);
        if (this.#open?.requestId === requestId) this.#open = undefined;
        if (typeof outcome === 'string') resolve(outcome);
        else reject(outcome);
      };
      this.#open = { requestId, settle };
      this.#send(requestId);
    });
  }

  answer({ ok, digest, error, requestId }: UiDigest): void {
    if (!this.#open || requestId !== this.#open.requestId) return;
    const cause = error === undefined ? error : new Error(error);
    this.#open.settle(ok && digest !== undefined ? digest : new LatchkeyError(UI_DIGEST_FAILED, { cause }));
  }

  /** Rejects what is open. */
  end(error: LatchkeyError): void {
    this.#open?.settle(error);
  }
}

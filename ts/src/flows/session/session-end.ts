import { LatchkeyError } from '../../errors/index.js';

/** Tells the flows that run that the session has ended, by a logout here or in another tab. */
export class SessionEnd {
  #ending = new AbortController();

  /** Aborts, with CANCELLED, at the next end of a session. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** A flow's own signal, which the next end of a session aborts too. */
  until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.signal]);
  }

  /** What runs on the session that ended is cancelled; what begins from now on is of the next one. */
  end(): void {
    const ending = this.#ending;
    this.#ending = new AbortController();
    ending.abort(new LatchkeyError('CANCELLED', { details: { loggedOut: true } }));
  }
}

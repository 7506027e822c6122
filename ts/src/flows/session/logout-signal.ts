import { CANCELLED, LatchkeyError } from '../../errors/core.js';

/** Aborts the running flows when the session ends, by a logout here or in another tab. */
export class LogoutSignal {
  #ending = new AbortController();

  /** Aborts, with CANCELLED, at the next logout. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Returns a flow's own signal, which the next logout aborts too. */
  until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.signal]);
  }

  /** Cancels what runs on the session that ended; later flows belong to the next one. */
  end(): void {
    const ending = this.#ending;
    this.#ending = new AbortController();
    ending.abort(new LatchkeyError(CANCELLED, { details: { loggedOut: true } }));
  }
}

/** How long a request may be silent. */

/** The time of one request. It is stopped until first started. */
export interface RequestClock {
  /** Restarts the time, because the wallet reported something about the request. */
  restart(): void;
  /** Stops the time: the request waits for the user, or its result has arrived. */
  pause(): void;
  /** Gives the request this long, whatever the wallet reports about it. */
  endIn(ms: number, call: () => void): void;
  /** The request is over. */
  stop(): void;
}

/** Makes the clock of a request; a limit of null never ends it. */
export function createRequestClock(limitMs: number | null, onSilence: () => void): RequestClock {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  let isEnding = false;
  const stop = (): void => clearTimeout(timeout);
  return {
    restart() {
      if (isEnding) return;
      stop();
      if (limitMs !== null) timeout = setTimeout(onSilence, limitMs);
    },
    pause() {
      if (!isEnding) stop();
    },
    endIn(ms, call) {
      stop();
      isEnding = true;
      timeout = setTimeout(call, ms);
    },
    stop,
  };
}

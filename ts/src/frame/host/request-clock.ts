/** How long requests may be silent. */

/** The time of one request. It is stopped until first started. */
export interface RequestClock {
  /** Restarts the time, because the wallet reported something about the request. */
  restart(): void;
  /** Stops the time while the request waits for the person. */
  hold(): void;
  /** Ends the limit: the request may be silent from now on. */
  rest(): void;
  /** Gives the request this long, whatever the wallet reports about it. */
  endIn(ms: number, call: () => void): void;
  /** The request is over. */
  stop(): void;
}

export interface ClockOptions {
  /** Null: no limit. */
  readonly limitMs: number | null;
  /** Whether the request may queue in the wallet behind another one that waits for the person. */
  readonly queues: boolean;
  readonly onSilence: () => void;
}

/** Lets one clock start and stop the timers of the others of its port. */
interface Timer {
  start(): void;
  stop(): void;
}

/**
 * Makes the clocks for the requests of one port. The wallet shows one confirmation at a time: while a request waits
 * for the person, those that queue behind it have nothing to report, and their time is paused too.
 */
export function createRequestClocks(): (options: ClockOptions) => RequestClock {
  const held = new Set<Timer>();
  const queueing = new Set<Timer>();

  return ({ limitMs, queues, onSilence }) => {
    let timeout: ReturnType<typeof setTimeout> | undefined;
    let isEnding = false;
    const timer: Timer = {
      start() {
        clearTimeout(timeout);
        if (limitMs !== null) timeout = setTimeout(onSilence, limitMs);
      },
      stop: () => clearTimeout(timeout),
    };
    const stop = (): void => {
      timer.stop();
      queueing.delete(timer);
      if (held.delete(timer) && held.size === 0) for (const other of queueing) other.start();
    };
    /** Ignores reports about a request that is to end. */
    const unlessEnding = (change: () => void) => (): void => {
      if (isEnding) return;
      stop();
      change();
    };
    return {
      restart: unlessEnding(() => {
        if (queues) queueing.add(timer);
        if (!queues || held.size === 0) timer.start();
      }),
      hold: unlessEnding(() => {
        held.add(timer);
        for (const other of queueing) other.stop();
      }),
      rest: unlessEnding(() => undefined),
      endIn(ms, call) {
        stop();
        isEnding = true;
        timeout = setTimeout(call, ms);
      },
      stop,
    };
  };
}

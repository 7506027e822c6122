/** How long requests may be silent. */

/** The time of one request. It stands still until it is first started. */
export interface RequestClock {
  /** Something was heard of the request: its time begins anew. */
  restart(): void;
  /** The request waits for the person, who has all the time in the world. */
  hold(): void;
  /** The request may be silent from now on. */
  rest(): void;
  /** The request has this long and no more, whatever is heard of it. */
  endIn(ms: number, call: () => void): void;
  /** The request is over. */
  stop(): void;
}

export interface ClockOptions {
  /** Null: no limit. */
  readonly limitMs: number | null;
  /** Whether the request may stand in line in the wallet, behind another one that waits for the person. */
  readonly queues: boolean;
  readonly onSilence: () => void;
}

/** Starts and stops the timer of a clock, for the others of its port. */
interface Timer {
  start(): void;
  stop(): void;
}

/**
 * Makes the clocks for the requests of one port. The wallet shows one confirmation at a time: while a request waits for
 * the person, those that queue behind it have nothing to report, and their time stands still with its own.
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
    /** Whatever is heard of a request that is to end changes nothing. */
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

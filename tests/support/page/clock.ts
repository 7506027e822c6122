/**
 * The clock of one user's device: real time, and what a test has set it forward by. Pages wait by it for a key's end or the next
 * look at the chain, which goes on at its own pace. Limits on a call (AbortSignal.timeout) stay in real time.
 */

/** A wait of a page: `setTimeout`, or one round of `setInterval`. */
interface Wait {
  readonly due: number;
  readonly work: () => void;
  timer: NodeJS.Timeout;
}

/** What `setTimeout` and `setInterval` return: the current wait. */
export interface PageTimer {
  wait: Wait;
}

export class DeviceClock {
  #ahead = 0;
  readonly #waits = new Set<Wait>();

  readonly now = (): number => Date.now() + this.#ahead;

  /** Sets the clock forward. The waits that are over by then end next. */
  pass(ms: number): void {
    this.#ahead += ms;
    for (const wait of this.#waits) {
      clearTimeout(wait.timer);
      wait.timer = this.#timer(wait);
    }
  }

  /** A page's or worker's `Date` and timers. Those that are still pending at its end never run. */
  globals(end: AbortSignal) {
    const own = new Set<Wait>();
    const stop = (wait: Wait): void => {
      clearTimeout(wait.timer);
      this.#waits.delete(wait);
      own.delete(wait);
    };
    end.addEventListener('abort', () => {
      for (const wait of own) stop(wait);
    });
    const start = (ms: number, work: () => void): Wait => {
      const run = (): void => {
        stop(wait);
        work();
      };
      const due = this.now() + ms;
      const wait: Wait = { due, work: run, timer: this.#timer({ due, work: run }) };
      this.#waits.add(wait);
      own.add(wait);
      if (end.aborted) stop(wait);
      return wait;
    };
    const repeat = (timer: PageTimer, ms: number, work: () => void): void => {
      timer.wait = start(ms, () => {
        repeat(timer, ms, work);
        work();
      });
    };
    const clear = (timer: PageTimer | undefined): void => {
      if (timer) stop(timer.wait);
    };
    return {
      Date: dateAt(this.now),
      setTimeout: (work: () => void, ms = 0): PageTimer => ({ wait: start(ms, work) }),
      clearTimeout: clear,
      setInterval: (work: () => void, ms = 0): PageTimer => {
        const timer = {} as PageTimer;
        repeat(timer, ms, work);
        return timer;
      },
      clearInterval: clear,
    };
  }

  #timer({ due, work }: Pick<Wait, 'due' | 'work'>): NodeJS.Timeout {
    return setTimeout(work, Math.max(0, due - this.now()));
  }
}

function dateAt(now: () => number): DateConstructor {
  return new Proxy(Date, {
    construct: (target, args) => Reflect.construct(target, args.length > 0 ? args : [now()]),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}

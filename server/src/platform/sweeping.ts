/** Looks for what killed relays left: at the start, and while the relay runs. */
import { messageOf } from 'latchkey/internal/server';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../observe/log.js';

/** Between the end of a sweep and the next one. */
export const SWEEP_MS = 10_000;

export interface Sweeping {
  /** Resolves when the sweep in progress has ended. */
  stop(): Promise<void>;
}

/** Sweeps, and writes a failure into the log. */
export async function sweepOnce(sweep: () => Promise<void>, log: Log): Promise<void> {
  try {
    await sweep();
  } catch (error) {
    // The store reports by itself that it is away.
    if (!(error instanceof Refusal)) log.error('sweep_failed', { reason: messageOf(error) });
  }
}

/** Sweeps now, and again a while after each sweep has ended. */
export function startSweeping(sweep: () => Promise<void>, log: Log): Sweeping {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const run = async () => {
    await sweepOnce(sweep, log);
    if (isStopped) return;
    timer = setTimeout(() => {
      running = run();
    }, SWEEP_MS);
    timer.unref();
  };
  let running = run();

  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}

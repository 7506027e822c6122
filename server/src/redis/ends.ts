/** Ends of reservations: retried until Redis has them, because each that is missing counts as spent for a day. */
import { messageOf } from 'latchkey/internal/server';
import { dropOldest } from '../http/drop-oldest.js';
import type { Log } from '../observe/log.js';

export interface Ends {
  /** Runs the step, which may be repeated, now or when Redis is back. Never rejects. */
  run(ticket: string, step: () => Promise<unknown>): Promise<void>;
  /** Tries the waiting steps again. */
  retry(): void;
  /** Whether a step waits for Redis. */
  isWaiting(): boolean;
}

const MAX_WAITING = 10_000;

export function createEnds(log: Log): Ends {
  const waiting = new Map<string, () => Promise<unknown>>();

  const run: Ends['run'] = async (ticket, step) => {
    try {
      await step();
      waiting.delete(ticket);
      // Redis answers again, perhaps over the same connection.
      retry();
    } catch (error) {
      if (!waiting.has(ticket)) log.warn('redis_end_waits', { reason: messageOf(error) });
      waiting.set(ticket, step);
      dropOldest(waiting, MAX_WAITING);
    }
  };

  let isRetrying = false;
  const retry = () => {
    if (isRetrying || waiting.size === 0) return;
    isRetrying = true;
    Promise.all([...waiting].map(([ticket, step]) => run(ticket, step))).finally(() => {
      isRetrying = false;
    });
  };

  return { run, retry, isWaiting: () => waiting.size > 0 };
}

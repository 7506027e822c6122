import { sleep } from '../near/sleep.js';

/** Waits this long, or until the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, signal).catch(() => undefined);

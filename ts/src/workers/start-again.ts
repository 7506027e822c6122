import { isLatchkeyError } from '../errors/latchkey-error.js';
import { sleep } from '../sleep.js';

const RETRIES = 3;
const BACKOFF_MS = 1_000;

/** Starts a worker; if its files do not load, starts it again, up to three times, a second apart. */
export async function startAgain<T>(start: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await start();
    } catch (error) {
      // Any other failure, such as a refused configuration, would repeat.
      if (retry === RETRIES || !isLatchkeyError(error, 'WORKER_FAILED')) throw error;
      await sleep(BACKOFF_MS);
    }
  }
}

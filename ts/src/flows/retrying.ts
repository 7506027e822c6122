import { isTransient, rpcFailure } from '../near/index.js';
import { pause } from './pause.js';

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 200;

/**
 * Asks the chain again, up to three times in all, when only the connection or the node failed. Never repeats a
 * prompt: only a click repeats a prompt that a user refused.
 */
export async function retrying<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const failure = rpcFailure(error);
      if (attempt === ATTEMPTS || signal.aborted || !failure || !isTransient(failure)) throw error;
      await pause(FIRST_WAIT_MS * 2 ** (attempt - 1), signal);
      if (signal.aborted) throw signal.reason;
    }
  }
}

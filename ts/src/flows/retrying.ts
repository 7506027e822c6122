import { isLatchkeyError, LatchkeyError, VRF_REFRESH_FAILED } from '../errors/wallet.js';
import { isTransient, rpcFailure } from '../near/index.js';
import { pause } from '../sleep.js';

export const ATTEMPTS = 3;
export const FIRST_WAIT_MS = 200;
const REFRESH_WAIT_MS = 150;

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

/**
 * Reads the block of a VRF challenge, when the user has clicked. Throws VRF_REFRESH_FAILED after three tries, 150 ms times
 * the try apart.
 */
export async function refreshed<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!isLatchkeyError(error, 'NEAR_RPC_FAILED')) throw error;
      if (attempt === ATTEMPTS) throw new LatchkeyError(VRF_REFRESH_FAILED, { cause: error });
      await pause(REFRESH_WAIT_MS * attempt, signal);
      if (signal.aborted) throw signal.reason;
    }
  }
}

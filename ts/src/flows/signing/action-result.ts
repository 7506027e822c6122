/** What the end of an action reports, in its event and in its result. */
import { isLatchkeyError, type LatchkeyError } from '../../errors/latchkey-error.js';
import { failedAction } from '../../failed-results.js';
import type { ActionResult } from '../../types.js';
import { eventError, type Run } from '../run.js';

/** Emits the failure: one phase for errors of the workers, another for every other error. */
export function emitFailure(error: LatchkeyError, { emit }: Run<'action'>): void {
  const isWorkers = isLatchkeyError(
    error,
    'CRYPTO_FAILED',
    'WORKER_FAILED',
    'WORKER_TIMEOUT',
    'WORKER_CLOSED',
    'UNKNOWN_WORKER_RESPONSE',
    'BATCH_SIGNING_FAILED',
  );
  emit(isWorkers ? 'wasm-error' : 'action-error', 'error', error.message, eventError(error));
}

/** Emits the failure; the result of a transaction that did not succeed. */
export function reportFailedAction(error: LatchkeyError, run: Run<'action'>): ActionResult {
  emitFailure(error, run);
  return failedAction(error);
}

/** What the end of an action says: the chain executed all of it, or has it. */
export function endText(...results: readonly ActionResult[]): string {
  return results.every(({ fate }) => fate === 'executed') ? 'It went through' : 'Sent to the network';
}

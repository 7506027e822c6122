/** Failures that a flow gets over. */
import type { ResolvedConfig } from '../config.js';
import { isCancellation, isLatchkeyError, messageOf, toLatchkeyError } from '../errors/latchkey-error.js';

/**
 * Logs a failure that does not end the flow. A cancellation is no failure: the user or the app asked for it. A closed worker is
 * none either: only the wallet closes one, when it ends.
 */
export function warn({ logger }: Pick<ResolvedConfig, 'logger'>, what: string, error: unknown): void {
  if (isCancellation(toLatchkeyError(error)) || isLatchkeyError(error, 'WORKER_CLOSED')) return;
  logger.warn(what, messageOf(error));
}

/** Failures that a flow gets over. */
import type { ResolvedConfig } from '../config.js';
import { isCancellation, isLatchkeyError, messageOf, toLatchkeyError } from '../errors/core.js';

/**
 * Logs a failure that does not end the flow. A cancellation is no failure: the user or the app asked for it. A closed worker is
 * none either: only the wallet closes one, when it ends.
 */
export function warn({ logger }: Pick<ResolvedConfig, 'logger'>, what: string, error: unknown): void {
  if (isCancellation(toLatchkeyError(error)) || isLatchkeyError(error, 'WORKER_CLOSED')) return;
  logger.warn(what, messageOf(error));
}

/** A part that was loaded when the session opened; undefined, with a warning, where it could not be. */
export function ifLoaded<T>(
  { config }: { readonly config: Pick<ResolvedConfig, 'logger'> },
  part: Promise<T>,
): Promise<T | undefined> {
  return part.catch((error: unknown) => {
    warn(config, 'A part could not be loaded', error);
    return undefined;
  });
}

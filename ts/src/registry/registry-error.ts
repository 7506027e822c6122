/** Names what a failed view of the registry means. */
import type { LACKING_IN_REGISTRY } from '../errors/account.js';
import { isFinalAnswer, rpcFailure } from '../near/rpc-error.js';
import type { RegistryAt } from './registry-at.js';

/**
 * Returns what the view returns. Throws REGISTRY_UNKNOWN where no registry is deployed, REGISTRY_LACKS where it lacks
 * the feature `lacking`, CONTRACT_STATE_FAILED where its state cannot be read, or else the view's own error.
 */
export async function orRegistryError<T>(
  at: RegistryAt,
  view: Promise<T>,
  lacking?: keyof typeof LACKING_IN_REGISTRY,
): Promise<T> {
  try {
    return await view;
  } catch (error) {
    const failure = rpcFailure(error);
    if (!failure || !isFinalAnswer(failure)) throw error;
    throw await (await import('./capabilities.js')).registryError(at, error, lacking);
  }
}

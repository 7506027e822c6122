/**
 * The list behind /.well-known/webauthn: the origins that may run the wallet's prompts, and so obtain its keys. It is the
 * operator's own list, or the registry's, which counts only where no single provider can make it up.
 */

import type { RpcClient } from 'latchkey/internal/server';
import { createOriginList, messageOf } from 'latchkey/internal/server';
import type { Log } from '../observe/log.js';
import { Refusal } from './refusal.js';

/** How long browsers and caches may keep the manifest. */
export const MANIFEST_CACHE = 'max-age=60, stale-while-revalidate=600';

export interface OriginManifest {
  /** The origins; while the chain is unreachable, the registry's last list for an hour. */
  origins(): Promise<readonly string[]>;
}

/** Serves `listed` if it is given, and otherwise the registry's list, cached for a minute. */
export function createOriginManifest(
  rpc: RpcClient,
  contractId: string,
  log: Log,
  listed?: readonly string[],
): OriginManifest {
  if (!listed && !rpc.isWitnessed) log.warn('origins_need_two_providers');
  const fixed = listed ?? (rpc.isWitnessed ? undefined : []);
  if (fixed) return { origins: async () => fixed };
  const read = createOriginList(rpc, contractId, {
    method: 'get_allowed_origins',
    failed: (error, hasFormerList) =>
      log.warn('origins_unreadable', { reason: messageOf(error), hasFormerList }),
  });
  return {
    origins: () =>
      read().catch((error: unknown) => {
        const message = 'The list of origins cannot be read from the chain now. Try again in a few seconds.';
        throw new Refusal('chain_unreachable', message, { cause: error });
      }),
  };
}

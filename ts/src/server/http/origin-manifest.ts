/** The list behind /.well-known/webauthn: the registry's allowed origins, cached for a minute. */
import { messageOf } from '../../errors/index.js';
import type { RpcClient } from '../../near/index.js';
import { createOriginList } from '../../registry/origin-list.js';
import type { Log } from '../observe/log.js';
import { Refusal } from './refusal.js';

/** How long browsers and caches may keep the manifest. */
export const MANIFEST_CACHE = 'max-age=60, stale-while-revalidate=600';

export interface OriginManifest {
  /** The allowed origins; while the chain is unreachable, the last list read. */
  origins(): Promise<readonly string[]>;
}

export function createOriginManifest(rpc: RpcClient, contractId: string, log: Log): OriginManifest {
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

/** The store of many relays, in Redis. */
import { type RateBuckets, type RateLimit, TokenBuckets } from '../http/rate-buckets.js';
import type { Log } from '../observe/log.js';
import type { Secret } from '../platform/secret.js';
import type { RelayStore } from '../relayer/store.js';
import { createRedisBuckets } from './buckets.js';
import { createEnds } from './ends.js';
import { createRedisJobs } from './jobs.js';
import { createRedisLeaseStore } from './leases.js';
import { openRedisLink } from './link.js';
import { createRedisMeters } from './meters.js';
import { FIRST, PING } from './scripts.js';
import { createRedisUses } from './uses.js';

export interface RedisStoreOptions {
  /** `redis://` or `rediss://`, with the password if there is one. */
  readonly url: Secret;
  /** Relays of one network and one relayer's account share; others do not meet in the same Redis. */
  readonly networkId: string;
  readonly relayerAccountId: string;
  readonly log: Log;
  /** The age in milliseconds at which a reservation ends that pays for no stored transaction. Default 30,000. */
  readonly unkeptMs?: number;
}

export interface OpenStore extends RelayStore {
  close(): Promise<void>;
}

/** Limits of routes that cost no money: without Redis, each relay counts them by itself, and logins go on. */
const FREE: ReadonlySet<string> = new Set(['lock', 'origins']);

/** Opens the store. Rejects with INVALID_CONFIG if that Redis may lose the record; not while it is away. */
export async function openRedisStore(options: RedisStoreOptions): Promise<OpenStore> {
  const { url, networkId, relayerAccountId, log } = options;
  const link = await openRedisLink({ url, prefix: `{latchkey:${networkId}:${relayerAccountId}}:`, log });
  const ends = createEnds(log);
  link.onReady(ends.retry);
  const meters = createRedisMeters(link, ends);
  const uses = createRedisUses(link, ends);

  const reservationOf = (ticket: string) => meters.reservation(ticket) ?? uses.reservation(ticket);

  return {
    leases: createRedisLeaseStore(link),
    jobs: createRedisJobs({ link, ends, reservationOf, log, unkeptMs: options.unkeptMs }),
    meterFor: meters.meterFor,
    durable: (meter) => meter,
    uses,
    isFirstWithin: async (name, ms) => (await link.run(FIRST, [`first:${name}`], [ms])) === 1,
    buckets: (limit, rate: RateLimit): RateBuckets =>
      createRedisBuckets(link, limit, rate, FREE.has(limit) ? new TokenBuckets(rate) : null),
    check: async () => void (await link.run(PING, [], [])),
    close: link.close,
  };
}

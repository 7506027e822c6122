/** Token buckets in Redis: the requests to all relays count on them. */
import * as v from 'valibot';
import { MINUTE_MS, type RateBuckets, type RateLimit } from '../http/rate-buckets.js';
import type { RedisLink } from './link.js';
import { TAKE_TOKEN } from './scripts.js';

const TakenSchema = v.tuple([v.number(), v.number()]);
const SCOPES = [null, 'address', 'total'] as const;

/** While Redis is away, `instead` counts. Without it, a request is refused. */
export function createRedisBuckets(
  link: RedisLink,
  limit: string,
  { perAddress, total }: RateLimit,
  instead: RateBuckets | null,
): RateBuckets {
  const steps = [perAddress, total].map((tokens) => Math.round((MINUTE_MS * 1000) / tokens));
  return {
    async take(address) {
      const keys = [`bucket:${limit}:${address}`, `bucket:${limit}`];
      const answer = await link.run(TAKE_TOKEN, keys, steps).catch((error: unknown) => {
        if (!instead) throw error;
        return null;
      });
      if (answer === null) return instead?.take(address) ?? null;
      const [refused, waitMs] = v.parse(TakenSchema, answer);
      const scope = SCOPES[refused];
      return scope ? { scope, waitMs } : null;
    },
  };
}

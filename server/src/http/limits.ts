/**
 * Rate limits for the relay's costly routes, per client and for all clients together. Requests while refused neither
 * cost nor earn anything.
 */
import type { Context } from 'hono';
import { type Limited, noMetrics, type RelayMetrics } from '../observe/metrics.js';
import type { ClientAddress } from './client-address.js';
import { type RateBuckets, type RateLimit, type RateRefusal, TokenBuckets } from './rate-buckets.js';
import { Refusal } from './refusal.js';

/** Null: no limit. */
export type RateLimits = Readonly<Record<Exclude<Limited, 'registration_requests'>, RateLimit | null>>;

export interface RelayLimits {
  /** Counts one. Throws, or rejects with, a {@link Refusal} `too_many_requests`. */
  take(limited: Limited, c: Context): void | Promise<void>;
}

export interface LimitOptions {
  readonly rates: RateLimits;
  readonly clientAddress: ClientAddress;
  readonly metrics?: RelayMetrics | undefined;
  /** The buckets of a limit. Default: in this process's memory. */
  readonly buckets?: ((limit: Limited, rate: RateLimit) => RateBuckets) | undefined;
}

/** Number of requests allowed per registration, so that a client can ask again about an unknown outcome. */
const REQUESTS_PER_REGISTRATION = 6;

export function createLimits({
  rates,
  clientAddress,
  metrics = noMetrics,
  buckets: bucketsOf = (_, rate) => new TokenBuckets(rate),
}: LimitOptions): RelayLimits {
  const { registrations } = rates;
  const requests = registrations && {
    perAddress: registrations.perAddress * REQUESTS_PER_REGISTRATION,
    total: registrations.total * REQUESTS_PER_REGISTRATION,
  };
  const buckets = new Map<Limited, RateBuckets>();
  for (const [name, rate] of Object.entries({ ...rates, registration_requests: requests })) {
    const limited = name as Limited;
    if (rate) buckets.set(limited, bucketsOf(limited, rate));
  }

  const judge = (limited: Limited, refused: RateRefusal | null | undefined) => {
    if (!refused) return;
    metrics.limited(limited, refused.scope);
    const retryAfterSeconds = Math.max(1, Math.ceil(refused.waitMs / 1000));
    const whose = refused.scope === 'address' ? 'from your network' : 'at this relay';
    const wait = retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`;
    throw new Refusal(
      'too_many_requests',
      `There are too many requests ${whose} now. Nothing was done; try again in ${wait}.`,
      { retryAfterSeconds },
    );
  };

  return {
    take(limited, c) {
      const refused = buckets.get(limited)?.take(clientAddress(c));
      return refused instanceof Promise
        ? refused.then((answer) => judge(limited, answer))
        : judge(limited, refused);
    },
  };
}

/**
 * Rate limits for the relay's costly routes, per client and for all clients together: token buckets in this process's
 * memory. Requests while refused neither cost nor earn anything.
 */
import type { Context } from 'hono';
import { type Limited, noMetrics, type RelayMetrics } from '../observe/metrics.js';
import type { ClientAddress } from './client-address.js';
import { Refusal } from './refusal.js';

/** The burst size, and the number of requests per minute after it. */
export interface RateLimit {
  readonly perAddress: number;
  readonly total: number;
}

/** Null: no limit. */
export type RateLimits = Readonly<Record<Exclude<Limited, 'registration_requests'>, RateLimit | null>>;

export interface RelayLimits {
  /** Counts one. Throws, or rejects with, a {@link Refusal} `too_many_requests`. */
  take(limited: Limited, c: Context): void | Promise<void>;
}

export interface LimitOptions {
  readonly rates: RateLimits;
  readonly clientAddress: ClientAddress;
  readonly metrics?: RelayMetrics;
  /** Monotonic milliseconds. Default performance.now. */
  readonly now?: () => number;
}

const MINUTE_MS = 60_000;

/** Number of requests allowed per registration, so that a client can ask again about an unknown outcome. */
const REQUESTS_PER_REGISTRATION = 6;

/**
 * Maximum number of clients per limit. Above it, the limit evicts the longest silent client: memory stays bounded,
 * and the limit for all clients still holds.
 */
const MAX_ADDRESSES = 20_000;

export function createLimits({
  rates,
  clientAddress,
  metrics = noMetrics,
  now = () => performance.now(),
}: LimitOptions): RelayLimits {
  const { registrations } = rates;
  const requests = registrations && {
    perAddress: registrations.perAddress * REQUESTS_PER_REGISTRATION,
    total: registrations.total * REQUESTS_PER_REGISTRATION,
  };
  const buckets = new Map<Limited, TokenBuckets>();
  for (const [limited, rate] of Object.entries({ ...rates, registration_requests: requests })) {
    if (rate) buckets.set(limited as Limited, new TokenBuckets(rate));
  }

  return {
    take(limited, c) {
      const refused = buckets.get(limited)?.take(clientAddress(c), now());
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
    },
  };
}

/** The empty bucket, and the time until it has a token again. */
interface Refused {
  readonly scope: 'address' | 'total';
  readonly waitMs: number;
}

/**
 * One token bucket per address and one for all. Stores each bucket as the time at which it will be full again: the
 * generic cell rate algorithm (ITU-T I.371).
 */
class TokenBuckets {
  readonly #addressStepMs: number;
  readonly #totalStepMs: number;
  /** The longest silent address comes first. */
  readonly #fullAt = new Map<string, number>();
  #totalFullAt = 0;

  constructor({ perAddress, total }: RateLimit) {
    this.#addressStepMs = MINUTE_MS / perAddress;
    this.#totalStepMs = MINUTE_MS / total;
  }

  /** Takes one token from both buckets, or none. */
  take(address: string, now: number): Refused | null {
    const addressFullAt = Math.max(now, this.#fullAt.get(address) ?? 0) + this.#addressStepMs;
    const totalFullAt = Math.max(now, this.#totalFullAt) + this.#totalStepMs;
    const addressWaitMs = waitMs(addressFullAt, now);
    if (addressWaitMs > 0) return { scope: 'address', waitMs: addressWaitMs };
    const totalWaitMs = waitMs(totalFullAt, now);
    if (totalWaitMs > 0) return { scope: 'total', waitMs: totalWaitMs };
    this.#totalFullAt = totalFullAt;
    this.#fullAt.delete(address);
    this.#fullAt.set(address, addressFullAt);
    this.#forget(now);
    return null;
  }

  /** Evicts up to two full buckets per request, then the oldest above MAX_ADDRESSES. */
  #forget(now: number): void {
    let checked = 0;
    for (const [address, fullAt] of this.#fullAt) {
      if (this.#fullAt.size <= MAX_ADDRESSES && (checked === 2 || fullAt > now)) return;
      this.#fullAt.delete(address);
      checked += 1;
    }
  }
}

/** Time until the bucket has a token: it never holds more than a minute's worth. */
function waitMs(fullAt: number, now: number): number {
  // Up to a hundredth of a millisecond is rounding error, not a missing token.
  const wait = fullAt - now - MINUTE_MS;
  return wait > 0.01 ? wait : 0;
}

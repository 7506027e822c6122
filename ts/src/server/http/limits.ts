/**
 * How often the relay's costly routes may be asked, by one client and by all of them together: token buckets in this
 * process's memory. A client gets no more by asking while it is refused, and no less.
 */
import type { Context } from 'hono';
import { noMetrics, type RelayMetrics } from '../observe/metrics.js';
import type { ClientAddress } from './client-address.js';
import { Refusal } from './refusal.js';

/** So many at once, and as many in each minute after. */
export interface RateLimit {
  readonly perAddress: number;
  readonly total: number;
}

/** What is counted. */
export type Limited =
  /** Requests to register, whatever they hold. */
  | 'registration_requests'
  /** Registrations that this relay does not know yet. */
  | 'registrations'
  /** Applying the lock and taking it off. */
  | 'lock'
  | 'delegate'
  /** The list of origins at /.well-known/webauthn. */
  | 'origins';

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
  /** Milliseconds that only grow. Default performance.now. */
  readonly now?: () => number;
}

const MINUTE_MS = 60_000;

/** Whoever is in doubt about a registration may ask this often what became of it. */
const REQUESTS_PER_REGISTRATION = 6;

/**
 * How many clients a limit keeps apart. When more come within a minute, the one that was silent longest is forgotten:
 * memory stays within bounds, and the limit for all of them still holds.
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

/** Which bucket was empty, and when it will hold a token again. */
interface Refused {
  readonly scope: 'address' | 'total';
  readonly waitMs: number;
}

/**
 * A token bucket for each address and one for all. A bucket is kept as the moment at which it will be full again: the
 * generic cell rate algorithm (ITU-T I.371).
 */
class TokenBuckets {
  readonly #addressStepMs: number;
  readonly #totalStepMs: number;
  /** The one that was silent longest comes first. */
  readonly #fullAt = new Map<string, number>();
  #totalFullAt = 0;

  constructor({ perAddress, total }: RateLimit) {
    this.#addressStepMs = MINUTE_MS / perAddress;
    this.#totalStepMs = MINUTE_MS / total;
  }

  /** Takes one token of both buckets, or none. */
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

  /** Forgets who is as good as new, two for each that comes, and whoever is too many. */
  #forget(now: number): void {
    let checked = 0;
    for (const [address, fullAt] of this.#fullAt) {
      if (this.#fullAt.size <= MAX_ADDRESSES && (checked === 2 || fullAt > now)) return;
      this.#fullAt.delete(address);
      checked += 1;
    }
  }
}

/** How long until the bucket holds a token: it never holds more than a minute's. */
function waitMs(fullAt: number, now: number): number {
  // A hundredth of a millisecond is the rounding of sums, not a token that is missing.
  const wait = fullAt - now - MINUTE_MS;
  return wait > 0.01 ? wait : 0;
}

/** Token buckets: one per client address, and one for all. */

/** The burst size, and the number of requests per minute after it. */
export interface RateLimit {
  readonly perAddress: number;
  readonly total: number;
}

/** The empty bucket, and the time until it has a token again. */
export interface RateRefusal {
  readonly scope: 'address' | 'total';
  readonly waitMs: number;
}

export interface RateBuckets {
  /** Takes one token from both buckets, or none. */
  take(address: string): RateRefusal | null | Promise<RateRefusal | null>;
}

/** A bucket holds as many tokens as a minute adds. */
export const MINUTE_MS = 60_000;

/**
 * Maximum number of clients per limit. Above it, the limit evicts the longest silent client: memory stays bounded,
 * and the limit for all clients still holds.
 */
const MAX_ADDRESSES = 20_000;

/**
 * One token bucket per address and one for all, in this process's memory. Stores each bucket as the time at which it will be full again: the
 * generic cell rate algorithm (ITU-T I.371).
 */
export class TokenBuckets implements RateBuckets {
  readonly #addressStepMs: number;
  readonly #totalStepMs: number;
  /** The longest silent address comes first. */
  readonly #fullAt = new Map<string, number>();
  #totalFullAt = 0;

  readonly #now: () => number;

  /** `now`: monotonic milliseconds. */
  constructor({ perAddress, total }: RateLimit, now = () => performance.now()) {
    this.#now = now;
    this.#addressStepMs = MINUTE_MS / perAddress;
    this.#totalStepMs = MINUTE_MS / total;
  }

  take(address: string): RateRefusal | null {
    const now = this.#now();
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

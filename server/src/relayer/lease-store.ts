/**
 * Leases on the relayer's access keys, so that no two of the relay's jobs, and later of its instances, use one nonce.
 */

/** A job's hold on one access key. */
export interface KeyLease {
  readonly publicKey: string;
  /**
   * A nonce that no other holder gets: above all issued ones and above the chain's, which is read only if this store
   * does not know it yet.
   */
  nextNonce(readChainNonce: () => Promise<bigint>): Promise<bigint>;
  /** The chain has reached this nonce: later ones start above it. */
  raise(chainNonce: bigint): Promise<void>;
  /** Issued nonces are too far above the chain's: the next call reads the chain again. */
  forget(): Promise<void>;
  release(): Promise<void>;
}

export interface LeaseStore {
  /** A lease on one of the keys. */
  lease(publicKeys: readonly string[]): Promise<KeyLease>;
}

interface KeyState {
  holders: number;
  last: bigint | undefined;
  reading: Promise<bigint> | undefined;
  /** Until this time the other keys are preferred, because another process uses this one. */
  avoidedUntil: number;
}

/** Random, so that two processes do not move from key to key in step. */
const AVOIDED_MS = { least: 5_000, more: 10_000 };

/**
 * Leases within one process: a job gets the first of the keys with the fewest holders, and holders of one key share
 * its nonce sequence. Does not rotate over the keys: two relays with the same keys would collide on all of them. If
 * the chain's nonce shows that another process uses a key, avoids it for a while if there are others, so that two
 * relays with the same keys end up signing with different ones.
 */
export function createMemoryLeaseStore(now: () => number = () => performance.now()): LeaseStore {
  const states = new Map<string, KeyState>();

  const stateOf = (publicKey: string): KeyState => {
    const state = states.get(publicKey) ?? {
      holders: 0,
      last: undefined,
      reading: undefined,
      avoidedUntil: 0,
    };
    states.set(publicKey, state);
    return state;
  };

  const raise = (state: KeyState, chainNonce: bigint) => {
    if (state.last === undefined || state.last < chainNonce) state.last = chainNonce;
  };

  const readOnce = (state: KeyState, readChainNonce: () => Promise<bigint>): Promise<bigint> => {
    state.reading ??= readChainNonce().finally(() => {
      state.reading = undefined;
    });
    return state.reading;
  };

  return {
    async lease(publicKeys) {
      const time = now();
      const isAvoided = (key: string) => Number(stateOf(key).avoidedUntil > time);
      const [publicKey] = [...publicKeys].sort(
        (a, b) => isAvoided(a) - isAvoided(b) || stateOf(a).holders - stateOf(b).holders,
      );
      if (publicKey === undefined) throw new RangeError('a lease needs at least one key');
      const state = stateOf(publicKey);
      state.holders += 1;
      let isReleased = false;
      return {
        publicKey,
        async nextNonce(readChainNonce) {
          if (state.last === undefined) raise(state, await readOnce(state, readChainNonce));
          const nonce = (state.last ?? 0n) + 1n;
          state.last = nonce;
          return nonce;
        },
        async raise(chainNonce) {
          if (state.last !== undefined && state.last < chainNonce) {
            state.avoidedUntil = now() + AVOIDED_MS.least + Math.random() * AVOIDED_MS.more;
          }
          raise(state, chainNonce);
        },
        async forget() {
          state.last = undefined;
        },
        async release() {
          if (!isReleased) state.holders -= 1;
          isReleased = true;
        },
      };
    },
  };
}

/**
 * What the relay's jobs, and later its instances, share so that no two of them use one nonce: leases on the relayer's
 * access keys.
 */

/** A job's hold on one access key. */
export interface KeyLease {
  readonly publicKey: string;
  /**
   * A nonce that no other holder gets: above all that were given out, and above the chain's, which is read when this
   * store does not know it yet.
   */
  nextNonce(readChainNonce: () => Promise<bigint>): Promise<bigint>;
  /** The chain is at this nonce: later ones start above it. */
  raise(chainNonce: bigint): Promise<void>;
  /** Nonces run ahead of what the chain takes: the next one is read from the chain again. */
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
  /** Until then the other keys are preferred: another process uses this one. */
  avoidedUntil: number;
}

/** Not the same for every process, so that two of them do not move from key to key in step. */
const AVOIDED_MS = { least: 5_000, more: 10_000 };

/**
 * Leases within one process: a job gets the first key that the fewest hold, and those on one key share its nonce sequence.
 * Not each key in its turn: two relays with the same keys would meet on all of them. A key that another process is found
 * to use (the chain's nonce is one that nobody here gave out) is left to it for a while, where there are others: two
 * relays with the same keys come to sign with different ones.
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

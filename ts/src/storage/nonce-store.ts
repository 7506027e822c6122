/** The next nonce of each key, kept where every tab of this origin sees it. */
import type { AppState } from './app-state.js';

const NONCE_PREFIX = 'nonce:';
/** A record older than this is ignored: its transactions have expired, so only the chain's nonce counts. */
const NONCE_LIFE_MS = 36 * 3_600_000;

interface NextNonce {
  readonly next: string;
  readonly takenAt: number;
}

export class NonceStore {
  readonly #state: AppState;

  constructor(state: AppState) {
    this.#state = state;
  }

  /**
   * Reserves `count` nonces of a key, all at or above `atLeast`, atomically over all tabs, and returns the first.
   * Ignores a stored nonce at or above `below`.
   */
  async take(key: string, atLeast: bigint, count: number, below?: bigint): Promise<bigint> {
    return this.#state.write(async (store) => {
      const stored = (await store.get(nonceKey(key)))?.value as NextNonce | undefined;
      const next = stored && Date.now() - stored.takenAt < NONCE_LIFE_MS ? BigInt(stored.next) : 0n;
      const first = next > atLeast && (below === undefined || next < below) ? next : atLeast;
      const value: NextNonce = { next: String(first + BigInt(count)), takenAt: Date.now() };
      await store.put({ key: nonceKey(key), value });
      return first;
    });
  }

  /** Gives back a key's nonces from `first` on, if `next` is still the next one. */
  async giveBack(key: string, first: bigint, next: bigint): Promise<void> {
    await this.#state.write(async (store) => {
      const stored = (await store.get(nonceKey(key)))?.value as NextNonce | undefined;
      if (stored?.next !== String(next)) return;
      await store.put({ key: nonceKey(key), value: { ...stored, next: String(first) } });
    });
  }

  /** The next nonce of a key, as this origin's tabs know it; null if none signed lately. */
  async next(key: string): Promise<bigint | null> {
    const stored = await this.#state.get<NextNonce>(nonceKey(key));
    return stored ? BigInt(stored.next) : null;
  }
}

function nonceKey(key: string): string {
  return `${NONCE_PREFIX}${key}`;
}

/**
 * Jobs that spend nonces of other people's keys: those of one key run one at a time, the lowest nonce first.
 *
 * The chain takes a key's nonces in rising order only. Two transactions that overtake each other on their way would cost
 * a failed one; requests that overtake each other on their way to the relay are put in order here.
 */

interface Waiting {
  readonly nonce: bigint;
  readonly start: () => void;
}

export class KeyQueues {
  /** By key, those that wait behind the one that runs, the lowest nonce first. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** How many keys have jobs: so many run. */
  get size(): number {
    return this.#waiting.size;
  }

  /** How many jobs of this key run or wait. */
  length(key: string): number {
    const waiting = this.#waiting.get(key);
    return waiting ? waiting.length + 1 : 0;
  }

  /** Runs the job in its turn, and settles as it does. */
  async run<T>(key: string, nonce: bigint, job: () => Promise<T>): Promise<T> {
    await this.#turn(key, nonce);
    try {
      return await job();
    } finally {
      const next = this.#waiting.get(key)?.shift();
      if (next) next.start();
      else this.#waiting.delete(key);
    }
  }

  #turn(key: string, nonce: bigint): Promise<void> | undefined {
    const waiting = this.#waiting.get(key);
    if (!waiting) {
      this.#waiting.set(key, []);
      return undefined;
    }
    return new Promise((start) => {
      const place = waiting.findIndex((other) => other.nonce > nonce);
      waiting.splice(place === -1 ? waiting.length : place, 0, { nonce, start });
    });
  }
}

/**
 * Jobs that spend nonces of clients' keys: the jobs of one key run one at a time, the lowest nonce first.
 *
 * The chain accepts a key's nonces only in ascending order. Two transactions that overtake each other would cost a
 * failed one; this queue reorders requests that overtook each other on the way to the relay.
 */

interface Waiting {
  readonly nonce: bigint;
  readonly start: () => void;
}

export class KeyQueues {
  /** For each key, the jobs waiting behind the running one, the lowest nonce first. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Number of keys with jobs, which is also the number of running jobs. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Number of running and waiting jobs of this key. */
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

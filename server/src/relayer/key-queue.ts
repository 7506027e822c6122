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

interface Queue {
  /** Behind the running job, the lowest nonce first. */
  readonly waiting: Waiting[];
  readonly leave: () => void;
}

export class KeyQueues {
  readonly #queues = new Map<string, Queue>();

  /** Number of running and waiting jobs of this key. */
  length(key: string): number {
    const queue = this.#queues.get(key);
    return queue ? queue.waiting.length + 1 : 0;
  }

  /**
   * Runs the job in its turn, and settles as it does. A key's first job takes a place for the key, which its last job
   * leaves; what `take` throws, this call rejects with.
   */
  async run<T>(key: string, nonce: bigint, job: () => Promise<T>, take: () => () => void): Promise<T> {
    await this.#turn(key, nonce, take);
    try {
      return await job();
    } finally {
      this.#next(key);
    }
  }

  #turn(key: string, nonce: bigint, take: () => () => void): Promise<void> | undefined {
    const queue = this.#queues.get(key);
    if (!queue) {
      this.#queues.set(key, { waiting: [], leave: take() });
      return undefined;
    }
    const { waiting } = queue;
    return new Promise((start) => {
      const place = waiting.findIndex((other) => other.nonce > nonce);
      waiting.splice(place === -1 ? waiting.length : place, 0, { nonce, start });
    });
  }

  #next(key: string): void {
    const queue = this.#queues.get(key);
    const next = queue?.waiting.shift();
    if (next) {
      next.start();
      return;
    }
    this.#queues.delete(key);
    queue?.leave();
  }
}

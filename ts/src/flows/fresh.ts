/** A value read from the chain, kept only while it is fresh, and renewed in the background during a wait. */
import { CANCELLED, LatchkeyError } from '../errors/core.js';
import type { Place, RpcClient } from '../near/index.js';

interface Reading<T> {
  readonly value: T;
  readonly readAt: number;
}

export class Fresh<T> {
  readonly #read: (signal: AbortSignal) => Promise<T>;
  readonly #freshMs: number;
  readonly #onBackgroundError: (error: unknown) => void;
  #last: Reading<T> | undefined;
  #reading: Promise<Reading<T>> | undefined;
  #stop = new AbortController();

  constructor(
    read: (signal: AbortSignal) => Promise<T>,
    freshMs: number,
    onBackgroundError: (error: unknown) => void = () => undefined,
  ) {
    this.#read = read;
    this.#freshMs = freshMs;
    this.#onBackgroundError = onBackgroundError;
  }

  /** The value if it is at most `maxAgeMs` old (default: as long as it is fresh), else a new reading. */
  async get(maxAgeMs: number = this.#freshMs): Promise<T> {
    if (this.#last && Date.now() - this.#last.readAt <= maxAgeMs) return this.#last.value;
    return (await this.#renew()).value;
  }

  /** The last reading if it is at most `maxAgeMs` old (default: of any age). */
  peek(maxAgeMs = Number.POSITIVE_INFINITY): T | undefined {
    return this.#last && Date.now() - this.#last.readAt <= maxAgeMs ? this.#last.value : undefined;
  }

  /** Stores a reading made elsewhere, which counts as this old. */
  set(value: T, ageMs = 0): void {
    this.#last = { value, readAt: Date.now() - ageMs };
  }

  /** Reads again even if the last reading is fresh. */
  async renew(): Promise<T> {
    return (await this.#renew()).value;
  }

  /** Renews the value in the background after each half of its life, until the returned function is called. */
  keep(): () => void {
    const timer = setInterval(() => {
      const age = this.#last ? Date.now() - this.#last.readAt : Number.POSITIVE_INFINITY;
      if (age >= this.#freshMs / 2) this.#renew().catch(this.#onBackgroundError);
    }, this.#freshMs / 4);
    return () => clearInterval(timer);
  }

  /** Drops the value and aborts a running reading. */
  clear(): void {
    this.#stop.abort(new LatchkeyError(CANCELLED));
    this.#stop = new AbortController();
    this.#last = undefined;
    this.#reading = undefined;
  }

  #renew(): Promise<Reading<T>> {
    this.#reading ??= this.#readOnce();
    return this.#reading;
  }

  async #readOnce(): Promise<Reading<T>> {
    const { signal } = this.#stop;
    const readAt = Date.now();
    try {
      const reading = { value: await this.#read(signal), readAt };
      if (!signal.aborted) this.#last = reading;
      return reading;
    } finally {
      if (!signal.aborted) this.#reading = undefined;
    }
  }
}

const BLOCK_FRESH_MS = 20_000;
/** A block that another answer has named serves too while it is this young. */
const HEAD_FRESH_MS = 5_000;

/** The block of a challenge, at most 25 s old at the prompt, where no key on the chain is read with it. */
export function freshHead(rpc: RpcClient): Fresh<Place> {
  return new Fresh((signal) => rpc.head(HEAD_FRESH_MS, { signal }), BLOCK_FRESH_MS);
}

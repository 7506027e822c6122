/** Requests that are carried out once: a repeated one joins the one that runs, or gets what it came to. */
import { dropOldest } from '../http/drop-oldest.js';

const MAX_REMEMBERED = 10_000;

export class Once<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #done = new Map<string, T>();

  /** The request that runs; undefined if it does not. */
  running(id: string): Promise<T> | undefined {
    return this.#running.get(id);
  }

  /** What it came to; undefined if that was not remembered, or is forgotten. */
  done(id: string): T | undefined {
    return this.#done.get(id);
  }

  /** Keeps the request as running until it settles. */
  run(id: string, work: Promise<T>): Promise<T> {
    const result = work.finally(() => this.#running.delete(id));
    this.#running.set(id, result);
    return result;
  }

  /** Remembers what it came to, of the latest 10,000 requests. */
  remember(id: string, value: T): T {
    this.#done.set(id, value);
    dropOldest(this.#done, MAX_REMEMBERED);
    return value;
  }

  forget(id: string): void {
    this.#done.delete(id);
  }

  /** Resolves when nothing is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }
}

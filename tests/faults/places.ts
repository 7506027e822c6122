/** Limits concurrent work: each piece has one of these while it runs, and the rest waits. */
export class Places<T> {
  readonly #free: T[];
  readonly #waiting: ((place: T) => void)[] = [];

  constructor(places: Iterable<T>) {
    this.#free = [...places];
  }

  async during<R>(work: (place: T) => Promise<R>): Promise<R> {
    const place =
      this.#free.length > 0
        ? (this.#free.pop() as T)
        : await new Promise<T>((resolve) => this.#waiting.push(resolve));
    try {
      return await work(place);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(place);
      else this.#free.push(place);
    }
  }
}

/** So many places that are all alike. */
export const placesFor = (count: number): Places<undefined> =>
  new Places(Array.from({ length: count }, () => undefined));

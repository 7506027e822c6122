/** Values under random ids, for a while, in this process's memory. */
export interface Expiring<T> {
  /** Keeps the value, and returns its id: 43 characters, base64url. */
  add(value: T): string;
  /** The value, unless its time is over. */
  get(id: string | undefined): T | undefined;
  /** As get, once: forgets the value. */
  take(id: string | undefined): T | undefined;
}

interface Options {
  readonly lifetimeMs: number;
  /** How many are kept. One more forgets the oldest. */
  readonly max: number;
}

export function createExpiring<T>({ lifetimeMs, max }: Options): Expiring<T> {
  const kept = new Map<string, { readonly value: T; readonly until: number }>();
  const get = (id = '') => {
    const found = kept.get(id);
    return found && found.until > Date.now() ? found.value : undefined;
  };
  return {
    add(value) {
      for (const [oldest, { until }] of kept) {
        if (until > Date.now() && kept.size < max) break;
        kept.delete(oldest);
      }
      const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
      kept.set(id, { value, until: Date.now() + lifetimeMs });
      return id;
    },
    get,
    take(id = '') {
      const value = get(id);
      kept.delete(id);
      return value;
    },
  };
}

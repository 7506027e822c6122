/**
 * What a relay has to remember of its last 24 hours: spending, shares, used vouchers and alarms. Short texts by key;
 * in memory, in a file, or in a Durable Object.
 */

export interface RelayRecord {
  /** The entries under this prefix, by the rest of their keys: an earlier process's, with the changes since. */
  entries(prefix: string): ReadonlyMap<string, string>;
  /** Changes an entry; null deletes it. */
  write(key: string, text: string | null): void;
  /** Resolves once every change until now outlives this process. A payment is sent only after this. */
  flush(): Promise<void>;
  /** Milliseconds since 1970; while the process runs, changes of the machine's clock do not count. */
  now(): number;
}

/** A record that ends with this process. It holds nothing. */
export function createMemoryRecord(): RelayRecord {
  return {
    entries: () => new Map(),
    write: () => undefined,
    flush: () => Promise.resolve(),
    now: steadyNow,
  };
}

/** The current time by a clock that continues evenly from the process's start. */
export const steadyNow = (): number => performance.timeOrigin + performance.now();

/** The entries of a stored record under a prefix, by the rest of their keys. */
export function entriesUnder(stored: Iterable<[string, string]>, prefix: string): Map<string, string> {
  const under = [...stored].filter(([key]) => key.startsWith(prefix));
  return new Map(under.map(([key, text]) => [key.slice(prefix.length), text]));
}

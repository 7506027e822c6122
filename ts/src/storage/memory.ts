/**
 * An in-memory database that lives as long as this page: the subset of IndexedDB that the store uses. Runs one piece
 * of work at a time, so that no transaction sees another's writes.
 */
import type { DBSchema, IDBPDatabase } from 'idb';
import { createTurns } from '../workers/in-turn.js';
import type { Connection } from './connection.js';

/** A store's name and key path. */
export interface MemoryStoreDescription {
  readonly name: string;
  readonly keyPath: string | readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;
type Records = Map<string, Fields>;
type Query = IDBValidKey | IDBKeyRange;

/** Like {@link Connection}, without its failures. */
export function memoryConnection<S extends DBSchema>(
  descriptions: readonly MemoryStoreDescription[],
): Pick<Connection<S>, 'run'> {
  const inTurn = createTurns();
  const stores = new Map<string, Records>(descriptions.map(({ name }) => [name, new Map()]));

  function transaction(names: string | readonly string[]) {
    const before = new Map([...stores].map(([name, records]) => [name, new Map(records)]));
    const [first = ''] = [names].flat();
    return {
      store: objectStore(first),
      objectStore,
      done: Promise.resolve(),
      error: null,
      abort: () => {
        for (const [name, records] of before) stores.set(name, records);
      },
    };
  }

  function objectStore(name: string) {
    const { keyPath = '' } = descriptions.find((description) => description.name === name) ?? {};
    const all = (): Records => stores.get(name) ?? new Map();
    const keyOf = (record: Fields): IDBValidKey =>
      typeof keyPath === 'string'
        ? (record[keyPath] as IDBValidKey)
        : keyPath.map((part) => record[part] as IDBValidKey);
    const found = (fits: (record: Fields) => boolean): Fields[] =>
      [...all().values()].filter(fits).map((record) => structuredClone(record));
    return {
      async get(key: IDBValidKey) {
        return structuredClone(all().get(textOf(key)));
      },
      async getAll(query?: Query) {
        return found((record) => query === undefined || matches(query, keyOf(record)));
      },
      async put(record: Fields) {
        all().set(textOf(keyOf(record)), structuredClone(record));
        return keyOf(record);
      },
      async delete(query: Query) {
        for (const record of [...all().values()]) {
          if (matches(query, keyOf(record))) all().delete(textOf(keyOf(record)));
        }
      },
      index: (field: string) => ({
        getAll: async (value: IDBValidKey) => found((record) => record[field] === value),
      }),
    };
  }

  const database = { transaction } as unknown as IDBPDatabase<S>;
  return {
    run: (work) => inTurn(() => work(database)),
  };
}

function matches(query: Query, key: IDBValidKey): boolean {
  return query instanceof IDBKeyRange ? query.includes(key) : textOf(query) === textOf(key);
}

function textOf(key: IDBValidKey): string {
  return JSON.stringify(key);
}

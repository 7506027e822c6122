/** Single values of the wallet's state, each under its key. */
import { completed } from './connection.js';
import type { ClientDatabase, StateRecord } from './schema.js';

/** The values as one transaction sees them. */
export interface StateStore {
  get(key: string): Promise<StateRecord | undefined>;
  put(record: StateRecord): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

export class AppState {
  readonly #client: ClientDatabase;

  constructor(client: ClientDatabase) {
    this.#client = client;
  }

  async get<T>(key: string): Promise<T | undefined> {
    const entry = await this.#client.run((client) =>
      completed(client.transaction('appState'), ({ store }) => store.get(key)),
    );
    return entry?.value as T | undefined;
  }

  /** Every record whose key starts with `prefix`, in the order of the keys. */
  async startingWith(prefix: string): Promise<StateRecord[]> {
    return this.#client.run((client) =>
      completed(client.transaction('appState'), ({ store }) =>
        store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`)),
      ),
    );
  }

  /** Changes a value in one transaction: another tab may have changed it meanwhile. */
  async change<T>(key: string, change: (value: T | undefined) => T): Promise<void> {
    await this.write(async (store) => {
      await store.put({ key, value: change((await store.get(key))?.value as T | undefined) });
    });
  }

  /** Runs work in one transaction that may write. It may await only the transaction, which would end otherwise. */
  async write<T>(work: (store: StateStore) => Promise<T>, options?: IDBTransactionOptions): Promise<T> {
    return this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite', options), ({ store }) => work(store)),
    );
  }
}

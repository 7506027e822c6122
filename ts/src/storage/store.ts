/** The two local databases (IndexedDB), opened at first use. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { LatchkeyError, messageOf } from '../errors.js';
import type {
  AuthenticatorRecord,
  DeviceRecords,
  EncryptedKeyRecord,
  JournalEntry,
  LastUser,
  UserRecord,
} from './records.js';

const CLIENT_DB = { name: 'PasskeyClientDB', version: 13 };
const KEYS_DB = { name: 'PasskeyNearKeys', version: 2 };
const LAST_USER = 'lastUserAccountId';
const MIGRATED_V13 = 'migrated_v13_serverKeyFields';
const JOURNAL_PREFIX = 'journal:';

interface ClientSchema extends DBSchema {
  users: { key: [string, number]; value: UserRecord; indexes: { nearAccountId: string } };
  appState: { key: string; value: { readonly key: string; readonly value: unknown } };
  authenticators: {
    key: [string, number, string];
    value: AuthenticatorRecord;
    indexes: { nearAccountId: string };
  };
}

interface KeysSchema extends DBSchema {
  encryptedKeys: { key: [string, number]; value: EncryptedKeyRecord };
}

export class WalletStore {
  #client: Promise<IDBPDatabase<ClientSchema>> | undefined;
  #keys: Promise<IDBPDatabase<KeysSchema>> | undefined;

  // -------------------------------------------------------------- users

  /** The account's record: of the device given, else of the device last used, else of the one last logged in. */
  async user(accountId: string, deviceNumber?: number): Promise<UserRecord | undefined> {
    const client = await this.#openClient();
    if (deviceNumber !== undefined) return client.get('users', [accountId, deviceNumber]);
    const records = await client.getAllFromIndex('users', 'nearAccountId', accountId);
    const last = await this.lastUser();
    return records.sort(byUse(last))[0];
  }

  /** Every known device record, the one last used first. */
  async users(): Promise<UserRecord[]> {
    const client = await this.#openClient();
    return (await client.getAll('users')).sort(byUse(await this.lastUser()));
  }

  /** Changes fields of a record; nothing happens when there is none. */
  async updateUser(accountId: string, deviceNumber: number, change: Partial<UserRecord>): Promise<void> {
    const transaction = (await this.#openClient()).transaction('users', 'readwrite');
    await committed(transaction, async ({ store }) => {
      const record = await store.get([accountId, deviceNumber]);
      if (record) await store.put({ ...record, ...change, lastUpdated: Date.now() });
    });
  }

  async lastUser(): Promise<LastUser | undefined> {
    return (await this.#openClient())
      .get('appState', LAST_USER)
      .then((entry) => entry?.value as LastUser | undefined);
  }

  async setLastUser(user: LastUser): Promise<void> {
    await (await this.#openClient()).put('appState', { key: LAST_USER, value: user });
  }

  async authenticators(accountId: string): Promise<AuthenticatorRecord[]> {
    return (await this.#openClient()).getAllFromIndex('authenticators', 'nearAccountId', accountId);
  }

  async encryptedKey(accountId: string, deviceNumber: number): Promise<EncryptedKeyRecord | undefined> {
    return (await this.#openKeys()).get('encryptedKeys', [accountId, deviceNumber]);
  }

  // -------------------------------------------------------------- journal

  async journal(): Promise<JournalEntry[]> {
    const range = IDBKeyRange.bound(JOURNAL_PREFIX, `${JOURNAL_PREFIX}\uffff`);
    return (await (await this.#openClient()).getAll('appState', range)).map(
      (entry) => entry.value as JournalEntry,
    );
  }

  async journalEntry(kind: JournalEntry['kind'], accountId: string): Promise<JournalEntry | undefined> {
    const entry = await (await this.#openClient()).get('appState', journalKey(kind, accountId));
    return entry?.value as JournalEntry | undefined;
  }

  /** Adds an entry; throws REGISTRATION_PENDING when the account has one already (another tab, say). */
  async openEntry(entry: JournalEntry): Promise<void> {
    const transaction = (await this.#openClient()).transaction('appState', 'readwrite', {
      durability: 'strict',
    });
    const key = journalKey(entry.kind, entry.accountId);
    await committed(transaction, async ({ store }) => {
      if (await store.get(key)) {
        throw new LatchkeyError('REGISTRATION_PENDING', { values: { account: entry.accountId } });
      }
      await store.put({ key, value: entry });
    });
  }

  /** Forgets an entry whose operation came to nothing; one opened for the account since (in another tab) stays. */
  async dropEntry(entry: JournalEntry): Promise<void> {
    await this.#replaceEntry(entry, undefined);
  }

  /** Notes that the relay refused: see {@link JournalEntry}. */
  async markRefused(entry: JournalEntry): Promise<void> {
    await this.#replaceEntry(entry, { ...entry, refused: true });
  }

  async #replaceEntry(entry: JournalEntry, next: JournalEntry | undefined): Promise<void> {
    const transaction = (await this.#openClient()).transaction('appState', 'readwrite');
    const key = journalKey(entry.kind, entry.accountId);
    await committed(transaction, async ({ store }) => {
      const stored = (await store.get(key))?.value as JournalEntry | undefined;
      if (stored?.credentialId !== entry.credentialId) return;
      await (next ? store.put({ key, value: next }) : store.delete(key));
    });
  }

  /**
   * Stores the records of a registration that succeeded and closes its entry. May be repeated: the key comes first
   * and the entry goes last, so an interruption leaves the entry to be settled at the next start.
   */
  async commitEntry(entry: JournalEntry, change: Partial<UserRecord> = {}): Promise<void> {
    const { user, authenticator, encryptedKey }: DeviceRecords = entry.records;
    await (await this.#openKeys()).put('encryptedKeys', encryptedKey);
    const client = await this.#openClient();
    const transaction = client.transaction(['users', 'authenticators', 'appState'], 'readwrite', {
      durability: 'strict',
    });
    const appState = transaction.objectStore('appState');
    const last: LastUser = { accountId: user.nearAccountId, deviceNumber: user.deviceNumber };
    await committed(transaction, () =>
      Promise.all([
        transaction.objectStore('users').put({ ...user, ...change, lastUpdated: Date.now() }),
        transaction.objectStore('authenticators').put(authenticator),
        appState.put({ key: LAST_USER, value: last }),
        appState.delete(journalKey(entry.kind, entry.accountId)),
      ]),
    );
  }

  /** Closes both databases. */
  async close(): Promise<void> {
    const open = [this.#client, this.#keys];
    this.#client = undefined;
    this.#keys = undefined;
    for (const database of open) (await database?.catch(() => undefined))?.close();
  }

  #openClient(): Promise<IDBPDatabase<ClientSchema>> {
    this.#client ??= reported(
      openDB<ClientSchema>(CLIENT_DB.name, CLIENT_DB.version, {
        upgrade(database, _from, _to, transaction) {
          const names = database.objectStoreNames;
          if (!names.contains('users')) {
            const users = database.createObjectStore('users', { keyPath: ['nearAccountId', 'deviceNumber'] });
            users.createIndex('nearAccountId', 'nearAccountId');
          }
          if (!names.contains('appState')) database.createObjectStore('appState', { keyPath: 'key' });
          if (!names.contains('authenticators')) {
            const authenticators = database.createObjectStore('authenticators', {
              keyPath: ['nearAccountId', 'deviceNumber', 'credentialId'],
            });
            authenticators.createIndex('nearAccountId', 'nearAccountId');
          }
          void transaction.objectStore('appState').put({ key: MIGRATED_V13, value: true });
        },
        blocking: () => void this.close(),
        terminated: () => {
          this.#client = undefined;
        },
      }),
      () => {
        this.#client = undefined;
      },
    );
    return this.#client;
  }

  #openKeys(): Promise<IDBPDatabase<KeysSchema>> {
    this.#keys ??= reported(
      openDB<KeysSchema>(KEYS_DB.name, KEYS_DB.version, {
        upgrade(database) {
          if (!database.objectStoreNames.contains('encryptedKeys')) {
            database.createObjectStore('encryptedKeys', { keyPath: ['nearAccountId', 'deviceNumber'] });
          }
        },
        blocking: () => void this.close(),
        terminated: () => {
          this.#keys = undefined;
        },
      }),
      () => {
        this.#keys = undefined;
      },
    );
    return this.#keys;
  }
}

/**
 * Runs the work within the transaction and waits until it is committed. The work and the commit are heard together: an
 * abort (the browser clears the site's data, say) rejects both, and is reported once.
 */
async function committed<T extends { readonly done: Promise<void> }>(
  transaction: T,
  work: (transaction: T) => Promise<unknown>,
): Promise<void> {
  await Promise.all([work(transaction), transaction.done]);
}

function journalKey(kind: JournalEntry['kind'], accountId: string): string {
  return `${JOURNAL_PREFIX}${kind}:${accountId}`;
}

function byUse(last: LastUser | undefined): (a: UserRecord, b: UserRecord) => number {
  const rank = (record: UserRecord): number =>
    record.nearAccountId === last?.accountId && record.deviceNumber === last.deviceNumber
      ? Number.POSITIVE_INFINITY
      : (record.lastLogin ?? record.registeredAt);
  return (a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a));
}

function reported<T>(opening: Promise<T>, forget: () => void): Promise<T> {
  return opening.catch((error) => {
    forget();
    throw new LatchkeyError('STORAGE_FAILED', { values: { reason: messageOf(error) }, cause: error });
  });
}

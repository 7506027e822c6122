/** What the wallet keeps on this device, in two local databases (IndexedDB) that are opened at first use. */
import type { DBSchema } from 'idb';
import { LatchkeyError } from '../errors.js';
import { Connection, completed, OPEN_WAITS, type OpenWaits } from './connection.js';
import type {
  AuthenticatorRecord,
  DeviceRecords,
  EncryptedKeyRecord,
  JournalEntry,
  LastUser,
  UserRecord,
} from './records.js';
import { CLIENT_DB, KEYS_DB, LAST_USER } from './upgrade.js';

const JOURNAL_PREFIX = 'journal:';
/** On the disk before it counts as written: what follows relies on it even after a power cut. */
const STRICT: IDBTransactionOptions = { durability: 'strict' };

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

/** Every method throws {@link LatchkeyError} alone: a code `STORAGE_...`, or the one its text names. */
export class WalletStore {
  readonly #client: Connection<ClientSchema>;
  readonly #keys: Connection<KeysSchema>;

  constructor(waits: OpenWaits = OPEN_WAITS) {
    this.#client = new Connection(CLIENT_DB, waits);
    this.#keys = new Connection(KEYS_DB, waits);
  }

  // -------------------------------------------------------------- users

  /** The account's record: of the device given, else of the device last used, else of the one last logged in. */
  async user(accountId: string, deviceNumber?: number): Promise<UserRecord | undefined> {
    if (deviceNumber !== undefined) {
      return this.#client.run((client) =>
        completed(client.transaction('users'), ({ store }) => store.get([accountId, deviceNumber])),
      );
    }
    const records = await this.#client.run((client) =>
      completed(client.transaction('users'), ({ store }) => store.index('nearAccountId').getAll(accountId)),
    );
    const last = await this.lastUser();
    return records.sort(byUse(last))[0];
  }

  /** Every known device record, the one last used first. */
  async users(): Promise<UserRecord[]> {
    const records = await this.#client.run((client) =>
      completed(client.transaction('users'), ({ store }) => store.getAll()),
    );
    return records.sort(byUse(await this.lastUser()));
  }

  /**
   * Changes fields of a record; nothing happens when there is none. A change that depends on what is stored is given
   * as a function of it: another tab may have changed it meanwhile.
   */
  async updateUser(
    accountId: string,
    deviceNumber: number,
    change: Partial<UserRecord> | ((record: UserRecord) => Partial<UserRecord>),
  ): Promise<void> {
    await this.#client.run((client) =>
      completed(client.transaction('users', 'readwrite'), async ({ store }) => {
        const record = await store.get([accountId, deviceNumber]);
        if (!record) return;
        const changed = typeof change === 'function' ? change(record) : change;
        await store.put({ ...record, ...changed, lastUpdated: Date.now() });
      }),
    );
  }

  async lastUser(): Promise<LastUser | undefined> {
    const entry = await this.#client.run((client) =>
      completed(client.transaction('appState'), ({ store }) => store.get(LAST_USER)),
    );
    return entry?.value as LastUser | undefined;
  }

  async setLastUser(user: LastUser): Promise<void> {
    await this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite'), ({ store }) =>
        store.put({ key: LAST_USER, value: user }),
      ),
    );
  }

  async authenticators(accountId: string): Promise<AuthenticatorRecord[]> {
    return this.#client.run((client) =>
      completed(client.transaction('authenticators'), ({ store }) =>
        store.index('nearAccountId').getAll(accountId),
      ),
    );
  }

  async encryptedKey(accountId: string, deviceNumber: number): Promise<EncryptedKeyRecord | undefined> {
    return this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys'), ({ store }) => store.get([accountId, deviceNumber])),
    );
  }

  // -------------------------------------------------------------- journal

  async journal(): Promise<JournalEntry[]> {
    const entries = await this.#client.run((client) =>
      completed(client.transaction('appState'), ({ store }) =>
        store.getAll(IDBKeyRange.bound(JOURNAL_PREFIX, `${JOURNAL_PREFIX}\uffff`)),
      ),
    );
    return entries.map((entry) => entry.value as JournalEntry);
  }

  async journalEntry(kind: JournalEntry['kind'], accountId: string): Promise<JournalEntry | undefined> {
    const entry = await this.#client.run((client) =>
      completed(client.transaction('appState'), ({ store }) => store.get(journalKey(kind, accountId))),
    );
    return entry?.value as JournalEntry | undefined;
  }

  /** Adds an entry; throws REGISTRATION_PENDING when the account has one already (another tab, say). */
  async openEntry(entry: JournalEntry): Promise<void> {
    const key = journalKey(entry.kind, entry.accountId);
    await this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite', STRICT), async ({ store }) => {
        if (await store.get(key)) {
          throw new LatchkeyError('REGISTRATION_PENDING', { values: { account: entry.accountId } });
        }
        await store.put({ key, value: entry });
      }),
    );
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
    const key = journalKey(entry.kind, entry.accountId);
    await this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite'), async ({ store }) => {
        const stored = (await store.get(key))?.value as JournalEntry | undefined;
        if (stored?.credentialId !== entry.credentialId) return;
        await (next ? store.put({ key, value: next }) : store.delete(key));
      }),
    );
  }

  /**
   * Stores the records of a registration that succeeded and closes its entry. May be repeated: the key comes first
   * and the entry goes last, so an interruption leaves the entry to be settled at the next start. Where another tab
   * has stored these records already, what was changed in them since stays.
   */
  async commitEntry(entry: JournalEntry, change: Partial<UserRecord> = {}): Promise<void> {
    const { user, authenticator, encryptedKey }: DeviceRecords = entry.records;
    const known = await this.user(user.nearAccountId, user.deviceNumber);
    if (!isSamePasskey(known, user)) {
      await this.#keys.run((keys) =>
        completed(keys.transaction('encryptedKeys', 'readwrite', STRICT), ({ store }) =>
          store.put(encryptedKey),
        ),
      );
    }
    const key = journalKey(entry.kind, entry.accountId);
    const last: LastUser = { accountId: user.nearAccountId, deviceNumber: user.deviceNumber };
    await this.#client.run((client) =>
      completed(
        client.transaction(['users', 'authenticators', 'appState'], 'readwrite', STRICT),
        async (transaction) => {
          const users = transaction.objectStore('users');
          const appState = transaction.objectStore('appState');
          const stored = await users.get([user.nearAccountId, user.deviceNumber]);
          const isStored = isSamePasskey(stored, user);
          await users.put({ ...user, ...(isStored && stored), ...change, lastUpdated: Date.now() });
          if (!isStored) {
            await transaction.objectStore('authenticators').put(authenticator);
            await appState.put({ key: LAST_USER, value: last });
          }
          const open = (await appState.get(key))?.value as JournalEntry | undefined;
          if (open?.credentialId === entry.credentialId) await appState.delete(key);
        },
      ),
    );
  }

  /** Closes both databases. */
  async close(): Promise<void> {
    this.#client.close();
    this.#keys.close();
  }
}

/** Whether a record is of that passkey; one of an older version may name none. */
function isSamePasskey(stored: Partial<UserRecord> | undefined, user: UserRecord): boolean {
  return stored?.passkeyCredential?.id === user.passkeyCredential.id;
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

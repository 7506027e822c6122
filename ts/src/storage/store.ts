/** The wallet's storage on this device: two local databases (IndexedDB), opened on first use. */
import type { IDBPObjectStore } from 'idb';
import type { ReadOrigins } from '../registry/origin-list.js';
import type { Choices, ConfirmationConfig } from '../types.js';
import { AppState, type StateStore } from './app-state.js';
import { Connection, completed, OPEN_WAITS, type OpenWaits } from './connection.js';
import { type HostAccounts, hostKey, shownTo, withChosen, withUsed } from './host-accounts.js';
import { Journal, openRecord } from './journal.js';
import { NonceStore } from './nonce-store.js';
import { orMemory, type Whereabouts } from './or-memory.js';
import type {
  AuthenticatorRecord,
  DeviceRecords,
  EncryptedKeyRecord,
  JournalEntry,
  LastUser,
  LinkEntry,
  PageSettings,
  RegistrationEntry,
  ScannedKey,
  UserRecord,
} from './records.js';
import {
  type ClientDatabase,
  type ClientSchema,
  type KeysDatabase,
  type KeysSchema,
  STRICT,
} from './schema.js';
import { SealedKeyStore } from './sealed-key-store.js';
import { CLIENT_DB, CLIENT_STORES, ENCRYPTED_KEYS, KEYS_DB, LAST_USER } from './upgrade.js';

export const PAGE_PREFIX = 'page:';
const ALLOWED_HOSTS = 'allowedHosts';
const SCANNED_KEY = 'scannedKey';
export const MET_PREFIX = 'met:';
export const ACTIVITY_PREFIX = 'activity:';

/**
 * Every method throws only a LatchkeyError with a code `STORAGE_...`. With a host, the store shows only accounts used
 * through that host; an account counts as used once its records are stored there or it becomes the last user.
 */
export class WalletStore {
  /** The origin of the host that frames this wallet. */
  readonly host: string | undefined;
  readonly journal: Journal;
  readonly nonces: NonceStore;
  readonly sealedKeys: SealedKeyStore;
  readonly #client: ClientDatabase;
  readonly #keys: KeysDatabase;
  readonly #state: AppState;
  readonly #whereabouts: Whereabouts;
  /** Called after this wallet changed a user's record or the last used account. */
  onUserChange: (() => void) | undefined;
  /** Called after the browser closed the database by itself: the user cleared the site's data, for example. */
  onLost: (() => void) | undefined;

  /** With `onRefused`, the store calls it and continues in memory if the browser refuses storage to this page. */
  constructor(waits: OpenWaits = OPEN_WAITS, host?: string, onRefused?: () => void) {
    this.host = host;
    this.#whereabouts = { onRefused, where: 'unknown' };
    const client = new Connection<ClientSchema>(CLIENT_DB, waits, () => this.onLost?.());
    this.#client = orMemory(client, CLIENT_STORES, this.#whereabouts);
    const keys = new Connection<KeysSchema>(KEYS_DB, waits);
    this.#keys = orMemory(keys, [ENCRYPTED_KEYS], this.#whereabouts);
    this.#state = new AppState(this.#client);
    this.journal = new Journal(this.#state, host);
    this.nonces = new NonceStore(this.#state);
    this.sealedKeys = new SealedKeyStore(this.#keys, this.#state);
  }

  /** Whether closing the page loses all records. */
  get isInMemory(): boolean {
    return this.#whereabouts.where === 'memory';
  }

  // -------------------------------------------------------------- users

  /** The account's record: of the given device, else of the last used device, else of the last logged-in one. */
  async user(accountId: string, deviceNumber?: number): Promise<UserRecord | undefined> {
    const known = await this.#hostAccounts();
    if (!known) return this.userOnDevice(accountId, deviceNumber);
    const record = known.accounts.includes(accountId)
      ? await this.userOnDevice(accountId, deviceNumber)
      : undefined;
    return record && shownTo(known, record);
  }

  /** Like {@link user}, for any host: for steps that still end in a passkey prompt. */
  async userOnDevice(accountId: string, deviceNumber?: number): Promise<UserRecord | undefined> {
    if (deviceNumber !== undefined) {
      return this.#readUsers((store) => store.get([accountId, deviceNumber]));
    }
    const records = await this.#readUsers((store) => store.index('nearAccountId').getAll(accountId));
    const last = await this.lastUser();
    return records.sort(byUse(last))[0];
  }

  /** Every known device record, the last used one first. */
  async users(): Promise<UserRecord[]> {
    const records = await this.#allUsers();
    const known = await this.#hostAccounts();
    const shown = known
      ? records
          .filter(({ nearAccountId }) => known.accounts.includes(nearAccountId))
          .map((record) => shownTo(known, record))
      : records;
    return shown.sort(byUse(await this.lastUser()));
  }

  /** Like {@link users}, for any host: for what only the user sees. */
  async usersOnDevice(): Promise<UserRecord[]> {
    return (await this.#allUsers()).sort(byUse(await this.lastUser()));
  }

  #allUsers(): Promise<UserRecord[]> {
    return this.#readUsers((store) => store.getAll());
  }

  #readUsers<T>(read: (store: IDBPObjectStore<ClientSchema, ['users'], 'users'>) => Promise<T>): Promise<T> {
    return this.#client.run((client) => completed(client.transaction('users'), ({ store }) => read(store)));
  }

  /** Whether the account was used through the host; true without a host. */
  async isOfHost(accountId: string): Promise<boolean> {
    const known = await this.#hostAccounts();
    return !known || known.accounts.includes(accountId);
  }

  /**
   * Stores the user's confirmation settings for an account's requests through the host. Does nothing without a host.
   */
  async updateChosen(accountId: string, change: Choices<ConfirmationConfig>): Promise<void> {
    const { host } = this;
    if (host === undefined) return;
    await this.#state.change<HostAccounts>(hostKey(host), (known) => withChosen(known, accountId, change));
    this.onUserChange?.();
  }

  async #hostAccounts(): Promise<HostAccounts | undefined> {
    const { host } = this;
    if (host === undefined) return undefined;
    return (await this.#state.get<HostAccounts>(hostKey(host))) ?? { accounts: [] };
  }

  /**
   * Changes fields of a record; does nothing if there is none. Pass a function if the change depends on the stored
   * record: another tab may have changed it meanwhile.
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
    this.onUserChange?.();
  }

  async lastUser(): Promise<LastUser | undefined> {
    const known = await this.#hostAccounts();
    if (known) return known.lastUser;
    return this.#state.get(LAST_USER);
  }

  async setLastUser(user: LastUser): Promise<void> {
    await this.#state.write((store) => use(store, user, this.host));
    this.onUserChange?.();
  }

  async authenticators(accountId: string): Promise<AuthenticatorRecord[]> {
    return (await this.isOfHost(accountId)) ? this.authenticatorsOnDevice(accountId) : [];
  }

  /** Like {@link authenticators}, for any host. */
  async authenticatorsOnDevice(accountId: string): Promise<AuthenticatorRecord[]> {
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

  // -------------------------------------------------------------- single values

  /** The settings made by a page's code, by the page's origin. */
  async pageSettings(page: string): Promise<PageSettings> {
    return (await this.#state.get<PageSettings>(PAGE_PREFIX + page)) ?? {};
  }

  /** Changes a page's settings, for one account or for all. */
  async updatePageSettings(
    page: string,
    accountId: string | undefined,
    change: Partial<ConfirmationConfig>,
  ): Promise<void> {
    await this.#state.change<PageSettings>(PAGE_PREFIX + page, ({ confirmation, accounts } = {}) =>
      accountId === undefined
        ? { confirmation: { ...confirmation, ...change }, ...(accounts && { accounts }) }
        : {
            ...(confirmation && { confirmation }),
            accounts: { ...accounts, [accountId]: { ...accounts?.[accountId], ...change } },
          },
    );
  }

  /** The last read list of the registry's allowed hosts. */
  async allowedHosts(): Promise<ReadOrigins | undefined> {
    return this.#state.get(ALLOWED_HOSTS);
  }

  async keepAllowedHosts(list: ReadOrigins): Promise<void> {
    await this.#state.change(ALLOWED_HOSTS, () => list);
  }

  /** The key of the linking code that this wallet scanned last, for whichever host. */
  async scannedKey(): Promise<ScannedKey | undefined> {
    return this.#state.get(SCANNED_KEY);
  }

  async keepScannedKey(scanned: ScannedKey): Promise<void> {
    await this.#state.change(SCANNED_KEY, () => scanned);
  }

  /** Whom the account has paid from this device, the latest last. */
  async metRecipients(accountId: string): Promise<readonly string[]> {
    return (await this.#state.get<readonly string[]>(MET_PREFIX + accountId)) ?? [];
  }

  /** Adds recipients, and keeps the latest `most`. */
  async meetRecipients(accountId: string, recipients: readonly string[], most: number): Promise<void> {
    await this.#state.change<readonly string[]>(MET_PREFIX + accountId, (met = []) =>
      [...met.filter((id) => !recipients.includes(id)), ...recipients].slice(-most),
    );
  }

  /** What the account sent from this device: the stored text or object, which another version may have written. */
  async activity(accountId: string): Promise<unknown> {
    return this.#state.get(ACTIVITY_PREFIX + accountId);
  }

  async updateActivity(accountId: string, change: (stored: unknown) => unknown): Promise<void> {
    await this.#state.change(ACTIVITY_PREFIX + accountId, change);
  }

  // -------------------------------------------------------------- devices

  /**
   * Stores the records of a successful operation and closes its entry. Repeatable: the key comes first and the entry
   * goes last, so that after an interruption the next start settles the entry.
   */
  async commitEntry(entry: RegistrationEntry | LinkEntry, change: Partial<UserRecord> = {}): Promise<void> {
    await this.#storeDevice(entry.records, change, entry);
  }

  /** Stores a device's records, the key first. The account becomes the last used one. */
  async storeDevice(records: DeviceRecords, change: Partial<UserRecord> = {}): Promise<void> {
    await this.#storeDevice(records, change);
  }

  /**
   * Replaces all of a device's records, or none; keeps the user's preferences, and the server lock if the passkey
   * is the same. If the second database refuses, the first gets its old key back.
   */
  async replaceDevice({ user, authenticator, encryptedKey }: DeviceRecords): Promise<void> {
    const device: [string, number] = [user.nearAccountId, user.deviceNumber];
    const keyBefore = await this.encryptedKey(...device);
    await this.#putKey(encryptedKey);
    try {
      await this.#client.run((client) =>
        completed(
          client.transaction(['users', 'authenticators', 'appState'], 'readwrite', STRICT),
          async (transaction) => {
            const users = transaction.objectStore('users');
            const authenticators = transaction.objectStore('authenticators');
            const stored = await users.get(device);
            const locked = isSamePasskey(stored, user) ? stored?.serverEncryptedVrfKeypair : undefined;
            await users.put({
              ...user,
              ...(stored?.preferences && { preferences: stored.preferences }),
              ...(stored?.hasRegistryRecord && { hasRegistryRecord: true }),
              ...(locked && { serverEncryptedVrfKeypair: locked }),
            });
            // A passkey that this device had before is no longer in the registry.
            await authenticators.delete(IDBKeyRange.bound(device, [...device, []]));
            await authenticators.put(authenticator);
            await use(transaction.objectStore('appState'), lastUserOf(user), this.host);
          },
        ),
      );
    } catch (error) {
      await Promise.allSettled([keyBefore ? this.#putKey(keyBefore) : this.#deleteKey(device)]);
      throw error;
    }
    this.onUserChange?.();
  }

  #putKey(record: EncryptedKeyRecord): Promise<unknown> {
    return this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys', 'readwrite', STRICT), ({ store }) => store.put(record)),
    );
  }

  #deleteKey(device: [string, number]): Promise<unknown> {
    return this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys', 'readwrite', STRICT), ({ store }) => store.delete(device)),
    );
  }

  /** If another tab has stored these records already, keeps their later changes. */
  async #storeDevice(
    { user, authenticator, encryptedKey }: DeviceRecords,
    change: Partial<UserRecord>,
    entry?: JournalEntry,
  ): Promise<void> {
    const known = await this.userOnDevice(user.nearAccountId, user.deviceNumber);
    if (!isSamePasskey(known, user)) await this.#putKey(encryptedKey);
    await this.#client.run((client) =>
      completed(
        client.transaction(['users', 'authenticators', 'appState'], 'readwrite', STRICT),
        async (transaction) => {
          const users = transaction.objectStore('users');
          const appState = transaction.objectStore('appState');
          const stored = await users.get([user.nearAccountId, user.deviceNumber]);
          const isStored = isSamePasskey(stored, user);
          await users.put({ ...user, ...(isStored && stored), ...change, lastUpdated: Date.now() });
          const open = entry && (await openRecord(appState, entry));
          if (!isStored) {
            await transaction.objectStore('authenticators').put(authenticator);
            // If another host's page settles the entry, the account still belongs to the host that opened it.
            await use(appState, lastUserOf(user), open ? open.host : this.host);
          }
          if (open) await appState.delete(open.key);
        },
      ),
    );
    this.onUserChange?.();
  }

  /** Closes both databases. */
  async close(): Promise<void> {
    this.#client.close();
    this.#keys.close();
  }
}

/** Makes the account the last used one: overall, and for this host if there is one. */
async function use(
  appState: Pick<StateStore, 'get' | 'put'>,
  user: LastUser,
  host: string | undefined,
): Promise<void> {
  await appState.put({ key: LAST_USER, value: user });
  if (host === undefined) return;
  const known = (await appState.get(hostKey(host)))?.value as HostAccounts | undefined;
  await appState.put({ key: hostKey(host), value: withUsed(known, user) });
}

function lastUserOf({ nearAccountId, deviceNumber }: UserRecord): LastUser {
  return { accountId: nearAccountId, deviceNumber };
}

/** Whether a record belongs to that passkey; an older version's record may name none. */
function isSamePasskey(stored: Partial<UserRecord> | undefined, user: UserRecord): boolean {
  return stored?.passkeyCredential?.id === user.passkeyCredential.id;
}

function byUse(last: LastUser | undefined): (a: UserRecord, b: UserRecord) => number {
  const rank = (record: UserRecord): number =>
    record.nearAccountId === last?.accountId && record.deviceNumber === last.deviceNumber
      ? Number.POSITIVE_INFINITY
      : (record.lastLogin ?? record.registeredAt);
  return (a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a));
}

/** The wallet's storage on this device: two local databases (IndexedDB), opened on first use. */
import type { DBSchema } from 'idb';
import type { ReadOrigins } from '../registry/origin-list.js';
import type { Choices, ConfirmationConfig } from '../types.js';
import type { SealedKey } from '../workers/sealed-key.js';
import { Connection, completed, OPEN_WAITS, type OpenWaits } from './connection.js';
import { type HostAccounts, hostKey, shownTo, withChosen, withUsed } from './host-accounts.js';
import { orMemory, type Whereabouts } from './or-memory.js';
import {
  type AuthenticatorRecord,
  type DeviceRecords,
  type EncryptedKeyRecord,
  entryId,
  entryToken,
  type JournalEntry,
  type JournalKind,
  type LastUser,
  type LinkEntry,
  type PageSettings,
  type RegistrationEntry,
  type SealedKeyRecord,
  type UserRecord,
} from './records.js';
import { CLIENT_DB, CLIENT_STORES, ENCRYPTED_KEYS, KEYS_DB, LAST_USER } from './upgrade.js';
import { makeWrappingKey } from './wrapping-key.js';

export const JOURNAL_PREFIX = 'journal:';
const WRAPPING_KEY = 'wrappingKey';
export const PAGE_PREFIX = 'page:';
const ALLOWED_HOSTS = 'allowedHosts';
export const MET_PREFIX = 'met:';
export const ACTIVITY_PREFIX = 'activity:';
const NONCE_PREFIX = 'nonce:';
/** A nonce record older than this is ignored: its transactions have expired, so only the chain's nonce counts. */
const NONCE_LIFE_MS = 36 * 3_600_000;
/** Counts as written only once on disk: later steps rely on it even after a power cut. */
const STRICT: IDBTransactionOptions = { durability: 'strict' };

type Entry<K extends JournalKind> = Extract<JournalEntry, { readonly kind: K }>;

interface NextNonce {
  readonly next: string;
  readonly takenAt: number;
}

export interface StateRecord {
  readonly key: string;
  readonly value: unknown;
  /** Of a journal entry: the host it was opened through. */
  readonly host?: string;
}

export interface ClientSchema extends DBSchema {
  users: { key: [string, number]; value: UserRecord; indexes: { nearAccountId: string } };
  appState: { key: string; value: StateRecord };
  authenticators: {
    key: [string, number, string];
    value: AuthenticatorRecord;
    indexes: { nearAccountId: string };
  };
}

export interface KeysSchema extends DBSchema {
  encryptedKeys: { key: [string, number]; value: EncryptedKeyRecord | SealedKeyRecord };
}

export interface NamedSealedKey {
  readonly name: string;
  readonly deviceNumber: number;
  readonly sealed: SealedKey;
}

/**
 * Every method throws only a LatchkeyError with a code `STORAGE_...`. With a host, the store shows only accounts used
 * through that host; an account counts as used once its records are stored there or it becomes the last user.
 */
export class WalletStore {
  /** The origin of the host that frames this wallet. */
  readonly host: string | undefined;
  readonly #client: Pick<Connection<ClientSchema>, 'run' | 'close'>;
  readonly #keys: Pick<Connection<KeysSchema>, 'run' | 'close'>;
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

  async #allUsers(): Promise<UserRecord[]> {
    return this.#client.run((client) =>
      completed(client.transaction('users'), ({ store }) => store.getAll()),
    );
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
    await this.#changeState<HostAccounts>(hostKey(host), (known) => withChosen(known, accountId, change));
    this.onUserChange?.();
  }

  async #hostAccounts(): Promise<HostAccounts | undefined> {
    const { host } = this;
    if (host === undefined) return undefined;
    return (await this.#state<HostAccounts>(hostKey(host))) ?? { accounts: [] };
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
    return this.#state(LAST_USER);
  }

  async setLastUser(user: LastUser): Promise<void> {
    await this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite'), ({ store }) => use(store, user, this.host)),
    );
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

  // -------------------------------------------------------------- sealed keys

  /** The key that encrypts sealed keys: AES-GCM, 256 bits, not extractable. Generated on first use. */
  async wrappingKey(): Promise<CryptoKey> {
    const stored = await this.#state<CryptoKey>(WRAPPING_KEY);
    if (stored) return stored;
    const made = await makeWrappingKey();
    return this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite', STRICT), async ({ store }) => {
        // Another tab may have stored one first: both use that key.
        const other = await store.get(WRAPPING_KEY);
        if (other) return other.value as CryptoKey;
        await store.put({ key: WRAPPING_KEY, value: made });
        return made;
      }),
    );
  }

  async sealedKey(name: string, deviceNumber: number): Promise<SealedKey | undefined> {
    const record = await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys'), ({ store }) => store.get([name, deviceNumber])),
    );
    return record && 'publicKey' in record ? toSealedKey(record) : undefined;
  }

  /** The sealed keys whose name starts with `prefix`, oldest first. */
  async sealedKeys(prefix: string): Promise<NamedSealedKey[]> {
    const records = await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys'), ({ store }) =>
        store.getAll(IDBKeyRange.bound([prefix], [`${prefix}\uffff`])),
      ),
    );
    return records
      .filter((record) => 'publicKey' in record)
      .sort((a, b) => a.timestamp - b.timestamp)
      .map((record) => ({
        name: record.nearAccountId,
        deviceNumber: record.deviceNumber,
        sealed: toSealedKey(record),
      }));
  }

  /** Stores a sealed key; replaces one of the same name. */
  async putSealedKey(name: string, deviceNumber: number, sealed: SealedKey): Promise<void> {
    const { publicKey, encryptedData, iv } = sealed;
    const record: SealedKeyRecord = {
      nearAccountId: name,
      deviceNumber,
      publicKey,
      encryptedData,
      iv,
      timestamp: Date.now(),
    };
    await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys', 'readwrite', STRICT), ({ store }) => store.put(record)),
    );
  }

  /** Drops a sealed key; does nothing if there is none. Never drops an account's own key. */
  async dropSealedKey(name: string, deviceNumber: number): Promise<void> {
    await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys', 'readwrite', STRICT), async ({ store }) => {
        const record = await store.get([name, deviceNumber]);
        if (record && 'publicKey' in record) await store.delete([name, deviceNumber]);
      }),
    );
  }

  // -------------------------------------------------------------- single values

  /** A value of the wallet's state by its key. */
  async #state<T>(key: string): Promise<T | undefined> {
    const entry = await this.#client.run((client) =>
      completed(client.transaction('appState'), ({ store }) => store.get(key)),
    );
    return entry?.value as T | undefined;
  }

  /** Changes a value in one transaction: another tab may have changed it meanwhile. */
  async #changeState<T>(key: string, change: (value: T | undefined) => T): Promise<void> {
    await this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite'), async ({ store }) => {
        const value = change((await store.get(key))?.value as T | undefined);
        await store.put({ key, value });
      }),
    );
  }

  /** The settings made by a page's code, by the page's origin. */
  async pageSettings(page: string): Promise<PageSettings> {
    return (await this.#state<PageSettings>(PAGE_PREFIX + page)) ?? {};
  }

  /** Changes a page's settings, for one account or for all. */
  async updatePageSettings(
    page: string,
    accountId: string | undefined,
    change: Partial<ConfirmationConfig>,
  ): Promise<void> {
    await this.#changeState<PageSettings>(PAGE_PREFIX + page, ({ confirmation, accounts } = {}) =>
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
    return this.#state(ALLOWED_HOSTS);
  }

  async keepAllowedHosts(list: ReadOrigins): Promise<void> {
    await this.#changeState(ALLOWED_HOSTS, () => list);
  }

  /** Whom the account has paid from this device, the latest last. */
  async metRecipients(accountId: string): Promise<readonly string[]> {
    return (await this.#state<readonly string[]>(MET_PREFIX + accountId)) ?? [];
  }

  /** Adds recipients, and keeps the latest `most`. */
  async meetRecipients(accountId: string, recipients: readonly string[], most: number): Promise<void> {
    await this.#changeState<readonly string[]>(MET_PREFIX + accountId, (met = []) =>
      [...met.filter((id) => !recipients.includes(id)), ...recipients].slice(-most),
    );
  }

  /** What the account sent from this device: the stored text or object, which another version may have written. */
  async activity(accountId: string): Promise<unknown> {
    return this.#state(ACTIVITY_PREFIX + accountId);
  }

  async updateActivity(accountId: string, change: (stored: unknown) => unknown): Promise<void> {
    await this.#changeState(ACTIVITY_PREFIX + accountId, change);
  }

  // -------------------------------------------------------------- nonces

  /**
   * Reserves `count` nonces of a key, all at or above `atLeast`, atomically over all tabs, and returns the first.
   * Ignores a stored nonce at or above `below`.
   */
  async takeNonces(key: string, atLeast: bigint, count: number, below?: bigint): Promise<bigint> {
    return this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite'), async ({ store }) => {
        const stored = (await store.get(nonceKey(key)))?.value as NextNonce | undefined;
        const next = stored && Date.now() - stored.takenAt < NONCE_LIFE_MS ? BigInt(stored.next) : 0n;
        const first = next > atLeast && (below === undefined || next < below) ? next : atLeast;
        const value: NextNonce = { next: String(first + BigInt(count)), takenAt: Date.now() };
        await store.put({ key: nonceKey(key), value });
        return first;
      }),
    );
  }

  /** Returns a key's nonces from `first` on, if `next` is still the next one. */
  async returnNonces(key: string, first: bigint, next: bigint): Promise<void> {
    await this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite'), async ({ store }) => {
        const stored = (await store.get(nonceKey(key)))?.value as NextNonce | undefined;
        if (stored?.next !== String(next)) return;
        await store.put({ key: nonceKey(key), value: { ...stored, next: String(first) } });
      }),
    );
  }

  /** The next nonce of a key, as this origin's tabs know it; null if none signed lately. */
  async nextNonce(key: string): Promise<bigint | null> {
    const stored = await this.#state<NextNonce>(nonceKey(key));
    return stored ? BigInt(stored.next) : null;
  }

  // -------------------------------------------------------------- journal

  /**
   * The open entries of a kind that were opened through the host. Key deletions belong to every host: whichever page
   * is open at the time carries them out.
   */
  async journal<K extends JournalKind>(kind: K): Promise<Entry<K>[]> {
    const prefix = journalKey(kind, '');
    const entries = await this.#client.run((client) =>
      completed(client.transaction('appState'), ({ store }) =>
        store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`)),
      ),
    );
    const { host } = this;
    return entries
      .filter((entry) => host === undefined || kind === 'deletion' || entry.host === host)
      .map((entry) => entry.value as Entry<K>);
  }

  /** One entry, whichever host opened it. */
  async journalEntry<K extends JournalKind>(kind: K, id: string): Promise<Entry<K> | undefined> {
    return this.#state(journalKey(kind, id));
  }

  /** Adds an entry. Returns false if one with its id exists (from another tab, for example), and keeps that one. */
  async openEntry(entry: JournalEntry): Promise<boolean> {
    const key = keyOf(entry);
    return this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite', STRICT), async ({ store }) => {
        if (await store.get(key)) return false;
        await store.put({ key, value: entry, ...(this.host !== undefined && { host: this.host }) });
        return true;
      }),
    );
  }

  /** Drops an entry whose operation has ended; keeps a newer one with its id (from another tab). */
  async dropEntry(entry: JournalEntry): Promise<void> {
    await this.#replaceEntry(entry, undefined);
  }

  /** Records progress of an operation; does nothing if its entry is gone. */
  async updateEntry<E extends JournalEntry>(entry: E, change: Partial<E>): Promise<void> {
    await this.#replaceEntry(entry, { ...entry, ...change });
  }

  async #replaceEntry(entry: JournalEntry, next: JournalEntry | undefined): Promise<void> {
    const key = keyOf(entry);
    await this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite', STRICT), async ({ store }) => {
        const record = await store.get(key);
        const stored = record?.value as JournalEntry | undefined;
        if (!record || !stored || entryToken(stored) !== entryToken(entry)) return;
        await (next ? store.put({ ...record, value: next }) : store.delete(key));
      }),
    );
  }

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
          const record = entry && (await appState.get(keyOf(entry)));
          const open = record?.value as JournalEntry | undefined;
          const isOpen = entry && open && entryToken(open) === entryToken(entry);
          if (!isStored) {
            await transaction.objectStore('authenticators').put(authenticator);
            // If another host's page settles the entry, the account still belongs to the host that opened it.
            await use(appState, lastUserOf(user), isOpen ? record?.host : this.host);
          }
          if (isOpen) await appState.delete(keyOf(entry));
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

interface StateStore {
  get(key: string): Promise<StateRecord | undefined>;
  put(record: StateRecord): Promise<unknown>;
}

/** Makes the account the last used one: overall, and for this host if there is one. */
async function use(appState: StateStore, user: LastUser, host: string | undefined): Promise<void> {
  await appState.put({ key: LAST_USER, value: user });
  if (host === undefined) return;
  const known = (await appState.get(hostKey(host)))?.value as HostAccounts | undefined;
  await appState.put({ key: hostKey(host), value: withUsed(known, user) });
}

function toSealedKey({ publicKey, encryptedData, iv }: SealedKeyRecord): SealedKey {
  return { publicKey, encryptedData, iv };
}

function lastUserOf({ nearAccountId, deviceNumber }: UserRecord): LastUser {
  return { accountId: nearAccountId, deviceNumber };
}

/** Whether a record belongs to that passkey; an older version's record may name none. */
function isSamePasskey(stored: Partial<UserRecord> | undefined, user: UserRecord): boolean {
  return stored?.passkeyCredential?.id === user.passkeyCredential.id;
}

function journalKey(kind: JournalKind, id: string): string {
  return `${JOURNAL_PREFIX}${kind}:${id}`;
}

function nonceKey(key: string): string {
  return `${NONCE_PREFIX}${key}`;
}

function keyOf(entry: JournalEntry): string {
  return journalKey(entry.kind, entryId(entry));
}

function byUse(last: LastUser | undefined): (a: UserRecord, b: UserRecord) => number {
  const rank = (record: UserRecord): number =>
    record.nearAccountId === last?.accountId && record.deviceNumber === last.deviceNumber
      ? Number.POSITIVE_INFINITY
      : (record.lastLogin ?? record.registeredAt);
  return (a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a));
}

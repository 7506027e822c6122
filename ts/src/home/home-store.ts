/**
 * What the wallet's own page does with this browser's records: lists the apps, forgets one, and removes an account. No app
 * can reach it: it is no call of the wallet.
 */
import { ACCOUNT_BUSY, LatchkeyError } from '../errors/account.js';
import { appKeyOwner } from '../storage/app-key-name.js';
import { AppState } from '../storage/app-state.js';
import { Connection, completed, OPEN_WAITS, type OpenWaits } from '../storage/connection.js';
import { HOST_PREFIX, type HostAccounts, hostKey } from '../storage/host-accounts.js';
import { JOURNAL_PREFIX } from '../storage/journal.js';
import type { JournalEntry, LastUser, PageSettings } from '../storage/records.js';
import { type ClientSchema, type KeysSchema, STRICT } from '../storage/schema.js';
import { ACTIVITY_PREFIX, MET_PREFIX, PAGE_PREFIX } from '../storage/store.js';
import { CLIENT_DB, KEYS_DB, LAST_USER } from '../storage/upgrade.js';
import type { ConfirmationConfig } from '../types.js';

const TOKENS_PREFIX = 'tokens:';
const RECEIVED_PREFIX = 'received:';

/** An app that used this wallet, as this browser remembers it. */
export interface KnownApp {
  readonly origin: string;
  /** The accounts that it may see. */
  readonly accounts: readonly {
    readonly accountId: string;
    /** What the user chose for this app's requests of that account; empty where nothing was chosen. */
    readonly chosen: Partial<ConfirmationConfig>;
  }[];
}

/** Every method rejects only with a LatchkeyError with a code `STORAGE_...`, or ACCOUNT_BUSY. */
export class HomeStore {
  readonly #client: Connection<ClientSchema>;
  readonly #keys: Connection<KeysSchema>;
  readonly #state: AppState;

  constructor(waits: OpenWaits = OPEN_WAITS) {
    this.#client = new Connection<ClientSchema>(CLIENT_DB, waits);
    this.#keys = new Connection<KeysSchema>(KEYS_DB, waits);
    this.#state = new AppState(this.#client);
  }

  /** The apps that used an account of this browser, or made settings here, in the order of their names. */
  async apps(): Promise<readonly KnownApp[]> {
    const [hosts, pages] = await Promise.all([
      this.#state.startingWith(HOST_PREFIX),
      this.#state.startingWith(PAGE_PREFIX),
    ]);
    const known = new Map<string, KnownApp>();
    for (const { key } of pages) {
      const origin = key.slice(PAGE_PREFIX.length);
      if (origin !== location.origin) known.set(origin, { origin, accounts: [] });
    }
    for (const { key, value } of hosts) {
      const origin = key.slice(HOST_PREFIX.length);
      const { accounts = [], chosen = {} } = value as Partial<HostAccounts>;
      known.set(origin, {
        origin,
        accounts: accounts.map((accountId) => ({ accountId, chosen: chosen[accountId] ?? {} })),
      });
    }
    return [...known.values()].sort((a, b) => a.origin.localeCompare(b.origin));
  }

  /** Takes back what the user chose for the app's requests: each of them asks for a click again. */
  async resetChoices(origin: string): Promise<void> {
    await this.#state.write(async (store) => {
      const known = (await store.get(hostKey(origin)))?.value as HostAccounts | undefined;
      if (!known) return;
      const { chosen: _, ...rest } = known;
      await store.put({ key: hostKey(origin), value: rest });
    });
  }

  /**
   * Forgets the app: it sees no account until the user logs in there again, not even by what it had begun and this browser
   * ends without it. Its keys stay on the accounts.
   */
  async forgetApp(origin: string): Promise<void> {
    await this.#client.run((client) =>
      completed(client.transaction('appState', 'readwrite', STRICT), async ({ store }) => {
        await store.delete(hostKey(origin));
        await store.delete(PAGE_PREFIX + origin);
        const begun = await store.getAll(IDBKeyRange.bound(JOURNAL_PREFIX, `${JOURNAL_PREFIX}\uffff`));
        for (const { host, ...record } of begun) {
          if (host !== origin) continue;
          // Only the app could use a key that was on its way.
          if ((record.value as JournalEntry).kind === 'appKey') await store.delete(record.key);
          else await store.put(record);
        }
      }),
    );
    await this.#dropKeys(await this.#sealedNames((name) => appKeyOwner(name)?.host === origin));
  }

  /**
   * Removes an account's records from this browser. On the chain nothing changes. Rejects with ACCOUNT_BUSY while something
   * that it began has not ended: a payment of unknown outcome, a linking, an app key.
   */
  async removeAccount(accountId: string): Promise<void> {
    await this.#client.run((client) =>
      completed(
        client.transaction(['users', 'authenticators', 'appState'], 'readwrite', STRICT),
        async (transaction) => {
          const state = transaction.objectStore('appState');
          const all = await state.getAll();
          if (all.some(({ key, value }) => key.startsWith(JOURNAL_PREFIX) && isOpenFor(value, accountId)))
            throw new LatchkeyError(ACCOUNT_BUSY, { values: { account: accountId } });
          for (const name of ['users', 'authenticators'] as const) {
            const store = transaction.objectStore(name);
            const range = IDBKeyRange.bound([accountId], [accountId, []]);
            await store.delete(range);
          }
          await state.delete(ACTIVITY_PREFIX + accountId);
          await state.delete(MET_PREFIX + accountId);
          await state.delete(TOKENS_PREFIX + accountId);
          await state.delete(RECEIVED_PREFIX + accountId);
          for (const { key, value, ...rest } of all) {
            const left = withoutAccount(key, value, accountId);
            if (left === undefined) await state.delete(key);
            else if (left !== value) await state.put({ ...rest, key, value: left });
          }
        },
      ),
    );
    // After the records: without them nothing uses a key, and with them the account would lack one.
    const own = await this.#sealedNames(
      (name) => name === accountId || appKeyOwner(name)?.accountId === accountId,
    );
    await this.#dropKeys(own);
  }

  /** Which tokens the user lists, as it is stored: another version may have written it. */
  tokenChoices(accountId: string): Promise<unknown> {
    return this.#state.get(TOKENS_PREFIX + accountId);
  }

  changeTokenChoices(accountId: string, change: (stored: unknown) => unknown): Promise<void> {
    return this.#state.change(TOKENS_PREFIX + accountId, change);
  }

  /** What came in, in the same way. */
  received(accountId: string): Promise<unknown> {
    return this.#state.get(RECEIVED_PREFIX + accountId);
  }

  changeReceived(accountId: string, change: (stored: unknown) => unknown): Promise<void> {
    return this.#state.change(RECEIVED_PREFIX + accountId, change);
  }

  close(): void {
    this.#client.close();
    this.#keys.close();
  }

  async #sealedNames(isWanted: (name: string) => boolean): Promise<[string, number][]> {
    const records = await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys'), ({ store }) => store.getAll()),
    );
    return records
      .filter(({ nearAccountId }) => isWanted(nearAccountId))
      .map(({ nearAccountId, deviceNumber }) => [nearAccountId, deviceNumber]);
  }

  async #dropKeys(names: readonly [string, number][]): Promise<void> {
    await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys', 'readwrite', STRICT), async ({ store }) => {
        for (const name of names) await store.delete(name);
      }),
    );
  }
}

/** A deletion goes on without the account's records: it is signed already. The user knows the end of a shown payment. */
function isOpenFor(value: unknown, accountId: string): boolean {
  const entry = value as JournalEntry;
  if (entry.accountId !== accountId || entry.kind === 'deletion') return false;
  return (
    entry.kind !== 'batch' || entry.transactions.some(({ fate, isShown }) => fate === 'unknown' && !isShown)
  );
}

/** A value of the state without the account; undefined where nothing is left of it. */
function withoutAccount(key: string, value: unknown, accountId: string): unknown {
  // Without the account, nothing watches a batch until it is final.
  if (key.startsWith(JOURNAL_PREFIX)) {
    const { accountId: owner, kind } = value as JournalEntry;
    return owner === accountId && kind === 'batch' ? undefined : value;
  }
  if (key === LAST_USER) return (value as LastUser).accountId === accountId ? undefined : value;
  if (key.startsWith(HOST_PREFIX)) return withoutHostAccount(value as HostAccounts, accountId);
  if (key.startsWith(PAGE_PREFIX)) {
    const { accounts, ...rest } = value as PageSettings;
    return accounts?.[accountId] ? { ...rest, accounts: omit(accounts, accountId) } : value;
  }
  return value;
}

function withoutHostAccount(known: HostAccounts, accountId: string): HostAccounts | undefined {
  if (!known.accounts.includes(accountId)) return known;
  const accounts = known.accounts.filter((id) => id !== accountId);
  if (accounts.length === 0) return undefined;
  const { lastUser, chosen } = known;
  return {
    accounts,
    ...(lastUser && lastUser.accountId !== accountId && { lastUser }),
    ...(chosen && { chosen: omit(chosen, accountId) }),
  };
}

function omit<T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}

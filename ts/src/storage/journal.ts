/** The journal: work that this wallet has begun and does not know to have ended. The next start settles it. */
import type { AppState, StateStore } from './app-state.js';
import { entryId, entryToken, type JournalEntry, type JournalKind } from './records.js';
import { STRICT, type StateRecord } from './schema.js';

export const JOURNAL_PREFIX = 'journal:';

type Entry<K extends JournalKind> = Extract<JournalEntry, { readonly kind: K }>;

export class Journal {
  readonly #state: AppState;
  readonly #host: string | undefined;

  /** With a host, it lists only what was opened through that host. */
  constructor(state: AppState, host: string | undefined) {
    this.#state = state;
    this.#host = host;
  }

  /**
   * The open entries of a kind that were opened through the host. Key deletions belong to every host: whichever page
   * is open at the time carries them out.
   */
  async entries<K extends JournalKind>(kind: K): Promise<Entry<K>[]> {
    return this.#list(
      kind,
      ({ host }) => this.#host === undefined || kind === 'deletion' || host === this.#host,
    );
  }

  /** Like {@link entries}, for any host: for what only the user sees. */
  async entriesOnDevice<K extends JournalKind>(kind: K): Promise<Entry<K>[]> {
    return this.#list(kind, () => true);
  }

  async #list<K extends JournalKind>(
    kind: K,
    isWanted: (record: StateRecord) => boolean,
  ): Promise<Entry<K>[]> {
    const records = await this.#state.startingWith(journalKey(kind, ''));
    return records.filter(isWanted).map((record) => record.value as Entry<K>);
  }

  /** One entry, whichever host opened it. */
  async entry<K extends JournalKind>(kind: K, id: string): Promise<Entry<K> | undefined> {
    return this.#state.get(journalKey(kind, id));
  }

  /** Adds an entry. Returns false if one with its id exists (from another tab, for example), and keeps that one. */
  async open(entry: JournalEntry): Promise<boolean> {
    const key = keyOf(entry);
    const host = this.#host;
    return this.#state.write(async (store) => {
      if (await store.get(key)) return false;
      await store.put({ key, value: entry, ...(host !== undefined && { host }) });
      return true;
    }, STRICT);
  }

  /** Records progress of an operation; does nothing if its entry is gone. */
  async update<E extends JournalEntry>(entry: E, change: Partial<E>): Promise<void> {
    await this.#replace(entry, { ...entry, ...change });
  }

  /** Drops an entry whose operation has ended; keeps a newer one with its id (from another tab). */
  async drop(entry: JournalEntry): Promise<void> {
    await this.#replace(entry, undefined);
  }

  async #replace(entry: JournalEntry, next: JournalEntry | undefined): Promise<void> {
    await this.#state.write(async (store) => {
      const record = await openRecord(store, entry);
      if (record) await (next ? store.put({ ...record, value: next }) : store.delete(record.key));
    }, STRICT);
  }
}

/** The stored record of an entry, while it is the same operation: another tab may have ended it and begun a new one. */
export async function openRecord(
  appState: Pick<StateStore, 'get'>,
  entry: JournalEntry,
): Promise<StateRecord | undefined> {
  const record = await appState.get(keyOf(entry));
  const stored = record?.value as JournalEntry | undefined;
  return stored && entryToken(stored) === entryToken(entry) ? record : undefined;
}

function journalKey(kind: JournalKind, id: string): string {
  return `${JOURNAL_PREFIX}${kind}:${id}`;
}

function keyOf(entry: JournalEntry): string {
  return journalKey(entry.kind, entryId(entry));
}

/** One database: opened at first use, opened anew when it was closed beneath us, its failures in words. */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import { LatchkeyError } from '../errors/index.js';
import { nameOf, openingError, storageError } from './failure.js';

/** How long an operation waits for an opening that another tab blocks, and for one that says nothing. */
export interface OpenWaits {
  readonly blockedMs: number;
  readonly silentMs: number;
}

export const OPEN_WAITS: OpenWaits = { blockedMs: 3_000, silentMs: 15_000 };

/** A database of any stores, as an upgrade sees it. */
export type AnyDatabase = IDBPDatabase;
export type UpgradeTransaction = IDBPTransaction<unknown, string[], 'versionchange'>;

export interface DatabaseDescription {
  readonly name: string;
  readonly version: number;
  /** Brings any older version to this one. May await nothing but the transaction: it would end. */
  readonly upgrade: (database: AnyDatabase, transaction: UpgradeTransaction) => Promise<void>;
  /** Done at each opening, before the first use. */
  readonly opened?: (database: AnyDatabase) => Promise<void>;
}

interface Opening<S extends DBSchema> {
  readonly database: Promise<IDBPDatabase<S>>;
  /** Settles when another connection of an older version is in the way. */
  readonly blocked: Promise<void>;
  isOpen: boolean;
}

export class Connection<S extends DBSchema> {
  readonly #description: DatabaseDescription;
  readonly #waits: OpenWaits;
  readonly #lost: () => void;
  #opening: Opening<S> | undefined;

  /** `lost` is called when the browser closes the open database by itself. */
  constructor(description: DatabaseDescription, waits: OpenWaits, lost: () => void = () => undefined) {
    this.#description = description;
    this.#waits = waits;
    this.#lost = lost;
  }

  /**
   * Does one piece of work, and throws nothing but {@link LatchkeyError}. The work is done again, once, when the
   * connection was found closed (another tab's upgrade needed that, say): no transaction began, so nothing happens
   * twice.
   */
  async run<T>(work: (database: IDBPDatabase<S>) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      this.#opening ??= this.#open();
      const opening = this.#opening;
      try {
        return await work(await this.#ready(opening));
      } catch (error) {
        if (attempt > 1 || nameOf(error) !== 'InvalidStateError') throw storageError(error);
        this.#leave(opening);
      }
    }
  }

  /** Closes the database once its transactions have ended; the next operation opens it again. */
  close(): void {
    if (this.#opening) this.#leave(this.#opening);
  }

  #leave(opening: Opening<S>): void {
    if (this.#opening === opening) this.#opening = undefined;
    opening.database.then(
      (database) => database.close(),
      () => undefined,
    );
  }

  /** The database, or an error when it does not open in time. The opening goes on, and serves later operations. */
  async #ready(opening: Opening<S>): Promise<IDBPDatabase<S>> {
    if (opening.isOpen) return opening.database;
    const { blockedMs, silentMs } = this.#waits;
    return Promise.race([
      opening.database,
      opening.blocked.then(() => rejectedAfter(blockedMs, () => new LatchkeyError('STORAGE_BLOCKED'))),
      rejectedAfter(silentMs, () => {
        const reason = `it did not open within ${silentMs / 1000} s`;
        return new LatchkeyError('STORAGE_FAILED', { values: { reason } });
      }),
    ]);
  }

  #open(): Opening<S> {
    let announceBlocked: () => void = () => undefined;
    const opening: Opening<S> = {
      database: this.#connect(
        () => announceBlocked(),
        () => this.#leave(opening),
        () => {
          this.#leave(opening);
          this.#lost();
        },
      ),
      blocked: new Promise((resolve) => {
        announceBlocked = resolve;
      }),
      isOpen: false,
    };
    opening.database.then(
      () => {
        opening.isOpen = true;
      },
      () => this.#leave(opening),
    );
    return opening;
  }

  async #connect(blocked: () => void, leave: () => void, terminated: () => void): Promise<IDBPDatabase<S>> {
    const { name, version, upgrade, opened } = this.#description;
    // What stopped the upgrade: the opening itself then fails with a mere AbortError.
    let stopped: unknown;
    const database = await connect(() => {
      if (!globalThis.indexedDB) throw new LatchkeyError('STORAGE_UNAVAILABLE');
      return openDB(name, version, {
        blocked,
        blocking: leave,
        terminated,
        upgrade: (older, _from, _to, transaction) => {
          const upgraded = completed(transaction, () => upgrade(older, transaction));
          upgraded.catch((error: unknown) => {
            stopped = error;
          });
        },
      });
    }).catch((error: unknown) => {
      throw openingError(stopped ?? error);
    });
    try {
      await opened?.(database);
    } catch (error) {
      // An open connection that nobody has would block every later upgrade.
      database.close();
      throw error;
    }
    return database as unknown as IDBPDatabase<S>;
  }
}

/** Within a promise, so that what the browser throws at once is heard as well. */
async function connect(open: () => Promise<AnyDatabase>): Promise<AnyDatabase> {
  return open();
}

interface Transaction {
  readonly done: Promise<void>;
  readonly error: DOMException | null;
  abort(): void;
}

/**
 * Does the work within the transaction and waits until it is complete: a write is stored then. Work that fails undoes
 * the transaction, as what it had written already would be stored otherwise.
 */
export async function completed<T extends Transaction, R>(
  transaction: T,
  work: (transaction: T) => Promise<R>,
): Promise<R> {
  // Heard from the start, so that an abort (the browser clears the site's data, say) is reported once.
  const ended = transaction.done.catch(() => undefined);
  try {
    const result = await work(transaction);
    await transaction.done;
    return result;
  } catch (error) {
    abort(transaction);
    await ended;
    // A request ends with AbortError whatever aborted the transaction; the transaction knows what it was.
    throw nameOf(error) === 'AbortError' ? (transaction.error ?? error) : error;
  }
}

function abort(transaction: Transaction): void {
  try {
    transaction.abort();
  } catch (error) {
    // It has ended already.
    if (nameOf(error) !== 'InvalidStateError') throw error;
  }
}

function rejectedAfter(ms: number, error: () => LatchkeyError): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(error()), ms);
  });
}

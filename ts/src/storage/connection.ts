/**
 * One database connection: opens on first use, reopens after the browser closed it, and throws only LatchkeyErrors.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import { LatchkeyError, STORAGE_BLOCKED, STORAGE_FAILED, STORAGE_UNAVAILABLE } from '../errors/wallet.js';
import { sleep } from '../sleep.js';
import { mayPass, nameOf, openingError, PutAside, storageError } from './failure.js';

/** How long an operation waits for an opening that another tab blocks, or that stays silent or fails. */
export interface OpenWaits {
  readonly blockedMs: number;
  readonly silentMs: number;
  /** The pauses before an opening that failed for the moment is tried again. */
  readonly pausesMs: readonly number[];
}

export const OPEN_WAITS: OpenWaits = { blockedMs: 3_000, silentMs: 15_000, pausesMs: [50, 200, 600, 1_500] };

/** A database with arbitrary stores, as an upgrade sees it. */
export type AnyDatabase = IDBPDatabase;
export type UpgradeTransaction = IDBPTransaction<unknown, string[], 'versionchange'>;

export interface DatabaseDescription {
  readonly name: string;
  readonly version: number;
  /** Upgrades any older version. May await only the transaction, which would end otherwise. */
  readonly upgrade: (database: AnyDatabase, transaction: UpgradeTransaction) => Promise<void>;
  /** Runs at each opening, before the first use. */
  readonly opened?: (database: AnyDatabase) => Promise<void>;
}

interface Opening<S extends DBSchema> {
  readonly database: Promise<IDBPDatabase<S>>;
  /** Settles when a connection of an older version blocks the opening. */
  readonly blocked: Promise<void>;
  isOpen: boolean;
}

export class Connection<S extends DBSchema> {
  readonly #description: DatabaseDescription;
  readonly #waits: OpenWaits;
  readonly #lost: () => void;
  #opening: Opening<S> | undefined;

  /** Calls `lost` when the browser closes the open database by itself. */
  constructor(description: DatabaseDescription, waits: OpenWaits, lost: () => void = () => undefined) {
    this.#description = description;
    this.#waits = waits;
    this.#lost = lost;
  }

  /**
   * Runs `work`, and throws only {@link LatchkeyError}. Repeats it once on a new connection if this one turns out to be
   * closed (by another tab's upgrade, for example) or dead, or when a page is back that was left meanwhile. Work is one
   * transaction, which a failure undoes; should a dead connection have stored it nevertheless, the same records are
   * written again.
   */
  async run<T>(work: (database: IDBPDatabase<S>) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      this.#opening ??= this.#open();
      const opening = this.#opening;
      try {
        return await work(await this.#ready(opening));
      } catch (error) {
        if (attempt > 1 || !mayPass(error)) throw storageError(error);
        this.#leave(opening);
      }
    }
  }

  /** Closes the database once its transactions have ended; the next operation reopens it. */
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

  /** The database, or an error if it does not open in time. The opening continues and serves later operations. */
  async #ready(opening: Opening<S>): Promise<IDBPDatabase<S>> {
    if (opening.isOpen) return opening.database;
    const { blockedMs, silentMs } = this.#waits;
    return Promise.race([
      opening.database,
      opening.blocked.then(() => rejectedAfter(blockedMs, () => new LatchkeyError(STORAGE_BLOCKED))),
      rejectedAfter(silentMs, () => {
        const reason = `it did not open within ${silentMs / 1000} s`;
        return new LatchkeyError(STORAGE_FAILED, { values: { reason } });
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
    // The upgrade's own error: the opening fails with a mere AbortError.
    let stopped: unknown;
    const open = async () => {
      if (!globalThis.indexedDB) throw new LatchkeyError(STORAGE_UNAVAILABLE);
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
    };
    const database = await openedAtLast(open, this.#waits.pausesMs, () => stopped === undefined).catch(
      (error: unknown) => {
        throw openingError(stopped ?? error);
      },
    );
    try {
      await opened?.(database);
    } catch (error) {
      // An abandoned open connection would block every later upgrade.
      database.close();
      throw error;
    }
    return database as unknown as IDBPDatabase<S>;
  }
}

/** Tries again after each pause, while the failure may pass and `mayRepeat` allows it. */
async function openedAtLast(
  open: () => Promise<AnyDatabase>,
  pausesMs: readonly number[],
  mayRepeat: () => boolean,
): Promise<AnyDatabase> {
  for (const pauseMs of pausesMs) {
    try {
      return await open();
    } catch (error) {
      if (!mayPass(error) || !mayRepeat()) throw error;
    }
    await sleep(pauseMs, undefined);
  }
  return open();
}

interface Transaction {
  readonly done: Promise<void>;
  readonly error: DOMException | null;
  abort(): void;
}

/**
 * Runs `work` in the transaction and waits until it is complete, so that its writes are stored. Failed work aborts
 * the transaction; otherwise the browser would store its earlier writes. So does a page that is left for others and may
 * come back: rejects with {@link PutAside} then.
 */
export async function completed<T extends Transaction, R>(
  transaction: T,
  work: (transaction: T) => Promise<R>,
): Promise<R> {
  // Handled from the start, so that an abort (the browser clears the site's data, for example) is reported once.
  const ended = transaction.done.catch(() => undefined);
  let isAside = false;
  const putAside = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    isAside = true;
    abort(transaction);
  };
  // In Safari such a page keeps its transaction open, and every other page waits for it (jakearchibald/idb-keyval#180).
  globalThis.addEventListener?.('pagehide', putAside);
  try {
    const result = await work(transaction);
    await transaction.done;
    return result;
  } catch (error) {
    abort(transaction);
    await ended;
    if (isAside) throw new PutAside();
    // A request reports AbortError whatever aborted the transaction; the transaction has the cause.
    throw nameOf(error) === 'AbortError' ? (transaction.error ?? error) : error;
  } finally {
    globalThis.removeEventListener?.('pagehide', putAside);
  }
}

function abort(transaction: Transaction): void {
  try {
    transaction.abort();
  } catch (error) {
    // The transaction has already ended.
    if (nameOf(error) !== 'InvalidStateError') throw error;
  }
}

function rejectedAfter(ms: number, error: () => LatchkeyError): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(error()), ms);
  });
}

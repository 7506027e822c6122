/** The databases on the disk, unless the browser refuses this page to keep anything: then those in memory. */
import type { DBSchema } from 'idb';
import { isLatchkeyError } from '../errors/index.js';
import type { Connection } from './connection.js';
import { nameOf, storageError } from './failure.js';
import type { MemoryStoreDescription } from './memory.js';

type Database<S extends DBSchema> = Pick<Connection<S>, 'run' | 'close'>;

/** Where both databases are kept. They move together, and only before anything was read or written. */
export interface Whereabouts {
  /** Called once, when they move to memory. Without it they never do, and the refusal is thrown. */
  readonly onRefused: (() => void) | undefined;
  where: 'unknown' | 'disk' | 'memory';
}

export function orMemory<S extends DBSchema>(
  disk: Database<S>,
  stores: readonly MemoryStoreDescription[],
  whereabouts: Whereabouts,
): Database<S> {
  let loading: Promise<Pick<Database<S>, 'run'>> | undefined;
  // Seldom needed, so loaded when it is.
  const inMemory = (): Promise<Pick<Database<S>, 'run'>> => {
    loading ??= import('./memory.js').then(
      ({ memoryConnection }) => memoryConnection<S>(stores),
      (error: unknown) => {
        loading = undefined;
        throw storageError(error);
      },
    );
    return loading;
  };
  return {
    async run(work) {
      if (whereabouts.where === 'memory') return (await inMemory()).run(work);
      try {
        const result = await disk.run(work);
        if (whereabouts.where === 'unknown') whereabouts.where = 'disk';
        return result;
      } catch (error) {
        const { onRefused, where } = whereabouts;
        if (!onRefused || where === 'disk' || !isRefusal(error)) throw error;
        if (where === 'unknown') onRefused();
        whereabouts.where = 'memory';
        return (await inMemory()).run(work);
      }
    },
    close: () => disk.close(),
  };
}

/** Chromium says UnknownError where third-party storage is blocked, others SecurityError. */
function isRefusal(error: unknown): boolean {
  if (isLatchkeyError(error, 'STORAGE_DENIED', 'STORAGE_UNAVAILABLE')) return true;
  return isLatchkeyError(error, 'STORAGE_FAILED') && nameOf(error.cause) === 'UnknownError';
}

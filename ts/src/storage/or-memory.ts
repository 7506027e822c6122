/** The databases on disk, or in memory if the browser refuses storage to this page. */
import type { DBSchema } from 'idb';
import { isLatchkeyError } from '../errors/latchkey-error.js';
import type { Connection } from './connection.js';
import { storageError } from './failure.js';
import type { MemoryStoreDescription } from './memory.js';

type Database<S extends DBSchema> = Pick<Connection<S>, 'run' | 'close'>;

/** Where both databases live. They move together, and only before the first read or write. */
export interface Whereabouts {
  /** Called once, when they move to memory. If absent, they never move, and the refusal is thrown. */
  readonly onRefused: (() => void) | undefined;
  where: 'unknown' | 'disk' | 'memory';
}

export function orMemory<S extends DBSchema>(
  disk: Database<S>,
  stores: readonly MemoryStoreDescription[],
  whereabouts: Whereabouts,
): Database<S> {
  let loading: Promise<Pick<Database<S>, 'run'>> | undefined;
  // Rarely needed, so loaded on demand.
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

/** Storage that only fails may hold the account: memory in its place would say that there is none. */
function isRefusal(error: unknown): boolean {
  return isLatchkeyError(error, 'STORAGE_DENIED', 'STORAGE_UNAVAILABLE');
}

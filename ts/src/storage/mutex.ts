/**
 * Mutexes of this origin, shared by all its tabs (Web Locks API). Where the browser refuses Web Locks, as in a frame that
 * may keep no data, they are this page's own: no other tab shares data with it.
 */
import { nameOf } from './failure.js';

export interface MutexOptions {
  /** Does not wait: calls the work with null where the mutex is held. */
  readonly ifAvailable?: boolean;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** Marks the mutex as held; carries no data. */
export type HeldMutex = Readonly<Pick<Lock, 'name' | 'mode'>>;
type Work<T> = (held: HeldMutex | null) => Promise<T>;

/** Runs the work while holding the mutex of that name. */
export async function withMutex<T>(name: string, options: MutexOptions, work: Work<T>): Promise<T> {
  let hasBegun = false;
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
  if (locks) {
    try {
      return await locks.request(name, options, (held) => {
        hasBegun = true;
        return work(held);
      });
    } catch (error) {
      if (hasBegun || nameOf(error) !== 'SecurityError') throw error;
    }
  }
  return withMutexHere(name, options, work);
}

/** For each name held or awaited here, a promise that settles when the last holder is done. */
const holders = new Map<string, Promise<void>>();

async function withMutexHere<T>(
  name: string,
  { ifAvailable, signal }: MutexOptions,
  work: Work<T>,
): Promise<T> {
  const before = holders.get(name);
  if (before && ifAvailable) return work(null);
  let release: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  const mine = Promise.all([before, done]).then(() => {
    if (holders.get(name) === mine) holders.delete(name);
  });
  holders.set(name, mine);
  try {
    await untilAborted(before, signal);
    return await work({ name, mode: 'exclusive' });
  } finally {
    release();
  }
}

async function untilAborted(wait: Promise<void> | undefined, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (!wait) return;
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    wait.then(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
  });
}

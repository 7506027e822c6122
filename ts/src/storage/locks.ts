/**
 * The locks of this origin, over all its tabs (Web Locks API). Where the browser refuses them, as it does in a frame that
 * may keep no data, they are this page's: there is no other tab then with which anything is shared.
 */
import { nameOf } from './failure.js';

export interface LockOptions {
  /** Not to wait: the work is called with null where the lock is held. */
  readonly ifAvailable?: boolean;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** What is held: nothing but that it is. */
export type HeldLock = Readonly<Pick<Lock, 'name' | 'mode'>>;
type Work<T> = (lock: HeldLock | null) => Promise<T>;

/** Does the work while the lock of that name is held. */
export async function requestLock<T>(name: string, options: LockOptions, work: Work<T>): Promise<T> {
  let hasBegun = false;
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
  if (locks) {
    try {
      return await locks.request(name, options, (lock) => {
        hasBegun = true;
        return work(lock);
      });
    } catch (error) {
      if (hasBegun || nameOf(error) !== 'SecurityError') throw error;
    }
  }
  return requestHere(name, options, work);
}

/** Of each name that is held or waited for here, what ends when the last one of them does. */
const held = new Map<string, Promise<void>>();

async function requestHere<T>(name: string, { ifAvailable, signal }: LockOptions, work: Work<T>): Promise<T> {
  const before = held.get(name);
  if (before && ifAvailable) return work(null);
  let release: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  const mine = Promise.all([before, done]).then(() => {
    if (held.get(name) === mine) held.delete(name);
  });
  held.set(name, mine);
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

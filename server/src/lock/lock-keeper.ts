/** The lock over time: adopts keys that a command or another relay wrote to the file, and rotates due keys. */
import { messageOf, sleep } from 'latchkey/internal/server';
import type { Log } from '../observe/log.js';
import type { LockSource } from '../platform/config.js';
import {
  fileVersion,
  type MakeLockKey,
  openLockKeyFile,
  readLockKeyFile,
  rotateLockKeyFile,
  type StoredLockKeys,
} from './lock-key-file.js';
import { type LockKey, ServerLock } from './server-lock.js';

export interface LockKeeper {
  readonly lock: ServerLock;
  /** Milliseconds since 1970; undefined for a key from the environment. */
  readonly madeAtMs: () => number | undefined;
  stop(): void;
}

export interface LockKeeperOptions {
  readonly source: Exclude<LockSource, { readonly kind: 'disabled' }>;
  /** Former keys from the operator's own file. */
  readonly graceKeys: readonly LockKey[];
  readonly makeKey: MakeLockKey;
  readonly log: Log;
  /** Interval between looks at the file. Default 2000. */
  readonly lookMs?: number | undefined;
  /** Interval between checks of the key's age. Default one hour. */
  readonly ageCheckMs?: number | undefined;
}

/** Limits file reads when requests name unknown key ids. */
const MIN_REFRESH_MS = 500;

/** Opens the lock. Announces and uses a key only once it is on disk. */
export async function startLockKeeper(options: LockKeeperOptions): Promise<LockKeeper> {
  const { source, graceKeys, makeKey, log, lookMs = 2000, ageCheckMs = 3_600_000 } = options;
  if (source.kind === 'given') {
    const lock = new ServerLock(source.group, source.key, graceKeys);
    return { lock, madeAtMs: () => undefined, stop: () => undefined };
  }
  const { path, group, rotationDays, graceDays } = source;
  let version = await fileVersion(path);
  let stored = await openLockKeyFile(path, group, makeKey);
  let readAt = performance.now() - MIN_REFRESH_MS;

  let problem = '';
  /** Reports a repeated problem only once, because the file is checked every few seconds. */
  const report = (error: unknown) => {
    const reason = messageOf(error);
    if (reason !== problem) log.error('lock_key_file', { reason });
    problem = reason;
  };

  const take = (keys: StoredLockKeys) => {
    const isNew = keys.current.keyId !== stored.current.keyId;
    stored = keys;
    problem = '';
    lock.use(keys.current, [...keys.grace, ...graceKeys]);
    const { currentKeyId, graceKeyIds } = lock.keyInfo;
    if (isNew) log.info('lock_key_rotated', { currentKeyId, graceKeys: graceKeyIds.length });
  };

  /** Keeps the current keys if the file is unreadable. */
  const read = async () => {
    try {
      const seen = await fileVersion(path);
      if (seen !== null && seen === version) return;
      const keys = await readLockKeyFile(path, group);
      take(keys);
      version = seen;
    } catch (error) {
      report(error);
    }
  };

  let last: Promise<void> = Promise.resolve();
  const inOrder = (job: () => Promise<void>): Promise<void> => {
    last = last.then(job);
    return last;
  };

  let waiting: Promise<void> | undefined;
  const refresh = (): Promise<void> => {
    waiting ??= sleep(readAt + MIN_REFRESH_MS - performance.now()).then(() =>
      inOrder(() => {
        // A later caller may know of a rotation that this read misses, so it needs a new read.
        waiting = undefined;
        readAt = performance.now();
        return read();
      }),
    );
    return waiting;
  };

  const rotateWhenDue = async (minAgeDays: number) => {
    try {
      take(await rotateLockKeyFile(path, group, { makeKey, graceDays, minAgeDays }));
    } catch (error) {
      report(error);
    }
  };

  const lock = new ServerLock(group, stored.current, [...stored.grace, ...graceKeys], refresh);
  const timers = [setInterval(() => inOrder(read), lookMs)];
  if (rotationDays !== null) {
    timers.push(setInterval(() => inOrder(() => rotateWhenDue(rotationDays)), ageCheckMs));
    await inOrder(() => rotateWhenDue(rotationDays));
  }
  // The server keeps the process alive, not these timers.
  for (const timer of timers) timer.unref();
  return {
    lock,
    madeAtMs: () => stored.madeAtMs,
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

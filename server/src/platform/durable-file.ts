/**
 * Files with secrets: whole after a crash at any moment, readable only by their owner, changed by one process at a
 * time.
 *
 * Our own: write-file-atomic does not sync the folder after the rename, and proper-lockfile cannot tell immediately
 * before the rename that it still holds the lock.
 */

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import {
  type FileHandle,
  link,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { sleep } from 'latchkey/internal/server';

type WritableFile = Pick<FileHandle, 'writeFile' | 'chown' | 'sync' | 'close'>;

/** The calls of `node:fs/promises` that a write uses. */
export interface WritingFileSystem {
  open(path: string, flags: string, mode?: number): Promise<WritableFile>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

const NODE_FILE_SYSTEM: WritingFileSystem = { open, rename, unlink };

export interface WriteOptions {
  /** Checks the protecting lock, as late as possible: a flush may take long. */
  readonly assertHeld?: AssertHeld | undefined;
  readonly fs?: WritingFileSystem | undefined;
}

/**
 * Writes next to the file with mode 0600, flushes, renames, and flushes the folder: after a crash the file has the
 * old or the new content, and once this resolves, the new one. The file keeps its owner, whichever user writes.
 */
export async function writeDurably(
  path: string,
  content: string,
  { assertHeld, fs = NODE_FILE_SYSTEM }: WriteOptions = {},
): Promise<void> {
  const target = await followLinks(path);
  const temporary = besides(target, 'tmp');
  try {
    const file = await fs.open(temporary, 'wx', 0o600);
    try {
      await keepOwner(target, file);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await assertHeld?.();
    await fs.rename(temporary, target);
  } catch (error) {
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  }
  await flushFolderOf(target, fs);
}

/** Keeps a file that root rewrites readable for the relay. Fails for other users, who would lock the owner out. */
async function keepOwner(path: string, file: WritableFile): Promise<void> {
  const former = await stat(path).catch(() => null);
  const ownId = process.getuid?.();
  if (former && ownId !== undefined && former.uid !== ownId) await file.chown(former.uid, former.gid);
}

/** The path of the file itself, now or later: keeps links to it, and all its names lead to the same lock. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return join(await realpath(dirname(path)), basename(path));
    throw error;
  }
}

/** Flushes a rename in the path's folder to disk. */
export async function flushFolderOf(
  path: string,
  fs: Pick<WritingFileSystem, 'open'> = NODE_FILE_SYSTEM,
): Promise<void> {
  const folder = await fs.open(dirname(await followLinks(path)), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The file's text; null if there is no file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** Throws unless the lock is still held; call it right before changing what the lock protects. */
export type AssertHeld = () => Promise<void>;

export interface FileLockOptions {
  /** Interval of a holder's signs of life. Default 2000. */
  readonly beatMs?: number;
  /** A holder without a sign of life for this long has ended without releasing the lock. Default 10000. */
  readonly abandonedAfterMs?: number;
}

const LOCK_PAUSE_MS = 25;

/** The scope in which a process id is meaningful: the machine since its boot, and the container on it. */
export const HOST = readHost();

function readHost(): string {
  try {
    // Several machines or containers may have one name.
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return [hostname(), start, readlinkSync('/proc/self/ns/pid')].join(' ');
  } catch {
    // Only Linux has these files.
    return hostname();
  }
}

/**
 * Runs `use` while no other process does so for the same path. The lock is a file next to it, `<path>.lock`; takes
 * over a lock that a killed process left behind.
 */
export async function withFileLock<T>(
  path: string,
  use: (assertHeld: AssertHeld) => Promise<T>,
  { beatMs = 2000, abandonedAfterMs = 10_000 }: FileLockOptions = {},
): Promise<T> {
  const target = await followLinks(path);
  const lock = `${target}.lock`;
  const id = randomBytes(9).toString('base64url');
  const token = JSON.stringify({ host: HOST, pid: process.pid, id });
  let other = { sign: '', looks: 0 };
  while (!(await take(lock, token))) {
    const holder = await readIfThere(lock);
    const sign = `${holder} ${await changedAt(lock)}`;
    // Counts looks instead of time: while this machine sleeps, the holder may not run either.
    other = { sign, looks: other.sign === sign ? other.looks + 1 : 0 };
    const isAbandoned = other.looks * LOCK_PAUSE_MS > abandonedAfterMs;
    if (holder !== null && (isAbandoned || isDeadHere(holder)))
      await takeAway(lock, holder, abandonedAfterMs);
    await sleep(LOCK_PAUSE_MS * (1 + Math.random()));
  }

  const isHeld = async () => (await readIfThere(lock)) === token;
  const beat = setInterval(() => utimes(lock, new Date(), new Date()).catch(() => undefined), beatMs);
  try {
    await removeLeftovers(target);
    return await use(async () => {
      if (!(await isHeld()))
        throw new Error(`${lock} was taken by another process, which considered this one dead`);
    });
  } finally {
    clearInterval(beat);
    if (await isHeld()) await removeIfThere(lock);
  }
}

async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** A hard link appears with its content or not at all, and never replaces another file. */
async function take(lock: string, token: string): Promise<boolean> {
  const own = besides(lock, 'tmp');
  await writeFile(own, token, { flag: 'wx', mode: 0o600 });
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    // ENOENT: a holder in between removed this file as a killed process's leftover.
    if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOENT')) return false;
    throw error;
  } finally {
    await removeIfThere(own);
  }
}

/** Removes what killed processes left in the middle of a write, which may contain secrets. */
async function removeLeftovers(path: string): Promise<void> {
  const [folder, base] = [dirname(path), basename(path)];
  const isLeftover = (name: string) => /^(\w+\.)?[0-9a-f]{12}\.tmp$/.test(name.slice(base.length + 1));
  const leftovers = (await readdir(folder)).filter((name) => name.startsWith(`${base}.`) && isLeftover(name));
  for (const name of leftovers) await removeIfThere(join(folder, name));
}

/**
 * Removes the lock with that token. Several processes may try: only the first to link its claim removes the lock, so
 * that none removes the next holder's lock.
 */
async function takeAway(lock: string, token: string, abandonedAfterMs: number): Promise<void> {
  const claim = `${lock}.${createHash('sha256').update(token).digest('hex').slice(0, 12)}.claim`;
  try {
    await link(lock, claim);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) await removeIfOlder(claim, abandonedAfterMs);
    else if (!hasCode(error, 'ENOENT')) throw error;
    return;
  }
  if ((await readIfThere(claim)) === token) await removeIfThere(lock);
  await removeIfThere(claim);
}

/** Judges by the time at which the claim was linked. */
async function removeIfOlder(claim: string, ms: number): Promise<void> {
  const { ctimeMs } = await stat(claim).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }));
  if (Date.now() - ctimeMs > ms) await removeIfThere(claim);
}

function isDeadHere(token: string): boolean {
  try {
    const { host, pid } = JSON.parse(token) as { host?: unknown; pid?: unknown };
    if (host !== HOST || typeof pid !== 'number' || pid === process.pid) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
}

function besides(path: string, ending: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.${ending}`;
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

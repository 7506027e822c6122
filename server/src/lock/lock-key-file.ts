/**
 * Lock keys in files. One file holds a small installation's current key and the keys in grace, so that a rotation is
 * one rename; another holds former keys in the operator's own list.
 */
import { stat } from 'node:fs/promises';
import { INVALID_CONFIG, LatchkeyError, messageOf } from 'latchkey/internal/server';
import * as v from 'valibot';
import {
  flushFolderOf,
  readIfThere,
  type WritingFileSystem,
  withFileLock,
  writeDurably,
} from '../platform/durable-file.js';
import { readLockKey } from './lock.js';
import type { LockGroup } from './lock-number.js';
import { type LockKey, type LockKeyText, MIN_GRACE_DAYS } from './server-lock.js';

const DAY_MS = 86_400_000;
const FLUSH_REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'EINVAL', 'EBADF']);

const LockKeyEntries = { e_s_b64u: v.string(), d_s_b64u: v.string() };
const TimeSchema = v.pipe(v.string(), v.isoTimestamp());
const CurrentSchema = v.object({ ...LockKeyEntries, made_at: TimeSchema });
const FormerSchema = v.object({ ...LockKeyEntries, retired_at: TimeSchema });
const KeyFileSchema = v.variant('version', [
  v.object({
    version: v.literal(2),
    p_b64u: v.string(),
    current: CurrentSchema,
    grace: v.array(FormerSchema),
  }),
  // The version before rotations: only the current key.
  v.object({ version: v.literal(1), p_b64u: v.string(), ...LockKeyEntries }),
]);
const GraceFileSchema = v.array(v.object(LockKeyEntries));

/** Makes a new pair of exponents for a group. */
export type MakeLockKey = (pB64u: string) => Promise<LockKeyText>;

interface Content {
  readonly current: v.InferOutput<typeof CurrentSchema>;
  readonly grace: readonly v.InferOutput<typeof FormerSchema>[];
}

export interface StoredLockKeys {
  readonly current: LockKey;
  /** Milliseconds since 1970. */
  readonly madeAtMs: number;
  /** Newest first. */
  readonly grace: readonly (LockKey & { readonly retiredAtMs: number })[];
}

/**
 * The keys stored in the file, flushed to disk first: the process that renamed it may not have flushed the folder
 * yet. Throws if the file is unreadable or belongs to another group.
 */
export async function readLockKeyFile(path: string, group: LockGroup): Promise<StoredLockKeys> {
  const content = await readContent(path, group);
  if (!content) throw unusable(path, 'it does not exist: a relay makes it when it starts');
  await flushFolderOf(path).catch((error) => {
    // A folder mounted read-only may refuse the flush; nothing is renamed there.
    if (!FLUSH_REFUSALS.has(error.code)) throw unusable(path, messageOf(error));
  });
  return toKeys(path, group, content);
}

/**
 * Like {@link readLockKeyFile}, but creates a missing file with a new key, readable only by its owner, and flushes it
 * before the key is used. Keeps an unreadable file: a new key would lock out all users of the old one.
 */
export async function openLockKeyFile(
  path: string,
  group: LockGroup,
  makeKey: MakeLockKey,
): Promise<StoredLockKeys> {
  if (await readContent(path, group)) return readLockKeyFile(path, group);
  return changeFile(path, group, undefined, async (content, nowMs) => {
    // Another relay that started at the same time may have created it.
    return content ?? { current: await makeCurrent(group, makeKey, nowMs), grace: [] };
  });
}

export interface Rotation {
  readonly makeKey: MakeLockKey;
  /** How long the former key still opens. At least {@link MIN_GRACE_DAYS}. */
  readonly graceDays: number;
  /** Keeps a younger key, so that only one of several relays sharing the file rotates. Default 0. */
  readonly minAgeDays?: number | undefined;
  readonly fs?: WritingFileSystem | undefined;
}

/**
 * Replaces the current key by a new one, moves the former key into grace, and drops keys whose grace has ended.
 * Resolves once the file is on disk. If killed at any moment, leaves the old or the new content.
 */
export function rotateLockKeyFile(
  path: string,
  group: LockGroup,
  rotation: Rotation,
): Promise<StoredLockKeys> {
  const { makeKey, minAgeDays = 0 } = rotation;
  const graceMs = Math.max(rotation.graceDays, MIN_GRACE_DAYS) * DAY_MS;
  return changeFile(path, group, rotation.fs, async (content, nowMs) => {
    if (!content) throw unusable(path, 'it does not exist: a relay makes it when it starts');
    const { made_at, ...former } = content.current;
    // A key dated far in the future, by a wrong clock, does not count as young.
    if (Math.abs(nowMs - Date.parse(made_at)) < minAgeDays * DAY_MS) return content;
    const retired = { ...former, retired_at: new Date(nowMs).toISOString() };
    const kept = content.grace.filter(({ retired_at }) => nowMs - Date.parse(retired_at) <= graceMs);
    return { current: await makeCurrent(group, makeKey, nowMs), grace: [retired, ...kept] };
  });
}

/** Drops a key from grace early, because someone may know it. What it locked can no longer be opened. */
export function dropGraceKey(path: string, group: LockGroup, keyId: string): Promise<StoredLockKeys> {
  return changeFile(path, group, undefined, async (content) => {
    const left = content?.grace.filter((former) => readKey(path, group, former).keyId !== keyId);
    if (!content || !left || left.length === content.grace.length) {
      throw new LatchkeyError(INVALID_CONFIG, { message: `${keyId} is not a key in grace of ${path}` });
    }
    return { ...content, grace: left };
  });
}

/** The former keys in the operator's file: a JSON array of {e_s_b64u, d_s_b64u}. */
export async function readGraceKeysFile(path: string, group: LockGroup): Promise<LockKey[]> {
  const stored = await readJson(path, GraceFileSchema);
  if (!stored) throw unusable(path, 'it does not exist');
  return stored.map((text) => readKey(path, group, text));
}

/** Distinguishes versions of the file without reading it; null if there is no file. */
export async function fileVersion(path: string): Promise<string | null> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return null;
  }
}

async function changeFile(
  path: string,
  group: LockGroup,
  fs: WritingFileSystem | undefined,
  change: (content: Content | null, nowMs: number) => Promise<Content>,
): Promise<StoredLockKeys> {
  try {
    return await withFileLock(path, async (assertHeld) => {
      const before = await readContent(path, group);
      const after = await change(before, Date.now());
      const keys = toKeys(path, group, after);
      if (after !== before) await writeDurably(path, writeContent(group, after), { assertHeld, fs });
      return keys;
    });
  } catch (error) {
    throw error instanceof LatchkeyError ? error : unusable(path, messageOf(error), error);
  }
}

async function makeCurrent(
  group: LockGroup,
  makeKey: MakeLockKey,
  nowMs: number,
): Promise<Content['current']> {
  const { e_s_b64u, d_s_b64u } = await makeKey(group.pB64u);
  return { e_s_b64u, d_s_b64u, made_at: new Date(nowMs).toISOString() };
}

async function readContent(path: string, group: LockGroup): Promise<Content | null> {
  const stored = await readJson(path, KeyFileSchema);
  if (!stored) return null;
  if (stored.p_b64u !== group.pB64u) throw unusable(path, 'it belongs to another SHAMIR_P_B64U');
  if (stored.version === 2) return stored;
  const { e_s_b64u, d_s_b64u } = stored;
  const made_at = (await stat(path)).mtime.toISOString();
  return { current: { e_s_b64u, d_s_b64u, made_at }, grace: [] };
}

function writeContent(group: LockGroup, { current, grace }: Content): string {
  return `${JSON.stringify({ version: 2, p_b64u: group.pB64u, current, grace }, null, 2)}\n`;
}

function toKeys(path: string, group: LockGroup, { current, grace }: Content): StoredLockKeys {
  return {
    current: readKey(path, group, current),
    madeAtMs: Date.parse(current.made_at),
    grace: grace.map((former) => ({
      ...readKey(path, group, former),
      retiredAtMs: Date.parse(former.retired_at),
    })),
  };
}

function readKey(path: string, group: LockGroup, text: LockKeyText): LockKey {
  try {
    return readLockKey(group, text);
  } catch (error) {
    throw unusable(path, `a number in it ${messageOf(error)}`, error);
  }
}

async function readJson<S extends v.GenericSchema>(
  path: string,
  schema: S,
): Promise<v.InferOutput<S> | null> {
  let text: string | null;
  try {
    text = await readIfThere(path);
  } catch (error) {
    throw unusable(path, messageOf(error), error);
  }
  if (text === null) return null;
  try {
    return v.parse(schema, JSON.parse(text));
  } catch {
    // Omits the cause: a parser's message may quote the file.
    throw unusable(path, 'it is not a lock key file');
  }
}

function unusable(path: string, reason: string, cause?: unknown): LatchkeyError {
  const values = { reason: `the lock key file ${path} cannot be used: ${reason}` };
  return new LatchkeyError(INVALID_CONFIG, { values, cause });
}

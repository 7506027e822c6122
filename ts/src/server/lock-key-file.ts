/** Lock keys in files: the current one of a small installation, and former ones in grace. */
import { randomBytes } from 'node:crypto';
import { open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { LatchkeyError, messageOf } from '../errors.js';
import { type LockKey, type LockKeyText, readLockKey } from './lock.js';
import type { LockGroup } from './lock-group.js';

const LockKeyTextSchema = v.object({ e_s_b64u: v.string(), d_s_b64u: v.string() });
const KeyFileSchema = v.object({ version: v.literal(1), p_b64u: v.string(), ...LockKeyTextSchema.entries });
const GraceFileSchema = v.array(LockKeyTextSchema);

/** Makes a new pair of exponents for a group. */
export type MakeLockKey = (pB64u: string) => Promise<LockKeyText>;

/**
 * The key stored in the file. A file that is not there is made, with a new key, readable by its owner alone and on disk
 * before the key is used. A file of another group or one that cannot be read is an error: a new key would lock out
 * everyone who uses the old one.
 */
export async function openLockKeyFile(
  path: string,
  group: LockGroup,
  makeKey: MakeLockKey,
): Promise<LockKey> {
  const stored = await readJson(path, KeyFileSchema);
  if (stored) {
    if (stored.p_b64u !== group.pB64u) throw unusable(path, 'it belongs to another SHAMIR_P_B64U');
    return readKey(path, group, stored);
  }
  const made = await makeKey(group.pB64u);
  const key = readKey(path, group, made);
  const content = { version: 1, p_b64u: group.pB64u, e_s_b64u: made.e_s_b64u, d_s_b64u: made.d_s_b64u };
  await writeDurably(path, `${JSON.stringify(content, null, 2)}\n`);
  return key;
}

/** The former keys in a file: a JSON array of {e_s_b64u, d_s_b64u}. */
export async function readGraceKeysFile(path: string, group: LockGroup): Promise<LockKey[]> {
  const stored = await readJson(path, GraceFileSchema);
  if (!stored) throw unusable(path, 'it does not exist');
  return stored.map((text) => readKey(path, group, text));
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
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return null;
    throw unusable(path, messageOf(error), error);
  }
  try {
    return v.parse(schema, JSON.parse(text));
  } catch {
    // The cause is left out: a parser's message may quote the file.
    throw unusable(path, 'it is not a lock key file');
  }
}

/** Writes beside the file, flushes, renames, flushes the folder: after a crash there is the whole file or none. */
async function writeDurably(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw unusable(path, messageOf(error), error);
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function unusable(path: string, reason: string, cause?: unknown): LatchkeyError {
  const values = { reason: `the lock key file ${path} cannot be used: ${reason}` };
  return new LatchkeyError('INVALID_CONFIG', { values, cause });
}

function isNodeError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

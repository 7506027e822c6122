import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RFC3526_GROUP_14_P } from '../config.js';
import { readLockKey } from './lock.js';
import { readLockGroup } from './lock-group.js';
import { openLockKeyFile, readGraceKeysFile } from './lock-key-file.js';
import { makeLockKeyText } from './testing/lock-numbers.js';

const group = readLockGroup(RFC3526_GROUP_14_P);
const make = async () => makeLockKeyText(group.p);
const never = () => Promise.reject(new Error('a second key was made'));

describe('the lock key file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-lock-'));
    path = join(folder, 'lock.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is made at the first start, for its owner alone, and used at the next', async () => {
    const first = await openLockKeyFile(path, group, make);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['lock.json']);
    const second = await openLockKeyFile(path, group, never);
    expect(second.keyId).toBe(first.keyId);
  });

  it.each([
    ['cut short', '{"version":1,"p_b64u":"___'],
    ['of another shape', '{"version":2}'],
    ['empty', ''],
  ])('is never replaced when it is %s', async (_, content) => {
    await writeFile(path, content);
    await expect(openLockKeyFile(path, group, make)).rejects.toThrow(
      `${path} cannot be used: it is not a lock key file`,
    );
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  it('of another group is refused', async () => {
    const text = makeLockKeyText(group.p);
    await writeFile(path, JSON.stringify({ version: 1, p_b64u: 'Aw', ...text }));
    await expect(openLockKeyFile(path, group, make)).rejects.toThrow('another SHAMIR_P_B64U');
  });

  it('with exponents that do not match is refused without repeating them', async () => {
    const text = { ...makeLockKeyText(group.p), e_s_b64u: makeLockKeyText(group.p).e_s_b64u };
    await writeFile(path, JSON.stringify({ version: 1, p_b64u: group.pB64u, ...text }));
    const error = await openLockKeyFile(path, group, make).catch((thrown: Error) => thrown);
    expect(String(error)).toContain('do not match');
    expect(String(error)).not.toContain(text.d_s_b64u.slice(0, 20));
  });

  it('in a folder that is not there is one clear error', async () => {
    await expect(openLockKeyFile(join(folder, 'none', 'lock.json'), group, make)).rejects.toThrow('ENOENT');
  });

  it('of grace keys is a list, and must exist when it is named', async () => {
    const texts = [makeLockKeyText(group.p), makeLockKeyText(group.p)];
    await writeFile(path, JSON.stringify(texts));
    const keys = await readGraceKeysFile(path, group);
    expect(keys.map((key) => key.keyId)).toEqual(texts.map((text) => readLockKey(group, text).keyId));
    await expect(readGraceKeysFile(join(folder, 'none.json'), group)).rejects.toThrow('it does not exist');
  });
});

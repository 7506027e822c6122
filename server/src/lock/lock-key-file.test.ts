import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import type { WritingFileSystem } from '../platform/durable-file.js';
import { makeLockKeyText } from '../testing/lock-numbers.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { readLockKey } from './lock.js';
import { readLockGroup } from './lock-group.js';
import {
  dropGraceKey,
  openLockKeyFile,
  readGraceKeysFile,
  readLockKeyFile,
  rotateLockKeyFile,
  type StoredLockKeys,
} from './lock-key-file.js';

const DAY_MS = 86_400_000;
const group = readLockGroup(RFC3526_GROUP_14_P);
const make = async () => makeLockKeyText(group.p);
const never = () => Promise.reject(new Error('a second key was made'));
const ids = ({ current, grace }: StoredLockKeys) => [current.keyId, ...grace.map((key) => key.keyId)];

describe('the lock key file', () => {
  const folder = temporaryFolder();
  let files = 0;
  let name: string;
  let path: string;
  beforeEach(() => {
    files += 1;
    name = `lock-${files}.json`;
    path = folder.file(name);
  });
  const leftBeside = async () => (await fs.readdir(folder.path)).filter((file) => file.startsWith(name));
  const rotate = (changes: Partial<Parameters<typeof rotateLockKeyFile>[2]> = {}) =>
    rotateLockKeyFile(path, group, { makeKey: make, graceDays: 180, ...changes });

  it('is created at the first start, readable only by its owner, and used at the next [S7]', async () => {
    const first = await openLockKeyFile(path, group, make);
    expect((await fs.stat(path)).mode & 0o777).toBe(0o600);
    expect(await leftBeside()).toEqual([name]);
    const second = await openLockKeyFile(path, group, never);
    expect(ids(second)).toEqual(ids(first));
    expect(second.madeAtMs).toBe(first.madeAtMs);
  });

  it('is created once by relays that start at the same time', async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, () => openLockKeyFile(path, group, make)));
    expect(new Set(opened.flatMap(ids)).size).toBe(1);
  });

  it("of the version before rotations is read, with the file's age as its key's age", async () => {
    const text = makeLockKeyText(group.p);
    await fs.writeFile(path, JSON.stringify({ version: 1, p_b64u: group.pB64u, ...text }));
    const old = new Date(Date.now() - 50 * DAY_MS);
    await fs.utimes(path, old, old);
    const opened = await openLockKeyFile(path, group, never);
    expect(ids(opened)).toEqual([readLockKey(group, text).keyId]);
    expect(Math.abs(opened.madeAtMs - old.getTime())).toBeLessThan(1000);
    expect(ids(await rotate()).slice(1)).toEqual(ids(opened));
  });

  it.each([
    ['cut short', '{"version":2,"p_b64u":"___'],
    ['of another shape', '{"version":3}'],
    ['empty', ''],
  ])('is never replaced when it is %s', async (_, content) => {
    await fs.writeFile(path, content);
    const problem = `${path} cannot be used: it is not a lock key file`;
    await expect(openLockKeyFile(path, group, make)).rejects.toThrow(problem);
    await expect(rotate()).rejects.toThrow(problem);
    expect(await fs.readFile(path, 'utf8')).toBe(content);
  });

  it('of another group is refused', async () => {
    await fs.writeFile(path, JSON.stringify({ version: 1, p_b64u: 'Aw', ...makeLockKeyText(group.p) }));
    await expect(openLockKeyFile(path, group, make)).rejects.toThrow('another SHAMIR_P_B64U');
    await expect(rotate()).rejects.toThrow('another SHAMIR_P_B64U');
  });

  it('with exponents that do not match is refused without repeating them', async () => {
    const text = { ...makeLockKeyText(group.p), e_s_b64u: makeLockKeyText(group.p).e_s_b64u };
    await fs.writeFile(path, JSON.stringify({ version: 1, p_b64u: group.pB64u, ...text }));
    const error = await openLockKeyFile(path, group, make).catch((thrown: Error) => thrown);
    expect(String(error)).toContain('do not match');
    expect(String(error)).not.toContain(text.d_s_b64u.slice(0, 20));
  });

  it('in a missing folder causes one clear error', async () => {
    const missing = folder.file('none/lock.json');
    await expect(openLockKeyFile(missing, group, make)).rejects.toThrow('ENOENT');
  });

  it('of the operator’s grace keys is a list, and must exist if configured', async () => {
    const texts = [makeLockKeyText(group.p), makeLockKeyText(group.p)];
    await fs.writeFile(path, JSON.stringify(texts));
    const keys = await readGraceKeysFile(path, group);
    expect(keys.map((key) => key.keyId)).toEqual(texts.map((text) => readLockKey(group, text).keyId));
    await expect(readGraceKeysFile(folder.file('none.json'), group)).rejects.toThrow('it does not exist');
  });

  describe('rotated', () => {
    it('contains a new key, and the former ones in grace with their times, newest first', async () => {
      const first = await openLockKeyFile(path, group, make);
      const start = Date.now();
      const second = await rotate();
      const third = await rotate();
      expect(ids(third)).toEqual([third.current.keyId, second.current.keyId, first.current.keyId]);
      expect(new Set(ids(third)).size).toBe(3);
      for (const { retiredAtMs } of third.grace) expect(retiredAtMs).toBeGreaterThanOrEqual(start);
      expect(ids(await readLockKeyFile(path, group))).toEqual(ids(third));
      expect((await fs.stat(path)).mode & 0o777).toBe(0o600);
      expect(await leftBeside()).toEqual([name]);
    });

    it.each([
      { graceDays: 180, kept: [1, 29, 31, 179] },
      { graceDays: 30, kept: [1, 29] },
      // Values below the minimum are raised to it.
      { graceDays: 1, kept: [1, 29] },
    ])(
      'with a grace of $graceDays days keeps the keys that retired $kept days ago',
      async ({ graceDays, kept }) => {
        const ages = [1, 29, 31, 179, 181];
        const grace = ages.map((age) => ({
          ...makeLockKeyText(group.p),
          retired_at: new Date(Date.now() - age * DAY_MS).toISOString(),
        }));
        const current = { ...makeLockKeyText(group.p), made_at: new Date().toISOString() };
        await fs.writeFile(path, JSON.stringify({ version: 2, p_b64u: group.pB64u, current, grace }));
        const rotated = await rotate({ graceDays });
        const left = [current, ...grace.filter((_, index) => kept.includes(ages[index]!))];
        expect(ids(rotated).slice(1)).toEqual(left.map((text) => readLockKey(group, text).keyId));
      },
    );

    it('by age keeps a younger key', async () => {
      const first = await openLockKeyFile(path, group, make);
      expect(ids(await rotate({ minAgeDays: 1, makeKey: never }))).toEqual(ids(first));
      const content = JSON.parse(await fs.readFile(path, 'utf8'));
      content.current.made_at = new Date(Date.now() - 2 * DAY_MS).toISOString();
      await fs.writeFile(path, JSON.stringify(content));
      expect(ids(await rotate({ minAgeDays: 1 })).slice(1)).toEqual(ids(first));
    });

    it.each([
      [0.5, 1],
      [400, 2],
    ])('by age, made %s days ahead of the clock, leaves %s keys', async (days, keys) => {
      await openLockKeyFile(path, group, make);
      const content = JSON.parse(await fs.readFile(path, 'utf8'));
      content.current.made_at = new Date(Date.now() + days * DAY_MS).toISOString();
      await fs.writeFile(path, JSON.stringify(content));
      expect(ids(await rotate({ minAgeDays: 1 }))).toHaveLength(keys);
    });

    it('must exist', async () => {
      await expect(rotate()).rejects.toThrow('it does not exist');
      expect(await leftBeside()).toEqual([]);
    });

    it('drops the requested grace key and no other', async () => {
      const first = await openLockKeyFile(path, group, make);
      const second = await rotate();
      const third = await rotate();
      const dropped = await dropGraceKey(path, group, first.current.keyId);
      expect(ids(dropped)).toEqual([third.current.keyId, second.current.keyId]);
      for (const keyId of [third.current.keyId, first.current.keyId, '']) {
        await expect(dropGraceKey(path, group, keyId)).rejects.toThrow('is not a key in grace');
      }
      expect(ids(await readLockKeyFile(path, group))).toEqual(ids(dropped));
    });

    it('and killed at any step of the write, has the old or the new content, and rotates again', async () => {
      await openLockKeyFile(path, group, make);
      let step = 0;
      for (let isDone = false; !isDone; step += 1) {
        const before = ids(await readLockKeyFile(path, group));
        const after = await rotate({ fs: endingAt(step) }).then(ids, () => null);
        isDone = after !== null;
        const found = ids(await readLockKeyFile(path, group));
        expect(found.slice(isDone ? 1 : -before.length)).toEqual(before);
        if (isDone) expect(found).toEqual(after);
        expect(await fs.readFile(path, 'utf8')).toMatch(/\}\n$/);
      }
      // open, write, flush and close the new file, rename, open, flush and close the folder.
      expect(step).toBe(9);
      expect(await leftBeside()).toEqual([name]);
    });

    it('by many processes concurrently, some of them killed, loses no announced key', {
      timeout: 120_000,
    }, async () => {
      const first = await openLockKeyFile(path, group, make);
      const announced: string[] = [first.current.keyId];
      const rotating = async (killAfter: number) => {
        const child = spawn(
          process.execPath,
          ['--import', 'tsx', '--input-type=module', '--eval', ROTATE_FOREVER],
          {
            env: { PATH: process.env.PATH, LOCK_FILE: path },
            stdio: ['ignore', 'pipe', 'inherit'],
            cwd: ROOT,
          },
        );
        let left = killAfter;
        for await (const keyId of createInterface({ input: child.stdout })) {
          announced.push(keyId);
          left -= 1;
          // At a random moment, most likely in the middle of the next rotation.
          if (left === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 20);
        }
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        expect(child.signalCode).toBe('SIGKILL');
      };
      await Promise.all([3, 6, 9, 12].map(rotating));
      const last = await rotate();
      expect(ids(last)).toEqual(expect.arrayContaining(announced));
      expect(new Set(announced).size).toBe(announced.length);
      expect(await leftBeside()).toEqual([name]);
    });
  });
});

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ROTATE_FOREVER = `
  import { RFC3526_GROUP_14_P } from ${JSON.stringify(new URL('../../../ts/src/config.ts', import.meta.url).href)};
  import { readLockGroup } from ${JSON.stringify(new URL('./lock-group.ts', import.meta.url).href)};
  import { rotateLockKeyFile } from ${JSON.stringify(new URL('./lock-key-file.ts', import.meta.url).href)};
  import { makeLockKey } from ${JSON.stringify(new URL('../platform/wasm.ts', import.meta.url).href)};
  const group = readLockGroup(RFC3526_GROUP_14_P);
  for (;;) {
    const { current } = await rotateLockKeyFile(process.env.LOCK_FILE, group, { makeKey: makeLockKey, graceDays: 180 });
    console.log(current.keyId);
  }
`;

/** A file system whose process ends before its nth call, or halfway through it if that call writes. */
function endingAt(step: number): WritingFileSystem {
  let calls = 0;
  const next = () => {
    calls += 1;
    if (calls > step) throw new Error('the process has ended');
  };
  const wrap = (file: FileHandle) => ({
    async writeFile(content: string) {
      if (calls === step) await file.writeFile(content.slice(0, content.length / 2));
      next();
      await file.writeFile(content);
    },
    chown: () => Promise.reject(new Error('its owner is as it was')),
    async sync() {
      next();
      await file.sync();
    },
    async close() {
      await file.close();
      next();
    },
  });
  return {
    async open(...args: Parameters<WritingFileSystem['open']>) {
      next();
      return wrap(await fs.open(...args));
    },
    async rename(...args) {
      next();
      await fs.rename(...args);
    },
    async unlink(...args) {
      next();
      await fs.unlink(...args);
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { HOST, withFileLock, writeDurably } from './durable-file.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a file’s lock', () => {
  const folder = temporaryFolder();
  let files = 0;
  let path: string;
  beforeEach(() => {
    files += 1;
    path = folder.file(`file-${files}`);
  });
  const left = async () => (await readdir(folder.path)).filter((name) => name.startsWith(`file-${files}`));
  const lockOf = (host: string, pid: number) =>
    writeFile(`${path}.lock`, JSON.stringify({ host, pid, id: 'theirs' }));

  it('is held by one at a time, and leaves nothing behind', async () => {
    let holders = 0;
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        withFileLock(path, async (assertHeld) => {
          holders += 1;
          expect(holders).toBe(1);
          await pause(2);
          await assertHeld();
          holders -= 1;
          return index;
        }),
      ),
    );
    expect(results).toEqual(Array.from({ length: 12 }, (_, index) => index));
    expect(await left()).toEqual([]);
  });

  it('is released by a failing holder', async () => {
    await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withFileLock(path, async () => 'yes')).toBe('yes');
  });

  it('of a dead process is taken over, and its half-written files are removed', async () => {
    const child = spawn(process.execPath, ['--eval', '']);
    await once(child, 'exit');
    await lockOf(HOST, child.pid ?? 0);
    await writeFile(`${path}.0123456789ab.tmp`, 'half a secr');
    await writeFile(`${path}.old`, 'an operator’s copy');
    await withFileLock(path, async () => undefined, { abandonedAfterMs: 1e9 });
    expect(await left()).toEqual([`file-${files}.old`]);
  });

  it('of another container or machine is not taken over because its process id is dead here', async () => {
    const child = spawn(process.execPath, ['--eval', '']);
    await once(child, 'exit');
    const sameName = HOST.replace(/\S+$/, 'pid:[1]');
    expect(sameName).not.toBe(HOST);
    await lockOf(sameName, child.pid ?? 0);
    let isTaken = false;
    const taking = withFileLock(path, async () => {
      isTaken = true;
    });
    await pause(300);
    expect(isTaken).toBe(false);
    await rm(`${path}.lock`);
    await taking;
  });

  it('of another machine is taken over after a long time without a sign of life', async () => {
    await lockOf('elsewhere', 1);
    await withFileLock(path, async () => undefined, { abandonedAfterMs: 50 });
    expect(await left()).toEqual([]);
  });

  it('that several processes take over concurrently is held by one', async () => {
    await lockOf('elsewhere', 1);
    let holders = 0;
    const hold = () =>
      withFileLock(
        path,
        async () => {
          holders += 1;
          expect(holders).toBe(1);
          await pause(5);
          holders -= 1;
        },
        // A live holder beats more often than this.
        { abandonedAfterMs: 500, beatMs: 10 },
      );
    await Promise.all(Array.from({ length: 8 }, hold));
    expect(await left()).toEqual([]);
  });

  it('of a live holder is never taken over, however long it holds', async () => {
    const order: string[] = [];
    let isWaiting = false;
    const long = withFileLock(
      path,
      async (assertHeld) => {
        while (!isWaiting) await pause(5);
        await pause(1500);
        await assertHeld();
        order.push('first');
      },
      { beatMs: 20 },
    );
    while ((await left()).length === 0) await pause(1);
    isWaiting = true;
    await withFileLock(path, async () => order.push('second'), { abandonedAfterMs: 700 });
    await long;
    expect(order).toEqual(['first', 'second']);
  });

  it('that was lost anyway is noticed before any change', async () => {
    await expect(
      withFileLock(path, async (assertHeld) => {
        await rm(`${path}.lock`);
        await lockOf('elsewhere', 1);
        await assertHeld();
        expect.fail('it continued');
      }),
    ).rejects.toThrow('was taken by another process');
    expect(await readFile(`${path}.lock`, 'utf8')).toContain('theirs');
  });
});

describe('a durable write', () => {
  const folder = temporaryFolder();
  afterEach(() => vi.restoreAllMocks());

  it("writes to the target of a link, under the target's lock", async () => {
    await mkdir(folder.file('kept'));
    const [file, link] = [folder.file('kept/file'), folder.file('link')];
    await symlink(join('kept', 'file'), link);
    await writeFile(file, 'former');
    await withFileLock(link, async (assertHeld) => {
      expect((await stat(`${file}.lock`)).isFile()).toBe(true);
      await writeDurably(link, 'new', { assertHeld });
    });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await readdir(folder.file('kept'))).toEqual(['file']);
  });

  it('checks its lock after the flush, and changes nothing without it', async () => {
    const path = folder.file('held');
    await writeFile(path, 'former');
    const steps: string[] = [];
    const recording = {
      async open(...args: Parameters<typeof fs.open>) {
        const file = await fs.open(...args);
        vi.spyOn(file, 'sync').mockImplementation(async () => void steps.push('flush'));
        return file;
      },
      rename: async () => expect.fail('it was renamed'),
      unlink: fs.unlink,
    };
    const assertHeld = async () => {
      steps.push('ask');
      throw new Error('lost');
    };
    await expect(writeDurably(path, 'new', { assertHeld, fs: recording })).rejects.toThrow('lost');
    expect(steps).toEqual(['flush', 'ask']);
    expect(await readFile(path, 'utf8')).toBe('former');
    expect((await readdir(folder.path)).filter((name) => name.startsWith('held'))).toEqual(['held']);
  });

  it("by another user keeps the file's owner", async () => {
    const path = folder.file('owned');
    await writeFile(path, 'former');
    const { uid, gid } = await stat(path);
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
    const owners: unknown[] = [];
    const recording = {
      ...fs,
      async open(...args: Parameters<typeof fs.open>) {
        const file = await fs.open(...args);
        vi.spyOn(file, 'chown').mockImplementation(async (...owner) => void owners.push(owner));
        return file;
      },
    };
    await writeDurably(path, 'new', { fs: recording });
    await writeDurably(folder.file('fresh'), 'new', { fs: recording });
    expect(owners).toEqual([[uid, gid]]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { withFileLock } from './durable-file.js';
import { temporaryFolder } from './testing/temporary-folder.js';

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

  it('is given back by who fails', async () => {
    await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withFileLock(path, async () => 'yes')).toBe('yes');
  });

  it('of a process that has ended is taken over, and what it left in the middle of a write is removed', async () => {
    const child = spawn(process.execPath, ['--eval', '']);
    await once(child, 'exit');
    await lockOf(hostname(), child.pid ?? 0);
    await writeFile(`${path}.0123456789ab.tmp`, 'half a secr');
    await writeFile(`${path}.old`, 'an operator’s copy');
    await withFileLock(path, async () => undefined, { abandonedAfterMs: 1e9 });
    expect(await left()).toEqual([`file-${files}.old`]);
  });

  it('of another machine is taken over when it has shown no life for long', async () => {
    await lockOf('elsewhere', 1);
    await withFileLock(path, async () => undefined, { abandonedAfterMs: 50 });
    expect(await left()).toEqual([]);
  });

  it('that is taken over by several at once is held by one', async () => {
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
        // A holder that lives shows it more often than that.
        { abandonedAfterMs: 500, beatMs: 10 },
      );
    await Promise.all(Array.from({ length: 8 }, hold));
    expect(await left()).toEqual([]);
  });

  it('of a holder that lives is not, however long it holds', async () => {
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

  it('that was lost all the same is noticed before anything is changed', async () => {
    await expect(
      withFileLock(path, async (assertHeld) => {
        await rm(`${path}.lock`);
        await lockOf('elsewhere', 1);
        await assertHeld();
        expect.fail('it went on');
      }),
    ).rejects.toThrow('was taken by another process');
    expect(await readFile(`${path}.lock`, 'utf8')).toContain('theirs');
  });
});

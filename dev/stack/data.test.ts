import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockData, runningStack } from './data.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-data-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each(['', '{"pid":1', 'null', '{"pid":"1"}'])(
  'a record that is not whole holds no folder: %s',
  async (text) => {
    await writeFile(join(folder, 'stack.json'), text);
    expect(await runningStack(folder)).toBeNull();
    const lock = await lockData(folder);
    expect(await runningStack(folder)).toMatchObject({ pid: process.pid });
    await lock.release();
  },
);

test('a folder is taken once, and free again when its stack has ended', async () => {
  const lock = await lockData(folder);
  await expect(lockData(folder)).rejects.toThrow(folder);
  await lock.release();
  await (await lockData(folder)).release();
});

test('a new folder stays out of Git', async () => {
  const made = join(folder, 'new');
  await (await lockData(made)).release();
  expect(await readFile(join(made, '.gitignore'), 'utf8')).toBe('*\n');
});

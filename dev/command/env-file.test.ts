import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeEnvFile } from './env-file.js';

const folder = await mkdtemp(join(tmpdir(), 'latchkey-env-'));
afterAll(() => rm(folder, { recursive: true }));

test('writes the variables, and writes its own file again', async () => {
  const file = join(folder, 'ours');
  await writeEnvFile(file, { RELAY_URL: 'http://localhost:3000' });
  await writeEnvFile(file, { RELAY_URL: 'http://localhost:4000', EXPLORER_URL: '' });
  expect((await readFile(file, 'utf8')).split('\n').slice(1)).toEqual([
    'RELAY_URL=http://localhost:4000',
    'EXPLORER_URL=',
    '',
  ]);
});

test('leaves a file that it did not write, and says so', async () => {
  const file = join(folder, 'theirs');
  await writeFile(file, 'RELAY_URL=https://relay.example\n');
  expect(await writeEnvFile(file, { RELAY_URL: 'http://localhost:3000' })).toContain('stays as it is');
  expect(await readFile(file, 'utf8')).toBe('RELAY_URL=https://relay.example\n');
});

test('rejects with the reason where the file cannot be read', async () => {
  await expect(writeEnvFile(folder, {})).rejects.toThrow('EISDIR');
});

// The tour, as `just tour` runs it.
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { ROOT } from '../../demo/stack/services.js';

test('the tour drives every flow, prints what each step cost and saves screenshots in both themes', async () => {
  test.setTimeout(120_000);
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'demo/tour.ts'], {
    cwd: ROOT,
  });
  const steps = stdout.split('\n').filter((line) => line.startsWith('✓'));
  expect(steps.map((line) => line.slice(2, 22).trim())).toEqual([
    'Register',
    'Log out',
    'Log in silently',
    'Log in, relay down',
    'Set the greeting',
    'Sign a message',
  ]);
  expect(stdout).toContain('1 prompt (create) · ');
  expect(stdout).toMatch(/Set the greeting .* transaction \w{40,44}\n {2}1 prompt \(get\)/);
  expect(stdout).toContain('Every step held.');
  const shots = await readdir(join(ROOT, 'screenshots'));
  expect(shots.filter((name) => name.endsWith('-light.png'))).toHaveLength(8);
  expect(shots.filter((name) => name.endsWith('-dark.png'))).toHaveLength(8);
});

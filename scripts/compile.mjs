// Shared by the packages' builds: dist/ by tsc.
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const TSC = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

/** Empties dist/ of the package in this folder, and runs tsc for each of its projects. Ends the process if one fails. */
export async function compile(folder, ...projects) {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  for (const project of projects) {
    const { status } = spawnSync(process.execPath, [TSC, '-p', project], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
}

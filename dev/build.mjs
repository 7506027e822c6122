// Builds dist/ with tsc. Needs the packages latchkey, latchkey-server and latchkey-react built before.
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

await rm(join(here, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
  cwd: here,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
await chmod(join(here, 'dist/command/cli.js'), 0o755);
// A script of pages, which tsc leaves out.
const pageScript = 'authenticators/software-passkeys.page.js';
await copyFile(join(here, pageScript), join(here, 'dist', pageScript));

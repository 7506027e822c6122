// Builds dist/ with tsc. Needs the package latchkey built before. The modules of relay and lock are in wasm/ already, where dist/
// and src/ both find them at ../../wasm; the registry's contract is copied there if it is built.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, rm } from 'node:fs/promises';
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
for (const command of ['platform/cli.js', 'registry-admin/cli.js', 'wallet-origin/cli.js'])
  await chmod(join(here, 'dist', command), 0o755);
// tsc copies no declarations.
await cp(join(here, 'src/platform/wasm-module.d.ts'), join(here, 'dist/platform/wasm-module.d.ts'));
const registry = join(here, '../build/registry.wasm');
if (existsSync(registry)) await cp(registry, join(here, 'wasm/registry.wasm'));

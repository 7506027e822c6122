// Builds dist/ with tsc. Needs the package latchkey built before. The modules of relay and lock are in wasm/ already, where dist/
// and src/ both find them at ../../wasm; the registry's contract is copied there if it is built.
import { existsSync } from 'node:fs';
import { chmod, cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../scripts/compile.mjs';

const here = dirname(fileURLToPath(import.meta.url));

await compile(here, 'tsconfig.build.json');
for (const command of ['platform/cli.js', 'registry-admin/cli.js', 'wallet-origin/cli.js'])
  await chmod(join(here, 'dist', command), 0o755);
// tsc copies no declarations.
await cp(join(here, 'src/platform/wasm-module.d.ts'), join(here, 'dist/platform/wasm-module.d.ts'));
const registry = join(here, '../build/registry.wasm');
if (existsSync(registry)) await cp(registry, join(here, 'wasm/registry.wasm'));

// Builds dist/ with tsc. Needs the packages latchkey, latchkey-server and latchkey-react built before.
import { chmod, copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../scripts/compile.mjs';

const here = dirname(fileURLToPath(import.meta.url));

await compile(here, 'tsconfig.build.json');
await chmod(join(here, 'dist/command/cli.js'), 0o755);
// A script of pages, which tsc leaves out.
const pageScript = 'authenticators/software-passkeys.page.js';
await copyFile(join(here, pageScript), join(here, 'dist', pageScript));

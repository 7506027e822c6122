// The recipe of docs/guides/better-auth.mdx in a clean folder, with Better Auth of npm: it compiles, and logs users in.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, good, root, run } from './tools.mjs';

/** What the recipe was made with, and what a reader installs with it. */
export const BETTER_AUTH = ['better-auth@1.7.25', 'zod@4'];

const here = join(root, 'tests/packaging/better-auth');

export function useBetterAuth(project) {
  const page = readFileSync(join(root, 'docs/guides/better-auth.mdx'), 'utf8');
  const plugin = readFileSync(join(here, 'near-login.ts'), 'utf8');
  if (!page.includes(`\`\`\`ts\n${plugin}\`\`\`\n`))
    fail('docs/guides/better-auth.mdx does not show near-login.ts as it is tested');
  const folder = join(project, 'better-auth');
  for (const file of ['near-login.ts', 'app.ts']) cpSync(join(here, file), join(folder, file));
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  run('node', [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  execFileSync(process.execPath, ['--import', 'tsx', join(here, 'run.ts'), project], {
    cwd: root,
    stdio: 'inherit',
  });
  good(
    'docs/guides/better-auth.mdx: Better Auth logs a wallet in by an authorization, and refuses a replay and foreign accounts',
  );
}

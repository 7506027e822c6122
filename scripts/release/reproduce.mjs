// Builds the WASM modules again from a clean copy of a commit, in another folder, and compares them byte by byte.
// Usage: node scripts/release/reproduce.mjs [--published VERSION]
// Compares with ts/wasm, or with the package latchkey of that version as the registry has it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMain, ROOT, sha256Of } from './lib.mjs';

const MODULES = ['signer', 'vrf', 'relay'];
/** What consumers get of each module: the code, and the glue that wasm-bindgen made for it. */
const files = MODULES.flatMap((name) => [`${name}/${name}_bg.wasm`, `${name}/${name}.js`]);

/** The SHA-256 of each file of a `wasm` folder, by its path in it. */
export function hashesIn(folder) {
  return new Map(files.map((file) => [file, sha256Of(join(folder, file))]));
}

/** The files that differ, each with both hashes. */
export function differences(ours, theirs) {
  return [...ours].flatMap(([file, hash]) => {
    const other = theirs.get(file);
    return hash === other ? [] : [{ file, hash, other }];
  });
}

/** Builds the modules of the commit in a new folder, which `use` gets until it returns. */
export function withCleanBuild(commit, use) {
  // Another path, of another length: what depends on it differs.
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-clean-build-in-another-folder-'));
  const run = (command, args, cwd = folder) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    run('git', ['clone', '--quiet', '--no-checkout', ROOT, folder], ROOT);
    run('git', ['checkout', '--quiet', commit]);
    // The optimiser is an npm package. The lock file fixes its bytes.
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    run('scripts/build.sh', ['wasm']);
    return use(join(folder, 'ts/wasm'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The `wasm` folder of the published package, which `use` gets until it returns. */
function withPublished(version, use) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-published-'));
  try {
    execFileSync('npm', ['pack', `latchkey@${version}`, '--pack-destination', folder], { stdio: 'ignore' });
    const [tarball] = readdirSync(folder);
    execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder]);
    return use(join(folder, 'package/wasm'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({ options: { published: { type: 'string' } } });
  const commit = values.published ? `v${values.published}` : 'HEAD';
  const other = values.published
    ? withPublished(values.published, hashesIn)
    : hashesIn(join(ROOT, 'ts/wasm'));
  const built = withCleanBuild(commit, hashesIn);
  for (const [file, hash] of built) console.log(`${hash}  ${file}`);
  const different = differences(built, other);
  for (const { file, hash, other: theirs } of different)
    console.error(
      `DIFFERENT  ${file}: ${hash} here, ${theirs} ${values.published ? 'published' : 'in ts/wasm'}`,
    );
  if (different.length > 0) process.exit(1);
  console.log(`the same bytes: ${values.published ? `latchkey@${values.published}` : 'ts/wasm'}`);
}

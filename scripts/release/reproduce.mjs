// Builds the WASM modules again from a clean copy of a commit, in another folder, and compares them byte by byte.
// Usage: node scripts/release/reproduce.mjs [--published VERSION]
// Compares with the modules here, or with the packages of that version as the registry has them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMain, MODULES, manifestOf, ROOT, sha256Of } from './lib.mjs';

/** What consumers get of each module: the code, and the glue that wasm-bindgen made for it. */
const files = Object.entries(MODULES).flatMap(([workspace, modules]) =>
  modules.flatMap((name) =>
    [`${name}_bg.wasm`, `${name}.js`].map((file) => `${workspace}/wasm/${name}/${file}`),
  ),
);

/** The SHA-256 of each of these files, by its path from the repository's root, or from a folder with the same paths. */
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
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder with the published packages, each under its workspace's path, which `use` gets until it returns. */
function withPublished(version, use) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-published-'));
  try {
    for (const workspace of Object.keys(MODULES)) {
      const packed = join(folder, `${workspace}-packed`);
      mkdirSync(packed);
      const { name } = manifestOf(workspace);
      execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', packed], { stdio: 'ignore' });
      const [tarball] = readdirSync(packed);
      mkdirSync(join(folder, workspace));
      execFileSync('tar', [
        '-xzf',
        join(packed, tarball),
        '-C',
        join(folder, workspace),
        '--strip-components=1',
      ]);
    }
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({ options: { published: { type: 'string' } } });
  const commit = values.published ? `v${values.published}` : 'HEAD';
  const other = values.published ? withPublished(values.published, hashesIn) : hashesIn(ROOT);
  const built = withCleanBuild(commit, hashesIn);
  for (const [file, hash] of built) console.log(`${hash}  ${file}`);
  const different = differences(built, other);
  for (const { file, hash, other: theirs } of different)
    console.error(
      `DIFFERENT  ${file}: ${hash} here, ${theirs} ${values.published ? 'published' : 'in this clone'}`,
    );
  if (different.length > 0) process.exit(1);
  console.log(`the same bytes: ${values.published ? `latchkey@${values.published}` : 'this clone'}`);
}

// Step `assets`: the tarballs, the WASM, the bills of materials, their checksums and the signature, for
// releases/<commit> and releases/<tag>. RELEASE_SIGNING_KEY is the path of an OpenSSH private key; RELEASE_BUCKET the
// name of the R2 bucket behind the release's address.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { billPath, npmBill, wasmBill } from './bill.mjs';
import { platformTarballs } from './chain.mjs';
import { git, MODULES, manifestOf, needed, OUT, PACKAGES, ROOT, run, sha256Of } from './lib.mjs';

/** What a signature of these checksums is for (the namespace of `ssh-keygen -Y`). */
export const NAMESPACE = 'latchkey-release';
const SUMS = 'SHA256SUMS';

/** The text that `sha256sum --check` reads: every file of the folder, by name. */
export function checksums(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith(SUMS))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  return names.map((name) => `${sha256Of(join(folder, name))}  ${name}\n`).join('');
}

/** Collects everything in a new folder; of the chain's programs, those in `chainFolder`. */
export function collect(folder, { packageFolders = PACKAGES, root = ROOT, chainFolder } = {}) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'wasm'), { recursive: true });
  for (const workspace of packageFolders) {
    execFileSync('npm', ['pack', '--pack-destination', folder, '-w', workspace], {
      cwd: root,
      stdio: 'ignore',
    });
    const { name, dependencies, peerDependencies } = manifestOf(workspace);
    // A package that needs no other has no bill: npm makes none for it.
    if (dependencies ?? peerDependencies)
      writeFileSync(billPath(folder, name), JSON.stringify(npmBill(name), null, 2));
  }
  for (const { path } of platformTarballs(manifestOf('chain').version, chainFolder))
    if (existsSync(path)) cpSync(path, join(folder, basename(path)));
  for (const [workspace, modules] of Object.entries(MODULES)) {
    for (const module of modules) {
      const file = `${module}_bg.wasm`;
      cpSync(join(root, workspace, 'wasm', module, file), join(folder, 'wasm', file));
    }
  }
  writeFileSync(billPath(folder, 'wasm'), JSON.stringify(wasmBill(manifestOf('ts').version), null, 2));
  writeFileSync(join(folder, SUMS), checksums(folder));
}

/** Signs the checksums: `SHA256SUMS.sig`. */
export function sign(folder, key) {
  execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', NAMESPACE, '-f', key, join(folder, SUMS)], {
    stdio: 'pipe',
  });
}

export function assets({ tag, isDry }) {
  const folder = join(OUT, tag);
  collect(folder);
  if (isDry && !process.env.RELEASE_SIGNING_KEY)
    console.log('would sign SHA256SUMS with RELEASE_SIGNING_KEY');
  else sign(folder, needed('RELEASE_SIGNING_KEY', 'the path of the key that signs SHA256SUMS'));
  const bucket = isDry
    ? (process.env.RELEASE_BUCKET ?? '<RELEASE_BUCKET>')
    : needed('RELEASE_BUCKET', 'where the assets go');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const place of [git('rev-parse', 'HEAD'), tag]) {
    for (const entry of files) {
      const path = join(entry.parentPath, entry.name);
      const target = `${bucket}/releases/${place}/${path.slice(folder.length + 1)}`;
      if (isDry) console.log(`would upload ${target}`);
      else run('npx', ['wrangler', 'r2', 'object', 'put', target, '--file', path, '--remote']);
    }
  }
}

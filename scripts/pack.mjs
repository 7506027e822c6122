// Packs every package as npm would have it: for `npm create latchkey -- --from`, before a version is published.
// Usage: node scripts/pack.mjs [FOLDER]   (after a build; FOLDER is build/tarballs if none is named)
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CHAIN, licencesHere, writeChainPackage, writePlatformPackage } from './release/chain.mjs';
import { isMain, manifestOf, PACKAGES, ROOT } from './release/lib.mjs';

/** Packs a workspace into a folder. Returns what npm says of it, and the tarball's path. */
export function pack(workspace, folder) {
  const packed = npmPack(folder, ROOT, '--workspace', workspace);
  return { ...packed, tarball: join(folder, packed.filename) };
}

/**
 * Packs `latchkey-chain` and its package for this platform into a folder, with the program of the development build. A release has
 * another build of it. Returns the tarballs' paths.
 */
export function packChain(folder) {
  const platform = `${process.platform}-${process.arch}`;
  const program = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug', CHAIN);
  const writePlatform = (part) => writePlatformPackage(part, { platform, program, licences: licencesHere() });
  const parts = { 'latchkey-chain': writeChainPackage, [`latchkey-chain-${platform}`]: writePlatform };
  return Object.entries(parts).map(([name, write]) => {
    const part = join(folder, 'chain', name);
    write(part);
    return join(folder, npmPack(folder, part).filename);
  });
}

function npmPack(folder, cwd, ...options) {
  const args = ['pack', '--json', '--pack-destination', folder, ...options];
  const [packed] = JSON.parse(
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  return packed;
}

if (isMain(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'build/tarballs'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const workspace of PACKAGES) if (workspace !== 'chain') pack(workspace, folder);
  packChain(folder);
  rmSync(join(folder, 'chain'), { recursive: true });
  const here = relative(process.cwd(), folder);
  console.log(
    `All packages are in ${here}. A new app of them:\n\n  npx ./${here}/create-latchkey-${manifestOf('create').version}.tgz ../my-app --template vite-react --from ${here}`,
  );
}

// Turns the changes in .changeset into the next version: of all packages, the demos that use them, and the changelog.
// Usage: node scripts/release/version.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressesOf } from './addresses.mjs';
import { unusedChangesets } from './check.mjs';
import { isMain, manifestOf, PACKAGES, ROOT } from './lib.mjs';

const write = (folder, manifest) =>
  writeFileSync(join(ROOT, folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** The changelog with its unreleased section under this version's name, and a new one above it. */
export function released(changelog, version, day) {
  const heading = '## Unreleased\n';
  if (!changelog.includes(heading)) throw new Error('CHANGELOG.md has no section Unreleased');
  return changelog.replace(heading, `${heading}\n## ${version} - ${day}\n`);
}

if (isMain(import.meta.url)) {
  if (unusedChangesets().length === 0)
    throw new Error('.changeset has no change: write one with npx changeset');
  // Packages want exactly their own release of each other. Changesets would call each new version of a peer a breaking change.
  const before = PACKAGES.map((folder) => ({ folder, manifest: manifestOf(folder) }));
  const names = new Set(before.map(({ manifest }) => manifest.name));
  const peersOf = ({ peerDependencies = {} }, version) =>
    Object.fromEntries(
      Object.entries(peerDependencies).flatMap(([name, range]) => {
        if (!names.has(name)) return [[name, range]];
        return version === undefined ? [] : [[name, version]];
      }),
    );
  const withPeers = before.filter(({ manifest }) => manifest.peerDependencies);
  for (const { folder, manifest } of withPeers)
    write(folder, { ...manifest, peerDependencies: peersOf(manifest) });
  execFileSync(process.execPath, [join(ROOT, 'node_modules/@changesets/cli/bin.js'), 'version'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const { version } = manifestOf('ts');
  for (const { folder, manifest } of withPeers)
    write(folder, { ...manifestOf(folder), peerDependencies: peersOf(manifest, version) });
  const root = manifestOf('.');
  // Without addresses, the check refuses to publish the version.
  if (root.repository)
    for (const folder of PACKAGES) write(folder, { ...manifestOf(folder), ...addressesOf(root, folder) });
  const changelog = join(ROOT, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, released(readFileSync(changelog, 'utf8'), version, day));
  console.log(`${version}: run npm install --ignore-scripts, commit, and tag v${version}`);
}

// Turns the changes in .changeset into the next version: of all packages, the demos that use them, and a section of the changelog.
// Usage: node scripts/release/version.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAddresses } from './addresses.mjs';
import { unusedChangesets } from './check.mjs';
import { isMain, manifestOf, PACKAGES, ROOT, writeManifest } from './lib.mjs';

/** The headings of a section, by the bump that their changes ask for. */
const HEADINGS = { major: 'Breaking', minor: 'New', patch: 'Fixed' };

/** What a changeset says: its bump, the greatest if it names several packages, and its text. */
export function changeOf(changeset) {
  const [, head, text] = /^---\n([\s\S]*?)\n?---\n([\s\S]*)$/.exec(changeset) ?? [];
  const bump = Object.keys(HEADINGS).find((each) => new RegExp(`: ${each}$`, 'm').test(head ?? ''));
  if (!bump || !text.trim()) throw new Error(`not a changeset with a bump and a text:\n${changeset}`);
  return { bump, text: text.trim() };
}

/** The changelog with a section for this version above all others, made from the changesets. */
export function released(changelog, version, day, changesets) {
  const changes = changesets.map(changeOf);
  const parts = Object.entries(HEADINGS).flatMap(([bump, heading]) => {
    const lines = changes
      .filter((each) => each.bump === bump)
      .map(({ text }) => `- ${text.replaceAll(/\n(?=.)/g, '\n  ')}\n`);
    return lines.length > 0 ? [`### ${heading}\n\n${lines.join('')}\n`] : [];
  });
  const at = changelog.search(/^## /m);
  if (at < 0) throw new Error('CHANGELOG.md has no section of an earlier version');
  return `${changelog.slice(0, at)}## ${version} - ${day}\n\n${parts.join('')}${changelog.slice(at)}`;
}

if (isMain(import.meta.url)) {
  const names = unusedChangesets();
  if (names.length === 0) throw new Error('.changeset has no change: write one with npx changeset');
  // Read now: the command below deletes them.
  const changesets = names.map((name) => readFileSync(join(ROOT, '.changeset', name), 'utf8'));
  // Packages want exactly their own release of each other. Changesets would call each new version of a peer a breaking change.
  const before = PACKAGES.map((folder) => ({ folder, manifest: manifestOf(folder) }));
  const ours = new Set(before.map(({ manifest }) => manifest.name));
  const peersOf = ({ peerDependencies = {} }, version) =>
    Object.fromEntries(
      Object.entries(peerDependencies).flatMap(([name, range]) => {
        if (!ours.has(name)) return [[name, range]];
        return version === undefined ? [] : [[name, version]];
      }),
    );
  const withPeers = before.filter(({ manifest }) => manifest.peerDependencies);
  for (const { folder, manifest } of withPeers)
    writeManifest(folder, { ...manifest, peerDependencies: peersOf(manifest) });
  execFileSync(process.execPath, [join(ROOT, 'node_modules/@changesets/cli/bin.js'), 'version'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const { version } = manifestOf('ts');
  for (const { folder, manifest } of withPeers)
    writeManifest(folder, { ...manifestOf(folder), peerDependencies: peersOf(manifest, version) });
  // No workspace, so changesets does not know it.
  const onNode = manifestOf('deploy/node');
  const wanted = Object.keys(onNode.dependencies).filter((name) => ours.has(name));
  const dependencies = {
    ...onNode.dependencies,
    ...Object.fromEntries(wanted.map((name) => [name, version])),
  };
  writeManifest('deploy/node', { ...onNode, dependencies });
  writeAddresses();
  const changelog = join(ROOT, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, released(readFileSync(changelog, 'utf8'), version, day, changesets));
  console.log(`${version}: run npm install --ignore-scripts, commit, and tag v${version}`);
}

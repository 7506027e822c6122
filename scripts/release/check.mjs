// Step `check`: the tag, the packages and the changelog name one version, and the tree is the commit's.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressProblemsHere } from './addresses.mjs';
import { git, manifestOf, PACKAGES, ROOT } from './lib.mjs';

/** What keeps this tree from being released as `tag`. */
export function problemsOf(tag, { manifests, changelog, changesets, changes, addresses }) {
  const problems = [...addresses];
  const [, version] = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag) ?? [];
  if (!version) problems.push(`${tag} is not a tag such as v1.2.3`);
  for (const { name, version: theirs } of manifests)
    if (theirs !== version)
      problems.push(`${name} is ${theirs}: run scripts/release/version.mjs, commit, and tag that commit`);
  for (const { name, dependencies, peerDependencies } of manifests)
    for (const ours of manifests) {
      const wanted = { ...dependencies, ...peerDependencies }[ours.name];
      if (wanted !== undefined && wanted !== ours.version)
        problems.push(`${name} wants ${ours.name} ${wanted}: it must be exactly ${ours.version}`);
    }
  if (!new RegExp(`^## ${version?.replaceAll('.', '\\.')}\\b`, 'm').test(changelog))
    problems.push(`CHANGELOG.md has no section ${version}`);
  if (changesets.length > 0) problems.push(`.changeset has unused changes: ${changesets.join(', ')}`);
  if (changes !== '') problems.push(`the tree has changes that are not committed:\n${changes}`);
  return problems;
}

/** The names of the changesets that no version has used. */
export function unusedChangesets(root = ROOT) {
  const folder = join(root, '.changeset');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
}

export function check({ tag, isDry }) {
  const problems = problemsOf(tag, {
    manifests: PACKAGES.map(manifestOf),
    changelog: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
    changesets: unusedChangesets(),
    changes: git('status', '--porcelain'),
    addresses: addressProblemsHere(),
  });
  for (const problem of problems) console.error(`${isDry ? 'would refuse' : 'refused'}: ${problem}`);
  if (problems.length > 0 && !isDry) throw new Error(`this tree is not ${tag}`);
}

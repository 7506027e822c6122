// Step `npm`: publishes the packages, each after those it names, with provenance. Skips a version that the registry has.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressProblemsHere } from './addresses.mjs';
import { platformTarballs, tarballProblems, writeChainPackage } from './chain.mjs';
import { manifestOf, PACKAGES, run } from './lib.mjs';

/** Whether the registry has this version. Throws if it does not say. */
export function isPublished(name, version, env = process.env) {
  try {
    const args = ['view', `${name}@${version}`, 'version', '--json'];
    const answer = execFileSync('npm', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return answer.trim() !== '';
  } catch (error) {
    // The package, or this version of it, does not exist.
    if (/\bE404\b/.test(`${error.stdout}${error.stderr}`)) return false;
    throw new Error(`the registry does not say whether it has ${name}@${version}: ${error.stderr}`, {
      cause: error,
    });
  }
}

/** Runs `use` with npm logged in by NODE_AUTH_TOKEN, if it is set: npm reads the token from the environment itself. */
function withLogin(use) {
  if (!process.env.NODE_AUTH_TOKEN) return use(process.env);
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-npm-'));
  try {
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
    const place = registry.replace(/^https?:/, '').replace(/\/?$/, '/');
    const file = join(folder, 'npmrc');
    writeFileSync(file, `${place}:_authToken=\${NODE_AUTH_TOKEN}\n`, { mode: 0o600 });
    return use({ ...process.env, NPM_CONFIG_USERCONFIG: file });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is published, in this order: each package by its name and what `npm publish` takes for it, its folder or its tarball. */
function publications(folder) {
  const { version } = manifestOf('chain');
  const platforms = platformTarballs(version).map(({ name, path }) => ({ name, version, what: path }));
  const chain = join(folder, 'latchkey-chain');
  writeChainPackage(chain);
  const packages = PACKAGES.map((workspace) => {
    const { name, version } = manifestOf(workspace);
    return { name, version, what: workspace === 'chain' ? chain : `./${workspace}` };
  });
  return [...platforms, ...packages];
}

export function npm({ isDry }) {
  const tarballs = platformTarballs(manifestOf('chain').version);
  const problems = [...addressProblemsHere(), ...tarballProblems(tarballs)];
  for (const problem of problems) console.error(`${isDry ? 'would refuse' : 'refused'}: ${problem}`);
  if (problems.length > 0 && !isDry) throw new Error('nothing was published');
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-publish-'));
  try {
    for (const { name, version, what } of publications(folder)) {
      if (isPublished(name, version)) {
        console.log(`${name}@${version} is published already: skipped`);
        continue;
      }
      // Only a runner of its platform makes it.
      if (what.endsWith('.tgz') && !existsSync(what)) continue;
      // Provenance needs the identity of a CI run, which a dry run does not have.
      const mode = isDry ? '--dry-run' : '--provenance';
      withLogin((env) => run('npm', ['publish', what, '--access', 'public', mode], { env }));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Shared by the steps of a release.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What a release publishes is collected here. */
export const OUT = join(ROOT, 'build/release');
/** The folders of the published packages. The servers and the kit name the exact version of the first. */
export const PACKAGES = ['ts', 'server', 'react', 'chain', 'dev', 'create'];
/** The WASM modules in each package. */
export const MODULES = { ts: ['signer', 'vrf'], server: ['vrf', 'relay'] };

export const sha256Of = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

export const manifestOf = (folder) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));

export const writeManifest = (folder, manifest) =>
  writeFileSync(join(ROOT, folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** Whether this module is the program that Node was asked to run. */
export const isMain = (url) => fileURLToPath(url) === realpathSync(process.argv[1] ?? '');

export const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Runs a command in the repository, and shows its output. */
export function run(command, args, { cwd = ROOT, env = process.env } = {}) {
  console.log(`$ ${[command, ...args].join(' ')}`);
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** An environment variable that a real run needs. */
export function needed(name, what) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing: ${what}`);
  return value;
}

// `npm create latchkey`: each template installed from the tarballs, and driven in Chromium by its own test, which starts `npm run dev`,
// and as a build.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPLATES } from '../../create/create.js';
import { developerEnv, fail, good, root, run } from './tools.mjs';

/** Where a template keeps a file of this repository, and the words that differ there. */
const SAME_AS = {
  'server/relay.js': ['demo/relay-node/main.js', /^(#!.*\n)?\/\/.*\n/],
  'workers/relay.js': ['deploy/workers/relay.js', /^$/],
  'workers/relay.jsonc': ['deploy/workers/relay.jsonc', /^$/],
  'workers/wallet.js': ['deploy/workers/wallet.js', /^$/],
  'workers/wallet.jsonc': ['deploy/workers/wallet.jsonc', /(\.\.\/)?(?=node_modules)/],
};

/** Makes, installs and drives the project of every template, with the tarballs of this folder. */
export function useCreate(folder, tarball, tarballs) {
  // Not above the projects: Next takes the folder of a lock file for its workspace.
  const home = join(folder, 'home');
  const installed = installCreate(home, tarball);
  sharedFilesAreOurs(join(installed, 'templates/shared'));
  for (const template of Object.keys(TEMPLATES)) {
    const project = join(folder, `my-${template}`);
    makeProject(home, project, template, tarballs);
    // Its test starts no session, which reaches the server through the proxy of `npm run dev`.
    if (template === 'hono') drive('dev.ts', project, template);
    drive('own-test.ts', project);
    good(`npm test: on npm run dev, a user of ${template} registers and pays`);
    drive('run.ts', project, template);
    for (const worker of ['relay', 'wallet']) bundle(project, worker);
    good(`npm run build: the types of ${template} agree, a user registers and pays, and its Workers bundle`);
  }
}

/** What a newcomer types, and a user in Chromium from a registration to a payment. Prints each step's seconds, for the benchmark. */
export function firstMinute(home, project, template, tarballs) {
  makeProject(home, project, template, tarballs);
  drive('dev.ts', project, template);
  good(`npm run dev: a user of ${template} registers and pays`);
}

/** `npm create latchkey` from the tarballs, and `npm install`. */
function makeProject(home, project, template, tarballs) {
  const args = ['create-latchkey', project, '--template', template, '--from', tarballs];
  const said = run('npm', ['exec', '--offline', '--', ...args], home, developerEnv());
  if (!said.includes(`cd ${project}\n  npm install\n  npm run dev\n`))
    fail(`npm create latchkey says ${said}`);
  good(`npm create latchkey: makes a project of ${template}`);
  npmInstall(project);
  good(`npm install: the project of ${template} installs from tarballs`);
}

/** Runs a driver of tests/packaging/create in a developer's environment. It prints its steps. */
const drive = (driver, ...args) =>
  execFileSync(process.execPath, ['--import', 'tsx', join(root, 'tests/packaging/create', driver), ...args], {
    cwd: root,
    env: developerEnv(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });

const npmInstall = (project, packages = []) =>
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...packages],
    project,
    developerEnv(),
  );

/** Installs the package behind `npm create latchkey`, and returns its folder. */
export function installCreate(folder, tarball) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  npmInstall(folder, [tarball]);
  return join(folder, 'node_modules/create-latchkey');
}

/** The relay and the wallet origin of a made project are those that the other checks run. */
function sharedFilesAreOurs(shared) {
  for (const [file, [ours, except]] of Object.entries(SAME_AS)) {
    const [theirs, here] = [join(shared, file), join(root, ours)].map((path) =>
      readFileSync(path, 'utf8').replace(except, ''),
    );
    if (theirs !== here) fail(`the templates' ${file} is not ${ours}`);
  }
}

/** wrangler bundles it from the project's own packages, and publishes nothing. */
function bundle(project, worker) {
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const args = [wrangler, 'deploy', '--dry-run', '--config', `workers/${worker}.jsonc`];
  run(process.execPath, args, project, { ...process.env, WRANGLER_SEND_METRICS: 'false' });
}

// `npm create latchkey`: each template installed from the tarballs, built and driven in Chromium, and driven by `npm run dev`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { developerEnv, fail, good, root, run } from './tools.mjs';

/** Where a template keeps a file of this repository, and the words that differ there. */
const SAME_AS = {
  'server/relay.js': ['demo/relay-node/main.js', /^(#!.*\n)?\/\/.*\n/],
  'workers/relay.js': ['deploy/workers/relay.js', /^$/],
  'workers/relay.jsonc': ['deploy/workers/relay.jsonc', /^$/],
  'workers/wallet.js': ['deploy/workers/wallet.js', /^$/],
  'workers/wallet.jsonc': ['deploy/workers/wallet.jsonc', /(\.\.\/)?(?=node_modules)/],
};

/** Makes, installs, builds and drives the project of every template. */
export function useCreate(folder, tarball, packages) {
  // Not above the projects: Next takes the folder of a lock file for its workspace.
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const installed = install(home, tarball);
  const templates = readdirSync(join(installed, 'templates')).filter((name) => name !== 'shared');
  sharedFilesAreOurs(join(installed, 'templates/shared'));
  for (const template of templates) {
    const project = join(folder, `my-${template}`);
    run('npm', ['exec', '--offline', '--', 'create-latchkey', project, '--template', template], home);
    const { name, dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    if (name !== `my-${template}` || !dependencies.latchkey || !existsSync(join(project, '.gitignore')))
      fail(`the template ${template} made a project ${name} with ${Object.keys(dependencies)}`);
    npmInstall(project, packages);
    drive('run.ts', project, template);
    for (const worker of ['relay', 'wallet']) bundle(project, worker);
    good(`npm create latchkey: a project of ${template} builds, registers, pays, and bundles its Workers`);
  }
  drive('dev.ts', folder, ...templates);
  good(`npm run dev: a user of ${templates.join(', ')} registers and pays on a stack of latchkey-dev`);
}

/** Runs a driver of tests/packaging/create in a developer's environment. */
const drive = (driver, ...args) =>
  execFileSync(process.execPath, ['--import', 'tsx', join(root, 'tests/packaging/create', driver), ...args], {
    cwd: root,
    env: developerEnv(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });

const npmInstall = (project, packages) =>
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...packages],
    project,
    developerEnv(),
  );

/** The folder of the installed package. */
function install(folder, tarball) {
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

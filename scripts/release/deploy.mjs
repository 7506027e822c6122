// Steps `worker` and `sites`: deploys the Workers of deploy/workers from the packed packages, as an operator would. Needs
// CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID, the variables that the Workers' files name, and those of the app's build.
// Secrets of the Workers, and further variables, stay as they are at Cloudflare.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needed, PACKAGES, ROOT, run } from './lib.mjs';

const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
const REACT = ['react@19', 'react-dom@19'];

/** A project with the Workers and the packed packages, which `use` gets until it returns. */
export function withProject(use) {
  const project = mkdtempSync(join(tmpdir(), 'latchkey-deploy-'));
  try {
    cpSync(join(ROOT, 'deploy/workers'), project, { recursive: true });
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    for (const workspace of PACKAGES)
      run('npm', ['pack', '--silent', '--pack-destination', project, '-w', workspace]);
    const tarballs = readdirSync(project).filter((name) => name.endsWith('.tgz'));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    run('npm', ['install', ...options, ...tarballs.map((name) => `./${name}`), ...REACT], { cwd: project });
    return use(project);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/**
 * The Worker's variables from the environment. The values in its file are examples, which a release must not put in place
 * of the operator's.
 */
export function variablesOf(project, name, env = process.env) {
  const { vars = {} } = JSON.parse(readFileSync(join(project, `${name}.jsonc`), 'utf8'));
  const missing = Object.keys(vars).filter((key) => !env[key]);
  if (missing.length > 0) throw new Error(`${name} is not deployed: set ${missing.join(', ')}`);
  return Object.keys(vars).flatMap((key) => ['--var', `${key}:${env[key]}`]);
}

function deploy(project, name, isDry) {
  if (!isDry) needed('CLOUDFLARE_API_TOKEN', 'it may deploy the Workers');
  const mode = isDry
    ? ['--dry-run', '--outdir', join(project, 'bundled', name)]
    : ['--keep-vars', ...variablesOf(project, name)];
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: join(project, 'logs') };
  run(process.execPath, [WRANGLER, 'deploy', '--config', `${name}.jsonc`, ...mode], { cwd: project, env });
}

/** The relay. */
export function worker({ isDry }) {
  withProject((project) => deploy(project, 'relay', isDry));
}

/** The wallet's origin, and the app with the documentation. */
export function sites({ isDry }) {
  // The build refuses to start without its variables. That of a dry run is the demo's.
  if (!isDry) run('npx', ['vite', 'build'], { cwd: join(ROOT, 'demo/app') });
  withProject((project) => {
    cpSync(join(ROOT, 'demo/app/dist'), join(project, 'site'), { recursive: true });
    for (const name of ['wallet', 'site']) deploy(project, name, isDry);
  });
}

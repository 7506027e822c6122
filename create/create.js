// Writes a project: the files that all templates share, then those of the chosen one.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What each template is, and the folders of `templates` that it is made of: a later one's files replace an earlier one's. */
export const TEMPLATES = {
  'vite-react': { what: 'React, built by Vite', parts: ['shared', 'vite', 'react', 'vite-react'] },
  next: { what: 'Next, App Router', parts: ['shared', 'react', 'next'] },
  plain: {
    what: 'TypeScript without a framework, built by Vite',
    parts: ['shared', 'vite', 'plain'],
  },
  hono: {
    what: 'React by Vite, and a server by Hono with sessions of its own',
    parts: ['shared', 'vite', 'react', 'vite-react', 'hono'],
  },
};

/** The packages that every project uses, in the version of this one. */
const PACKAGES = {
  dependencies: ['latchkey', 'latchkey-react', 'latchkey-server'],
  devDependencies: ['latchkey-dev'],
};
/** The local chain's program, on which latchkey-dev depends: a project names it where a folder of tarballs has it. */
const CHAIN = ['latchkey-chain', `latchkey-chain-${process.platform}-${process.arch}`];

/** What npm takes as the name of a package without a scope, at most 214 characters. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;
const OUR_FOLDER = fileURLToPath(new URL('.', import.meta.url));
const VERSION = JSON.parse(readFileSync(join(OUR_FOLDER, 'package.json'), 'utf8')).version;

/** Why no project can be made in the folder, or null. */
export function folderProblem(folder) {
  const path = resolve(folder);
  const name = basename(path);
  if (!NAME.test(name))
    return `'${name}' cannot name a package. Use lower-case letters, digits, '-', '_' and '.', and begin with a letter or a digit.`;
  if (!existsSync(path)) return null;
  try {
    if (readdirSync(path).length > 0)
      return `The folder ${path} is not empty. Name another one, or empty it.`;
  } catch (error) {
    return `${path} is not a folder that can be read (${error.code}). Name another one.`;
  }
  return null;
}

/** Why no template has this name, or null. */
export const templateProblem = (template) =>
  Object.hasOwn(TEMPLATES, template)
    ? null
    : `There is no template '${template}'. The templates are ${Object.keys(TEMPLATES).join(', ')}.`;

/** Why the folder's tarballs cannot make a project, or null. */
export function tarballsProblem(from) {
  const missing = Object.values(PACKAGES)
    .flat()
    .filter((name) => !existsSync(tarballIn(from, name)));
  if (missing.length === 0) return null;
  const files = missing.map(tarballName).join(', ');
  return `${resolve(from)} lacks ${files}. In a clone of Latchkey, \`npm run just -- pack\` makes all of them in build/tarballs.`;
}

/** Why no app can use this wallet and this relay, or null. */
export function servicesProblem({ wallet, relay, registry }) {
  if (wallet === undefined && relay === undefined)
    return registry === undefined ? null : '--registry goes with --wallet and --relay.';
  if (wallet === undefined || relay === undefined) return 'Name both --wallet and --relay, or neither.';
  if (!isServed(wallet) || new URL(wallet).origin !== wallet)
    return `--wallet takes an origin such as https://wallet.example, without a path. It got '${wallet}'.`;
  return isServed(relay)
    ? null
    : `--relay takes an address such as https://relay.example. It got '${relay}'.`;
}

/** Whether a page may call it: by https, or on this machine. */
function isServed(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && /(^|\.)localhost$/.test(hostname));
}

/**
 * Writes the project. Its packages of ours come from the folder `from` of tarballs, if there is one. With the addresses of a
 * wallet and a relay, it uses these, and its script `dev` starts no stack. Nothing has a problem.
 */
export function createProject(folder, template, { from, ...services } = {}) {
  for (const part of TEMPLATES[template].parts) {
    cpSync(join(OUR_FOLDER, 'templates', part), folder, { recursive: true });
  }
  // npm leaves a .gitignore out of a package.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  if (services.wallet !== undefined) useServices(folder, manifest, services);
  const chain = from === undefined ? [] : CHAIN.filter((name) => existsSync(tarballIn(from, name)));
  const named = {
    name: basename(resolve(folder)),
    ...manifest,
    dependencies: { ...versions(PACKAGES.dependencies, from), ...manifest.dependencies },
    devDependencies: {
      ...versions([...PACKAGES.devDependencies, ...chain], from),
      ...manifest.devDependencies,
    },
  };
  writeFileSync(path, `${JSON.stringify(named, null, 2)}\n`);
}

/** The registry that a wallet has by default. */
const REGISTRY = 'w3a-v1.testnet';

/** Fills in `.env`, and takes the local stack out of the scripts. */
function useServices(folder, manifest, { wallet, relay, registry = REGISTRY }) {
  const example = readFileSync(join(folder, '.env.example'), 'utf8');
  const variables = example.split('\n').filter((line) => /^\w+=/.test(line));
  const filled = variables
    .join('\n')
    .replace('https://wallet.example', wallet)
    .replace('https://relay.example', relay)
    .replace('registry.you.testnet', registry);
  writeFileSync(join(folder, '.env'), `${filled}\n`);
  delete manifest.scripts.stack;
  manifest.scripts.dev = manifest.scripts.dev.replace(/^latchkey-dev .* -- /, '');
}

/** What a package.json says of these packages: this version, or the tarball in the folder. */
const versions = (names, from) =>
  Object.fromEntries(
    names.map((name) => [name, from === undefined ? VERSION : `file:${tarballIn(from, name)}`]),
  );

/** The file that `npm pack` makes. */
const tarballName = (name) => `${name}-${VERSION}.tgz`;
const tarballIn = (from, name) => join(resolve(from), tarballName(name));

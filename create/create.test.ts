import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
const PROGRAM = fileURLToPath(new URL('./main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'latchkey-create-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'full/inside'), { recursive: true });
writeFileSync(join(folder, 'file'), '');

const manifestOf = (project: string) => JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const create = (...args: string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...args], { cwd: folder, encoding: 'utf8' });

describe('npm create latchkey', () => {
  it.each([
    ['a folder that is not empty', ['full', '--template', 'plain'], 'is not empty'],
    ['a name that npm does not take', ['My App', '--template', 'plain'], "'My App' cannot name a package"],
    ['a file', ['file', '--template', 'plain'], 'is not a folder that can be read (ENOTDIR)'],
    ['an unknown template', ['app', '--template', 'vue'], 'The templates are vite-react, next, plain, hono.'],
    ['the name of a method', ['app', '--template', 'toString'], "There is no template 'toString'"],
    ['two folders', ['app', 'other', '--template', 'plain'], 'Name one folder, not 2.'],
    ['an unknown flag', ['app', '--tempalte', 'plain'], "Unknown option '--tempalte'"],
    ['no template without a terminal', ['app'], 'Name the folder and the template.'],
  ])('refuses %s with a sentence, and writes nothing', (_what, args, sentence) => {
    const { status, stderr } = create(...args);
    expect(stderr).toContain(sentence);
    expect(status).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['file', 'full']);
  });

  it('names an old Node, and the version that is needed', () => {
    const moduleOf = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
    // Node before 16.17 has no `parseArgs`: a module that imports it does not start there.
    const without = `export const resolve = (name, context, next) =>
      name === 'node:util' ? { url: 'data:text/javascript,', shortCircuit: true } : next(name, context);`;
    const old = `import { register } from 'node:module';
      register(${JSON.stringify(moduleOf(without))});
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '16.16.0' } });`;
    const args = ['--import', moduleOf(old), PROGRAM, 'app', '-t', 'plain'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toContain('Latchkey needs Node 20.19 or later, and this is 16.16.0.');
    expect(status).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['file', 'full']);
  });

  it.each(['vite-react', 'next', 'plain', 'hono'])(
    'writes the project %s with its name, its scripts and the version of every package',
    (template) => {
      const name = `my-${template}`;
      const { status, stdout } = create(name, '--template', template);
      expect(status).toBe(0);
      expect(stdout).toContain(`  cd ${name}\n  npm install\n  npm run dev\n`);
      const project = join(folder, name);
      const { scripts, dependencies, devDependencies, ...manifest } = manifestOf(project);
      expect(manifest.name).toBe(name);
      expect(dependencies).toMatchObject({
        latchkey: version,
        'latchkey-react': version,
        'latchkey-server': version,
      });
      expect(devDependencies['latchkey-dev']).toBe(version);
      expect(scripts.dev).toMatch(/^latchkey-dev .*-- (vite|next dev) --port 5180/);
      expect(scripts.stack).toMatch(/^latchkey-dev(?!.* -- )/);
      expect(readdirSync(project)).toEqual(
        expect.arrayContaining(['.env.example', '.gitignore', 'public', 'server', 'src', 'tsconfig.json']),
      );
      const ignored = readFileSync(join(project, '.gitignore'), 'utf8').split('\n');
      expect(ignored).toEqual(expect.arrayContaining(['.env', '.latchkey', 'server/.env']));
      const { compilerOptions } = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'));
      expect(compilerOptions).toMatchObject({ strict: true, exactOptionalPropertyTypes: true });
      rmSync(project, { recursive: true });
    },
  );
});

describe('npm create latchkey --from', () => {
  const tarballs = join(folder, 'tarballs');
  beforeAll(() => {
    mkdirSync(tarballs);
    for (const name of ['latchkey', 'latchkey-react', 'latchkey-server', 'latchkey-chain'])
      writeFileSync(join(tarballs, `${name}-${version}.tgz`), '');
  });
  afterEach(() => rmSync(join(folder, 'app'), { recursive: true, force: true }));

  it('names the tarballs that are missing and how to make them, and writes nothing', () => {
    const { status, stderr } = create('app', '--template', 'plain', '--from', 'tarballs');
    expect(stderr).toContain(`tarballs lacks latchkey-dev-${version}.tgz.`);
    expect(stderr).toContain('npm run just -- pack');
    expect(status).toBe(1);
    expect(existsSync(join(folder, 'app'))).toBe(false);
  });

  it('takes every package of ours from its tarball, and the chain where there is one', () => {
    writeFileSync(join(tarballs, `latchkey-dev-${version}.tgz`), '');
    const { status } = create('app', '--template', 'plain', '--from', 'tarballs');
    expect(status).toBe(0);
    const { dependencies, devDependencies } = manifestOf(join(folder, 'app'));
    const tarball = (name: string) => `file:${join(tarballs, `${name}-${version}.tgz`)}`;
    for (const name of ['latchkey', 'latchkey-react', 'latchkey-server'])
      expect(dependencies[name]).toBe(tarball(name));
    expect(devDependencies['latchkey-dev']).toBe(tarball('latchkey-dev'));
    expect(devDependencies['latchkey-chain']).toBe(tarball('latchkey-chain'));
  });
});

describe('npm create latchkey --wallet --relay', () => {
  const services = ['--wallet', 'https://wallet.test', '--relay', 'https://relay.test/base'];
  afterEach(() => rmSync(join(folder, 'app'), { recursive: true, force: true }));

  it.each([
    ['vite-react', 'VITE_'],
    ['next', 'NEXT_PUBLIC_'],
    ['plain', 'VITE_'],
    ['hono', 'VITE_'],
  ])('makes a project of %s that uses them and starts no stack', (template, prefix) => {
    const { status, stdout } = create('app', '--template', template, ...services);
    expect(stdout).toContain(
      'uses the wallet at https://wallet.test and the relay at https://relay.test/base',
    );
    expect(status).toBe(0);
    const variables = readFileSync(join(folder, 'app/.env'), 'utf8').split('\n');
    expect(variables).toEqual(
      expect.arrayContaining([
        `${prefix}WALLET_ORIGIN=https://wallet.test`,
        `${prefix}RELAY_URL=https://relay.test/base`,
        `${prefix}CONTRACT_ID=w3a-v1.testnet`,
      ]),
    );
    const { scripts } = manifestOf(join(folder, 'app'));
    expect(scripts.dev).toMatch(/^(vite|next dev) --port 5180/);
    expect(scripts).not.toHaveProperty('stack');
  });

  it('takes the registry of that wallet', () => {
    create('app', '--template', 'plain', ...services, '--registry', 'registry.you.testnet');
    expect(readFileSync(join(folder, 'app/.env'), 'utf8')).toContain(
      'VITE_CONTRACT_ID=registry.you.testnet\n',
    );
  });

  it.each([
    ['a wallet alone', services.slice(0, 2), 'Name both --wallet and --relay'],
    ['a relay alone', services.slice(2), 'Name both --wallet and --relay'],
    ['a registry alone', ['--registry', 'r.testnet'], '--registry goes with --wallet'],
    ['a wallet with a path', ['--wallet', 'https://w.test/x', ...services.slice(2)], 'without a path'],
    ['a wallet by http', ['--wallet', 'http://w.test', ...services.slice(2)], '--wallet takes an origin'],
    ['a relay that is no address', [...services.slice(0, 2), '--relay', 'relay'], '--relay takes an address'],
  ])('refuses %s, and writes nothing', (_, args, problem) => {
    const { status, stderr } = create('app', '--template', 'plain', ...args);
    expect(stderr).toContain(problem);
    expect(status).toBe(1);
    expect(existsSync(join(folder, 'app'))).toBe(false);
  });
});

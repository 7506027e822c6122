// Vite builds of a consumer: an app, whose workers start, and a wallet origin.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { preview } from 'vite';
import { fail, good, KEY_VIEWER, resultOf, root, run, withFolder } from './tools.mjs';

const MOST_HOST_FILES = 5;

const build = (project) =>
  run('node', [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], project);

/** A Vite build starts both workers from hashed files. */
export async function buildApp(consumer) {
  const app = join(consumer, 'vite');
  build(app);
  const assets = readdirSync(join(app, 'dist/assets'));
  if (assets.filter((file) => file.endsWith('.wasm')).length !== 2)
    fail(`the build holds ${assets.join(', ')}`);
  const viewer = assets.find((file) => /^key-viewer.*\.js$/.test(file));
  const published = readFileSync(join(consumer, 'node_modules/latchkey', KEY_VIEWER), 'utf8');
  if (!viewer || readFileSync(join(app, 'dist/assets', viewer), 'utf8') !== published)
    fail('the build does not hold the key viewer as it was published');
  // A classic script, because the viewer's document cannot load a module.
  new Script(published);
  await withFolder(join(app, 'dist'), async (port) => {
    const text = await resultOf(`http://localhost:${port}/`);
    if (!text?.startsWith('ready')) fail(`in a Vite build: ${text}`);
  });
  good('a Vite build starts both workers');
}

/** A page that frames its wallet builds to a few files, without WASM. */
export function buildHost(consumer) {
  const host = join(consumer, 'host');
  build(host);
  const files = readdirSync(join(host, 'dist'), { recursive: true }).filter((file) => /\.\w+$/.test(file));
  if (files.length > MOST_HOST_FILES || files.some((file) => file.endsWith('.wasm')))
    fail(`the build of a page that frames its wallet holds ${files.join(', ')}`);
  good(`a Vite build of a page that frames its wallet holds ${files.length} files, and no WASM`);
}

/** A Vite build with the plugin and Vite's preview of it are both wallet origins. */
export async function buildWallet(consumer) {
  const wallet = join(consumer, 'wallet');
  build(wallet);
  for (const file of [
    '_headers',
    '404.html',
    'index.html',
    'service/index.html',
    'wallet-service/index.html',
    'sdk',
  ])
    if (!existsSync(join(wallet, 'dist', file))) fail(`a Vite build with the plugin lacks ${file}`);
  const headers = readFileSync(join(wallet, 'dist/_headers'), 'utf8');
  if (!headers.includes('frame-ancestors https://app.example;'))
    fail(`the build has these _headers:\n${headers}`);
  const files = readdirSync(join(wallet, 'dist/sdk'));
  const server = await preview({ root: wallet, preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' });
  const { port } = server.httpServer.address();
  try {
    const host = encodeURIComponent('https://app.example');
    for (const [path, type] of [
      [`service/?host=${host}`, 'text/html; charset=utf-8'],
      [`sdk/${files.find((file) => file.endsWith('.js'))}`, 'text/javascript; charset=utf-8'],
      [`sdk/${files.find((file) => file.endsWith('.wasm'))}`, 'application/wasm'],
    ]) {
      const { status, headers: got } = await fetch(`http://127.0.0.1:${port}/${path}`);
      if (status !== 200 || got.get('content-type') !== type)
        fail(`Vite's preview answers /${path} with ${status}, ${got.get('content-type')}`);
    }
  } finally {
    await server.close();
  }
  good("a Vite build with the plugin holds a wallet origin, and Vite's preview gives each file its type");
}

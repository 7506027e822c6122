// The demo app and the tests' pages: served from source, or built once and filled with each stack's addresses.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, relative } from 'node:path';
import { REGISTRY, ROOT } from '../dev/services/services.js';

const APP = join(ROOT, 'demo/app');
const BUILD_TIMEOUT_MS = 120_000;
const POLL_MS = 100;

/** The addresses of the page's services. */
interface Addresses {
  relayUrl: string;
  /** The page tries the next one when one fails. */
  chainUrls: readonly string[];
  explorerUrl: string;
  /** The wallet's own origin; without one, the wallet runs in the app's page. */
  walletOrigin?: string;
}

/** The addresses in a built page. */
export interface BuiltAddresses extends Addresses {
  chainUrls: readonly [string, string];
}

export interface App {
  url: string;
  stop(): Promise<void>;
}

/** Serves the demo app from its sources, with hot reload. */
export async function serveApp(port: number, settings: Addresses): Promise<App> {
  publish(settings);
  const vite = await import('vite');
  const server = await vite.createServer({
    root: APP,
    server: { port, strictPort: true, host: 'localhost' },
    clearScreen: false,
    logLevel: 'warn',
  });
  await server.listen();
  return { url: `http://localhost:${port}`, stop: () => server.close() };
}

/** Writes the demo app, built with these addresses, to a folder and serves it, like a deployed app. */
export async function serveBuiltApp(port: number, outDir: string, settings: BuiltAddresses): Promise<App> {
  await writeSite(APP, '/', outDir, settings);
  return serveFolder(port, outDir);
}

/** Placeholder addresses in a build, for those of a stack. */
const PLACEHOLDERS = {
  relayUrl: 'http://relay.placeholder',
  chainUrls: ['http://chain.placeholder', 'http://spare-chain.placeholder'],
  explorerUrl: 'http://explorer.placeholder',
  walletOrigin: 'http://wallet.placeholder',
} as const;

/** Writes the page of a source folder, built to be served at `base`, to `outDir`, with these addresses in it. */
export async function writeSite(
  root: string,
  base: string,
  outDir: string,
  settings: BuiltAddresses,
): Promise<void> {
  const built = await builtSite(root, base, settings.walletOrigin !== undefined);
  await cp(built, outDir, { recursive: true });
  const replacements: [placeholder: string, address: string][] = [
    [PLACEHOLDERS.relayUrl, settings.relayUrl],
    [PLACEHOLDERS.chainUrls[0], settings.chainUrls[0]],
    [PLACEHOLDERS.chainUrls[1], settings.chainUrls[1]],
    [PLACEHOLDERS.explorerUrl, settings.explorerUrl],
    [PLACEHOLDERS.walletOrigin, settings.walletOrigin ?? ''],
  ];
  for (const name of await readdir(outDir, { recursive: true })) {
    if (extname(name) !== '.js') continue;
    const before = await readFile(join(outDir, name), 'utf8');
    let after = before;
    for (const [placeholder, address] of replacements) after = after.replaceAll(placeholder, address);
    if (after !== before) await writeFile(join(outDir, name), after);
  }
}

const inThisProcess = new Map<string, Promise<string>>();

/** A page's build with placeholder addresses: one for each process, or one for all processes that share LATCHKEY_SITES. */
function builtSite(root: string, base: string, framed: boolean): Promise<string> {
  const name = `${relative(ROOT, root)}${base}${framed ? 'framed' : ''}`.replaceAll(/[\\/]+/g, '-');
  let built = inThisProcess.get(name);
  if (!built) {
    built = buildOnce(root, base, framed, name);
    inThisProcess.set(name, built);
  }
  return built;
}

async function buildOnce(root: string, base: string, framed: boolean, name: string): Promise<string> {
  const shared = process.env.LATCHKEY_SITES;
  const folder = shared ?? (await mkdtemp(join(tmpdir(), 'latchkey-sites-')));
  if (!shared) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const site = join(folder, name);
  const isOurs = await mkdir(`${site}.lock`).then(
    () => true,
    () => false,
  );
  if (isOurs) {
    const { walletOrigin, ...rest } = PLACEHOLDERS;
    publish({ ...rest, ...(framed && { walletOrigin }) });
    const unfinished = `${site}.${randomUUID()}`;
    await buildSite(root, base, unfinished);
    await rename(unfinished, site);
    return site;
  }
  for (const deadline = Date.now() + BUILD_TIMEOUT_MS; Date.now() < deadline; ) {
    if (await isFolder(site)) return site;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Another process began to build ${name} and did not finish.`);
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function buildSite(root: string, base: string, outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({ root, base, build: { outDir, emptyOutDir: true, target: 'es2022' }, logLevel: 'error' });
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
};

/** A file that Vite names by a hash of its content. */
const HASHED = /\/assets\/[^/]+$/;

/**
 * Serves the files of a folder, and its index.html for missing ones, as servers of single-page apps do. Not under /sdk/: a
 * browser must not get a page for a script. A browser keeps hashed files, so that workers also start offline. A file is read once until it changes, because every test's browser loads it.
 */
async function serveFolder(port: number, folder: string): Promise<App> {
  const kept = new Map<string, SiteFile>();
  const fileAt = async (path: string): Promise<SiteFile | undefined> => {
    const file = await readIn(folder, path, kept.get(path));
    if (file) kept.set(path, file);
    return file;
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const isScript = path.startsWith('/sdk/');
    const asked = await fileAt(path.endsWith('/') ? `${path}index.html` : path);
    const file = asked ?? (isScript ? undefined : await fileAt('/index.html'));
    if (!file) return void response.writeHead(404).end('Not found');
    const { etag, type, body } = file;
    const isHashed = asked !== undefined && HASHED.test(path);
    const headers = { etag, 'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache' };
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
    response.writeHead(200, { ...headers, 'content-type': type, 'content-length': body.length }).end(body);
  });
  // A connection that the server ends when it is idle may end just as the next request arrives.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });
  return {
    url: `http://localhost:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface SiteFile {
  readonly etag: string;
  readonly type: string;
  readonly body: Buffer;
}

/** The file at a path of a folder, if it is one and inside: `kept` if it has not changed. */
async function readIn(
  folder: string,
  path: string,
  kept: SiteFile | undefined,
): Promise<SiteFile | undefined> {
  const name = join(folder, path);
  if (relative(folder, name).startsWith('..')) return undefined;
  const found = await stat(name).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const etag = `"${found.size}-${found.mtimeMs}"`;
  if (kept?.etag === etag) return kept;
  return { etag, type: TYPES[extname(name)] ?? 'application/octet-stream', body: await readFile(name) };
}

// Vite passes variables that start with VITE_ to a page.
function publish(settings: Addresses): void {
  process.env.VITE_RELAY_URL = settings.relayUrl;
  process.env.VITE_NEAR_RPC_URL = settings.chainUrls.join(',');
  process.env.VITE_CONTRACT_ID = REGISTRY;
  process.env.VITE_EXPLORER_URL = settings.explorerUrl;
  process.env.VITE_WALLET_ORIGIN = settings.walletOrigin ?? '';
}

// Shared by every part of the check.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { delimiter, extname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../scripts/chromium.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
/** The only script of the key viewer's document. */
export const KEY_VIEWER = 'dist/export/key-viewer.js';
/** An address without a server. */
export const NOWHERE = 'http://localhost:9';

export const run = (command, args, cwd = root, env = process.env) =>
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
/** Programs that an integrator has not: with them, an install or a stack could build what a package lacks. */
const OURS = ['cargo', 'rustc', 'rustup'];
/**
 * The environment of an integrator's terminal: no program of this repository on the path and no Rust, no CI, and no NODE_ENV,
 * which Vite's preview sets to production in this process, so that npm would leave out what builds a project.
 */
export function developerEnv() {
  const { NODE_ENV, CI, PATH = '', ...env } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => !folder.startsWith(root));
  return { ...env, PATH: [withoutRust(), ...folders].join(delimiter) };
}
/** A folder that stands before the others of a path and hides Rust: the folder of `cargo` may have what a terminal needs. */
function withoutRust() {
  const folder = join(root, 'build/without-rust');
  mkdirSync(folder, { recursive: true });
  for (const name of OURS)
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name}: not found" >&2\nexit 127\n`, {
      mode: 0o755,
    });
  return folder;
}
let checkedAt = Date.now();
/** Prints what holds, and the seconds since the last such line. */
export const good = (what) => {
  const seconds = Math.round((Date.now() - checkedAt) / 1000);
  checkedAt = Date.now();
  console.log(`ok ${String(seconds).padStart(4)} s  ${what}`);
};
export const fail = (what) => {
  throw new Error(what);
};

/** Imports a package as a module of that project would by this name. */
export const importFrom = (project, name) =>
  import(pathToFileURL(createRequire(join(project, 'index.js')).resolve(name)).href);

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.css': 'text/css',
};

/** Serves the files of a folder until `use` has resolved. */
export async function withFolder(directory, use) {
  await withServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname).replace(/\/$/, '/index.html');
    try {
      const content = readFileSync(join(directory, path));
      response
        .writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' })
        .end(content);
    } catch {
      response.writeHead(404).end();
    }
  }, use);
}

/** A wallet origin of the installed packages, with its operator's list of hosts. That list needs no chain. */
export async function siteOf(consumer, { rpcUrl = NOWHERE, allowedHosts }) {
  const { walletSite } = await importFrom(consumer, 'latchkey-server/wallet');
  const { walletFolder: filesOf } = await importFrom(consumer, 'latchkey-server/wallet/node');
  const { walletFolder } = await importFrom(consumer, 'latchkey-react/wallet');
  return walletSite({
    config: { relayer: { url: NOWHERE }, rpcUrl, allowedHosts },
    files: filesOf(walletFolder),
  });
}

/** What a page of `plain/main.js` says, with this site as its wallet. */
export async function resultWith(consumer, page, site) {
  const { serveSite } = await importFrom(consumer, 'latchkey-server/wallet/node');
  const wallet = await serveSite(site, 0);
  try {
    const walletOrigin = `http://wallet.localhost:${wallet.port}`;
    return await resultOf(`${page}?wallet=${encodeURIComponent(walletOrigin)}`);
  } finally {
    await wallet.close();
  }
}

/** Serves on a free port, which `use` gets, until it has resolved. */
export async function withServer(answer, use) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(server.address().port);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The text of a page's `#result`, once it begins with ready or failed. */
export async function resultOf(url) {
  const executablePath = await chromiumPath();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: CHROMIUM_FLAGS,
  });
  try {
    const page = await browser.newPage();
    const said = [];
    page.on('pageerror', ({ message }) => said.push(message));
    await page.goto(url);
    const result = page.locator('#result');
    await result
      .filter({ hasText: /^(ready|failed)/ })
      .waitFor({ timeout: 90_000 })
      .catch((error) => fail(`${url} says nothing. ${said.join('; ')}\n${error.message}`));
    return await result.textContent();
  } finally {
    await browser.close();
  }
}

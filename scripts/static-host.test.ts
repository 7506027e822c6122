// What docs/guides/asset-url-resolution.mdx says of Cloudflare Pages, in wrangler's own server.
// Specification: demo 7
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { staticHeaders } from '../server/src/wallet-origin/static.js';

const WRANGLER = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin/wrangler.js',
);
/** A date that the installed Workers runtime knows. */
const DATE = '2026-04-01';

let folder: string | undefined;
let server: ChildProcess | undefined;
afterEach(async () => {
  if (server && server.exitCode === null) {
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill();
    await ended;
  }
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Serves a site of Pages, and resolves with its address and what the server said. */
async function served(
  files: Readonly<Record<string, string>>,
): Promise<{ origin: string; said: () => string }> {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-pages-'));
  folder = root;
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'site', name)), { recursive: true });
    await writeFile(join(root, 'site', name), text);
  }
  const args = ['pages', 'dev', 'site', '--ip', '127.0.0.1', '--port', '0', '--compatibility-date', DATE];
  const env = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', XDG_CONFIG_HOME: root };
  const child = spawn(process.execPath, [WRANGLER, ...args], { cwd: root, env });
  server = child;
  let said = '';
  const origin = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const [, found] = /Ready on (http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? [];
      if (found) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new Error(said)));
  });
  return { origin, said: () => said };
}

const SITE = { 'index.html': '<title>app</title>', 'sdk/button.js': 'export {}' };

it('Cloudflare Pages answers a missing file of the SDK with 404, and other paths with the app', async () => {
  const { origin } = await served({ ...SITE, 'sdk/404.html': '<title>none</title>' });
  const answers: [path: string, status: number, text: string][] = [];
  for (const path of ['/', '/multitx', '/sdk/button.js', '/sdk/missing.js', '/sdk/deep/missing.js']) {
    const answer = await fetch(origin + path);
    answers.push([path, answer.status, await answer.text()]);
  }
  expect(answers).toEqual([
    ['/', 200, '<title>app</title>'],
    ['/multitx', 200, '<title>app</title>'],
    ['/sdk/button.js', 200, 'export {}'],
    ['/sdk/missing.js', 404, '<title>none</title>'],
    ['/sdk/deep/missing.js', 404, '<title>none</title>'],
  ]);
}, 60_000);

it('Cloudflare Pages drops the rules of a _redirects file that would say the same', async () => {
  const rules = '/sdk/*  /sdk/:splat  404\n/*  /index.html  200\n';
  const { origin, said } = await served({ ...SITE, _redirects: rules });
  expect((await fetch(`${origin}/sdk/missing.js`)).status).toBe(200);
  expect(said()).toContain('Infinite loop detected');
  expect(said()).toContain('Got 404');
}, 60_000);

it('Cloudflare Pages serves no page of a wallet that any page may frame, however its path is written', async () => {
  const config = {
    relayer: { url: 'https://relay.example' },
    contractId: 'registry.you.testnet',
    allowedHosts: ['https://app.example'],
  };
  const page = '<title>wallet</title>';
  const folders = ['service', 'connect', 'sign'];
  const { origin } = await served({
    'index.html': page,
    ...Object.fromEntries(folders.map((name) => [`${name}/index.html`, page])),
    _headers: staticHeaders({ config }),
  });
  const written = ['/%69ndex.html', '/%73ervice/', '//service/', '/%63onnect/', '/s%69gn/'];
  const open: string[] = [];
  for (const path of ['/', ...folders.map((name) => `/${name}/`), ...written]) {
    const { headers, ...answer } = await fetch(origin + path).then(async (found) => ({
      headers: found.headers,
      isPage: (await found.text()) === page,
    }));
    const isGuarded =
      headers.get('content-security-policy')?.includes('frame-ancestors') ||
      headers.get('x-frame-options') === 'DENY';
    if (answer.isPage && !isGuarded) open.push(path);
  }
  expect(open).toEqual([]);
}, 60_000);

/** A frame to which a real browser refuses storage: Chromium with third-party storage blocked and not partitioned. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../scripts/chromium.mjs';

const ENTRY = `
  import { WalletStore } from './store.ts';
  import { withMutex } from './mutex.ts';
  const told = [];
  const store = new WalletStore(undefined, 'http://app.localhost', () => told.push('refused'));
  window.found = (async () => {
    const locks = await navigator.locks.request('x', () => 'none').catch((error) => error.name);
    await store.setLastUser({ accountId: 'alice.testnet', deviceNumber: 1 });
    const [last, held] = [await store.lastUser(), await withMutex('x', {}, async (held) => held.name)];
    return { locks, told, last, held, isInMemory: store.isInMemory };
  })();
`;

let server: Server;
let browser: Browser;
let port: number;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  server = createServer(({ url }, response) => {
    const isScript = url === '/script.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    const frame = `<iframe src="http://wallet.localhost:${port}/frame"></iframe>`;
    response.end(
      isScript ? script : url === '/' ? frame : '<script type="module" src="/script.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
  const executablePath: string | undefined = await chromiumPath();
  // Keeps Playwright's own features: they leave third-party storage blocked and not partitioned.
  browser = await chromium.launch({
    args: ['--no-sandbox', '--disable-gpu'],
    ...(executablePath && { executablePath }),
  });
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

describe('a frame to which the browser refuses storage (frame 6)', () => {
  it('continues in memory with mutexes of its own, and reports it', async () => {
    const page = await browser.newPage();
    await page.goto(`http://app.localhost:${port}/`);
    const frame = page.frames().find((each) => each.url().endsWith('/frame'));
    await frame?.waitForFunction(() => 'found' in globalThis);
    expect(await frame?.evaluate('found')).toEqual({
      locks: 'SecurityError',
      told: ['refused'],
      last: { accountId: 'alice.testnet', deviceNumber: 1 },
      held: 'x',
      isInMemory: true,
    });
  });

  it('uses the disk at top level', async () => {
    const page = await browser.newPage();
    await page.goto(`http://wallet.localhost:${port}/frame`);
    await page.waitForFunction(() => 'found' in globalThis);
    expect(await page.evaluate('found')).toMatchObject({ locks: 'none', told: [], isInMemory: false });
  });
});

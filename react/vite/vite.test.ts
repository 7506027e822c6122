import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { latchkeyButton, latchkeyWallet, walletFolder } from 'latchkey-react/vite';
import { build, createLogger, createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const config = {
  relayer: { url: 'https://relay.example' },
  // Nothing listens here, so the registry's list cannot be read.
  rpcUrl: 'http://127.0.0.1:9',
  allowedHosts: ['https://app.example'],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-vite-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("Vite's server with the plugin (frame 2)", () => {
  let server: ViteDevServer;
  let address: string;
  const warnings: string[] = [];
  beforeAll(async () => {
    const logger = { ...createLogger('silent'), warn: (message: string) => void warnings.push(message) };
    server = await createServer({
      configFile: false,
      root: folder,
      customLogger: logger,
      plugins: [latchkeyWallet({ config })],
      server: { port: 0, host: '127.0.0.1' },
    });
    await server.listen();
    address = `http://127.0.0.1:${(server.httpServer!.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('serves the page with its configuration and headers', async () => {
    const answer = await fetch(
      `${address}/wallet-service/?host=${encodeURIComponent('https://app.example')}`,
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toContain('frame-ancestors https://app.example;');
    const html = await answer.text();
    expect(html).toContain('"allowedHosts":["https://app.example"]');
    // Without Vite's client: that is an inline script, which the policy forbids.
    expect(html).not.toContain('/@vite/client');
    expect(await (await fetch(address)).text()).toBe(html);
  });

  it('serves the files with their types, and 404 for a missing one', async () => {
    const files = await readdir(join(walletFolder, 'sdk'));
    for (const [end, type] of [
      ['.js', 'text/javascript; charset=utf-8'],
      ['.wasm', 'application/wasm'],
    ] as const) {
      const answer = await fetch(`${address}/sdk/${files.find((name) => name.endsWith(end))}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    }
    const missing = await fetch(`${address}/sdk/missing.js`, { headers: { accept: 'text/html' } });
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
  });

  it('logs which page may not embed the wallet, and where to allow it', async () => {
    warnings.length = 0;
    const answer = await fetch(`${address}/service/?host=${encodeURIComponent('https://other.example/x')}`);
    expect(answer.status).toBe(403);
    expect(warnings.join()).toContain('"https://other.example/x" may not embed this wallet');
    expect(warnings.join()).toContain('allowedHosts');
  });

  it('logs a host that Vite itself blocks differently', async () => {
    warnings.length = 0;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: 'my-wallet.example' };
      const asked = request(`${address}/service/`, { headers }, (answer) =>
        resolve(answer.resume().statusCode),
      );
      asked.on('error', reject).end();
    });
    expect(status).toBe(403);
    await expect
      .poll(() => warnings.join())
      .toContain('"my-wallet.example": the name by which this server was called');
    expect(warnings.join()).toContain('server.allowedHosts');
  });
});

describe("Vite's build with the plugin (frame 2)", () => {
  it('writes the wallet origin as files for a project without its own page', async () => {
    const outDir = join(folder, 'out');
    await build({
      configFile: false,
      root: folder,
      logLevel: 'error',
      build: { outDir },
      plugins: [latchkeyWallet({ config, relatedOrigins: ['https://wallet.example'] })],
    });
    expect((await readdir(outDir)).sort()).toEqual(
      [
        '.well-known',
        '404.html',
        '_headers',
        'check',
        'connect',
        'index.html',
        'near-connect.js',
        'sdk',
        'service',
        'sign',
        'wallet-service',
      ].sort(),
    );
    expect(await readFile(join(outDir, '_headers'), 'utf8')).toContain('frame-ancestors https://app.example');
    expect(await readdir(join(outDir, 'sdk'))).toEqual(await readdir(join(walletFolder, 'sdk')));
  });
});

describe("Vite with the button's plugin (button 7)", () => {
  const names = ['iframe-tx-button-bootstrap.js', 'w3a-button-with-tooltip.js'];
  const script = (name: string) => readFile(join(walletFolder, 'sdk', name), 'utf8');
  let host: string;
  beforeAll(async () => {
    host = await mkdtemp(join(folder, 'host-'));
    await writeFile(join(host, 'index.html'), '<!doctype html><title>Host</title>');
  });

  it("serves a host the two scripts of the button's frame, asked for again before each use", async () => {
    const server = await createServer({
      configFile: false,
      root: host,
      logLevel: 'silent',
      plugins: [latchkeyButton()],
      server: { port: 0, host: '127.0.0.1' },
    });
    await server.listen();
    try {
      const address = `http://127.0.0.1:${(server.httpServer!.address() as AddressInfo).port}`;
      for (const name of names) {
        const answer = await fetch(`${address}/sdk/${name}`);
        expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
        expect(answer.headers.get('cache-control')).toBe('no-cache');
        expect(await answer.text()).toBe(await script(name));
      }
    } finally {
      await server.close();
    }
  });

  it('writes them into the build of a host, under its path', async () => {
    const outDir = join(host, 'out');
    await build({
      configFile: false,
      root: host,
      logLevel: 'error',
      build: { outDir },
      plugins: [latchkeyButton({ sdkBasePath: '/assets/sdk/' })],
    });
    expect((await readdir(join(outDir, 'assets/sdk'))).sort()).toEqual(names);
    for (const name of names)
      expect(await readFile(join(outDir, 'assets/sdk', name), 'utf8')).toBe(await script(name));
  });
});

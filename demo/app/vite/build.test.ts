import { fileURLToPath } from 'node:url';
import { build, createServer, type ViteDevServer } from 'vite';
import { afterEach, describe, expect, it, vi } from 'vitest';

const APP = fileURLToPath(new URL('..', import.meta.url));
const NAMES = [
  'VITE_NEAR_RPC_URL',
  'VITE_RELAY_URL',
  'VITE_CONTRACT_ID',
  'VITE_EXPLORER_URL',
  'VITE_WALLET_ORIGIN',
];

let server: ViteDevServer | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
});

/** Starts the development server; the returned function asks for a path as a browser does for a page. */
async function started(): Promise<(path: string) => Promise<Response>> {
  server = await createServer({
    root: APP,
    logLevel: 'silent',
    server: { port: 0, strictPort: false, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  await server.listen();
  const [origin] = server.resolvedUrls?.local ?? [];
  return (path) => fetch(new URL(path, origin), { headers: { accept: 'text/html,*/*' } });
}

describe('a production build of the demo (demo 3)', () => {
  const built = () => build({ root: APP, mode: 'production', logLevel: 'silent', build: { write: false } });

  it('fails without its variables, and names them', async () => {
    for (const name of NAMES) vi.stubEnv(name, undefined);
    await expect(built()).rejects.toThrow(`set ${NAMES.join(', ')}.`);
  });

  it('takes an empty wallet origin for none, and no other empty variable', async () => {
    for (const name of NAMES) vi.stubEnv(name, '');
    await expect(built()).rejects.toThrow(`set ${NAMES.slice(0, 4).join(', ')}.`);
  });
});

describe("the demo's server (demo 2, demo 3, demo 7)", () => {
  it('serves the scripts of the button where its variable says', async () => {
    vi.stubEnv('VITE_SDK_BASE_PATH', '/assets/sdk/');
    const serve = await started();
    const get = (name: string) => serve(`/assets/sdk/${name}`);
    const script = await get('w3a-button-with-tooltip.js');
    expect(script.headers.get('content-type')).toContain('javascript');
    const missing = await get('w3a-missing.js');
    expect(missing.status).toBe(404);
    expect(await missing.text()).not.toContain('<');
  });

  it('answers its routes with the page, and never a missing file of the SDK', async () => {
    const get = await started();
    for (const path of ['/', '/multitx', '/docs', '/docs/api/react-components']) {
      const page = await get(path);
      expect([path, page.status, await page.text()]).toEqual([
        path,
        200,
        expect.stringContaining('<div id="app">'),
      ]);
    }
    const list = await (await get('/@id/__x00__virtual:docs')).text();
    const [, address = ''] = /import\("([^"]*docs\/index[^"]*)"\)/.exec(list) ?? [];
    const overview = await get(address);
    expect(overview.headers.get('content-type')).toContain('javascript');
    expect(await overview.text()).toContain('"heading":"Latchkey"');
    expect(await (await get('/llms.txt')).text()).toMatch(/^# Latchkey/);
    expect(await (await get('/docs/index.md')).text()).toMatch(/^# Latchkey/);

    const missing = await get('/sdk/w3a-missing.js');
    expect(missing.status).toBe(404);
    expect(await missing.text()).not.toContain('<');
  });
});

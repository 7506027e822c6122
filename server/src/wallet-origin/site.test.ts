import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listingChain } from '../../../ts/src/frame/testing/listing-chain.js';
import type { WalletPageData } from '../../../ts/src/frame/wallet/page-config.js';
import { createLog } from '../observe/log.js';
import { walletAssets } from './assets.js';
import type { CrossOriginPreset } from './headers.js';
import { type WalletSiteOptions, walletSite } from './site.js';

const HTML =
  '<!doctype html><html><head><script type="application/json" id="latchkey-config"></script>' +
  '<script type="module" src="/sdk/main-ABC.js"></script></head></html>';

const FILES: Readonly<Record<string, string>> = {
  'index.html': HTML,
  'near-connect.js': 'run()',
  'sdk/main-ABC.js': 'export {}',
  'sdk/signer-ABC.wasm': '\0asm',
  'sdk/wallet.css': '',
  'sdk/w3a-button-with-tooltip.js': 'void 0',
  'sdk/iframe-tx-button-bootstrap.js': 'void 0',
  'secret.txt': 'none of yours',
};

const CONFIG: WalletPageData = {
  relayer: { url: 'https://relay.example/base' },
  rpcUrl: ['https://node.example/key', 'http://127.0.0.1:3030'],
  allowedHosts: ['https://own.example'],
};

function site(options: Partial<WalletSiteOptions> = {}) {
  const chain = listingChain({ hosts: ['https://listed.example'], origins: ['https://related.example'] });
  const lines: string[] = [];
  const answer = walletSite({
    config: CONFIG,
    files: {
      read: async (path) => {
        const text = FILES[path];
        return text === undefined ? null : new TextEncoder().encode(text);
      },
    },
    ...(options.registryRpcUrl === undefined && { rpc: chain.rpc }),
    log: createLog((line) => lines.push(line)),
    ...options,
  });
  const get = (path: string, init?: RequestInit) =>
    answer(new Request(`https://wallet.example${path}`, init));
  return { chain, lines, get };
}

const pageFor = (host: string) => `/wallet-service/?host=${encodeURIComponent(host)}`;

/** The directives of the answer's content security policy. */
function policy({ headers }: Response): Record<string, string> {
  const text = headers.get('content-security-policy') ?? '';
  return Object.fromEntries(
    text.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values.join(' ')];
    }),
  );
}

describe('the options of a wallet site', () => {
  const siteOf = (option: object) =>
    walletSite({ config: { ...CONFIG, ...option }, files: { read: async () => null } });

  it.each([
    [
      { opener: ['https://shop.example'] },
      'the configuration has no option opener; its options are network, ',
    ],
    [{ iframeWallet: { walletOrigin: 'https://wallet.example' } }, 'has no option iframeWallet; '],
    [{ keyExport: { sameorigin: true } }, 'keyExport has no option sameorigin; its options are sameOrigin'],
  ])('that do not exist are refused by name: %o', (option, problem) => {
    expect(() => siteOf(option)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(problem) }),
    );
  });

  it('are those of a manager and of its page', () => {
    const ofPage = {
      openers: 'any',
      allowedHosts: [],
      trustedHosts: [],
      linkCodeHosts: [],
      configurableBy: [],
      brand: {},
    };
    expect(() => siteOf({ ...ofPage, enableSafariGetWebauthnRegistrationFallback: false })).not.toThrow();
  });
});

describe('the language of a wallet site (core 2)', () => {
  it('is one that the wallet has', () => {
    const files = { read: async () => null };
    const siteIn = (language: unknown) =>
      walletSite({ config: { ...CONFIG, language: language as 'de' }, files: files as never });
    for (const language of [undefined, 'en', 'de', 'auto']) expect(() => siteIn(language)).not.toThrow();
    expect(() => siteIn('fr')).toThrow("language is not 'en', 'de', 'ar' or 'auto': fr");
  });
});

describe('the options of the wallet’s own page (core 2)', () => {
  const siteOf = (config: object, read: (path: string) => Uint8Array | null = () => null) =>
    walletSite({
      config: { ...CONFIG, ...config },
      files: { read: async (path: string) => read(path) as Uint8Array<ArrayBuffer> | null },
    });
  const html = new TextEncoder().encode('<script type="application/json" id="latchkey-config"></script>');

  it('let that page alone ask the indexer of tokens that the operator names', async () => {
    const tokens = { contractIds: ['wrap.near'], indexerUrl: 'https://indexer.example/near?apiKey=k' };
    const answer = siteOf({ tokens }, () => html);
    const connectAt = async (path: string) =>
      policy(await answer(new Request(`https://wallet.example${path}`)))['connect-src'];
    expect(await connectAt('/')).toMatch(/ https:\/\/indexer\.example$/);
    for (const path of ['/wallet-service', '/check', '/sign'])
      expect(await connectAt(path), path).not.toContain('indexer');
  });

  it('serve the operator’s script from the wallet’s files, and no other file', async () => {
    const read = (path: string) => (path === 'hooks.js' ? new TextEncoder().encode('export {}') : null);
    const get = (path: string, config: object) =>
      siteOf(config, read)(new Request(`https://wallet.example${path}`));
    const script = await get('/hooks.js', { homeHooks: '/hooks.js' });
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect((await get('/hooks.js', {})).status).toBe(404);
    expect((await get('/other.js', { homeHooks: '/other.js' })).status).toBe(404);
  });

  it.each([
    [{ tokens: { contractIds: ['Not An Id'] } }, 'tokens.contractIds has what is no account id: Not An Id'],
    [{ tokens: { indexerUrl: 'ftp://x' } }, 'tokens.indexerUrl is not an http(s) URL'],
    [{ homeHooks: 'https://evil.example/hooks.js' }, 'homeHooks is not the path of a script'],
    [{ homeHooks: '//evil.example/hooks.js' }, 'homeHooks is not the path of a script'],
    [{ homeHooks: '/../hooks.js' }, 'homeHooks is not the path of a script'],
  ])('are refused where they are unusable: %o', (config, reason) => {
    expect(() => siteOf(config)).toThrow(reason);
  });
});

describe('a wallet site whose server reaches a node by another address than browsers do', () => {
  it('reads the list of hosts there, and its page keeps to the configured nodes', async () => {
    const asked: string[] = [];
    const node = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      const { method, params } = JSON.parse(body);
      asked.push(params.method_name ?? method);
      const result =
        method === 'block' ? BLOCK : { ...VIEW, result: [...Buffer.from('["https://listed.example"]')] };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: '1', result }));
    });
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void node.close());
    const { port } = node.address() as AddressInfo;
    const { get } = site({ registryRpcUrl: `http://127.0.0.1:${port}` });
    expect((await get(pageFor('https://listed.example'))).status).toBe(200);
    const foreign = await get(pageFor('https://evil.example'));
    expect(foreign.status).toBe(403);
    expect(policy(foreign)['connect-src']).not.toContain(String(port));
    expect(asked).toContain('get_allowed_hosts');
  });
});

const HASH = '11111111111111111111111111111111';
const BLOCK = { header: { height: 7, hash: HASH, timestamp_nanosec: '1' } };
const VIEW = { logs: [], block_height: 7, block_hash: HASH };

describe('the page of a wallet site (frame 2, frame 9, frame 10)', () => {
  it.each(['/wallet-service', '/wallet-service/', '/service', '/service/'])(
    'is served at %s',
    async (path) => {
      const answer = await site().get(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await answer.text()).toContain('<script type="module" src="/sdk/main-ABC.js">');
    },
  );

  it('has a policy without inline script or style, and connects only to its own nodes and relay [S20]', async () => {
    expect(policy(await site().get(pageFor('https://own.example')))).toEqual({
      'default-src': "'none'",
      'script-src': "'self' 'wasm-unsafe-eval'",
      'style-src': "'self'",
      'img-src': "'self' data: blob:",
      'connect-src': "'self' https://node.example http://127.0.0.1:3030 https://relay.example",
      'worker-src': "'self'",
      'frame-src': "'self'",
      'frame-ancestors': 'https://own.example',
      'base-uri': "'none'",
      'form-action': "'none'",
      'object-src': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'default latchkey-key-viewer',
    });
  });

  it('is for https alone, as every answer is, except on this machine [S60]', async () => {
    const { get } = site();
    for (const path of ['/', '/service/', '/sdk/main-ABC.js', '/nothing', '/.well-known/webauthn'])
      expect((await get(path)).headers.get('strict-transport-security')).toBe('max-age=31536000');
    const files = { read: async () => null };
    for (const origin of [
      'http://localhost:5174',
      'https://localhost',
      'https://wallet.localhost:5174',
      'https://machine.local:5174',
    ]) {
      const answer = await walletSite({ config: CONFIG, files })(new Request(`${origin}/nothing`));
      expect(answer.headers.get('strict-transport-security')).toBeNull();
    }
  });

  it('has the other security headers', async () => {
    const { headers } = await site().get('/service/');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    const permissions = headers.get('permissions-policy')?.split(', ') ?? [];
    expect(permissions).toEqual(
      expect.arrayContaining([
        'publickey-credentials-create=(self)',
        'publickey-credentials-get=(self)',
        'camera=(self)',
      ]),
    );
  });

  it.each<[CrossOriginPreset, string | null, string | null]>([
    ['isolated', 'same-origin', 'require-corp'],
    ['popup-friendly', 'same-origin-allow-popups', null],
    ['none', null, null],
  ])(
    'has the opener and embedder policies of the preset %s, and so have its files',
    async (crossOrigin, opener, embedder) => {
      const { get } = site({ crossOrigin });
      for (const path of ['/service/', '/sdk/main-ABC.js']) {
        const { headers } = await get(path);
        expect(headers.get('cross-origin-opener-policy')).toBe(opener);
        expect(headers.get('cross-origin-embedder-policy')).toBe(embedder);
      }
    },
  );

  it('may be framed only by the requested host, if that host is listed', async () => {
    const { get, chain } = site();
    const ancestors = async (path: string) => policy(await get(path))['frame-ancestors'];
    expect(await ancestors(pageFor('https://own.example'))).toBe('https://own.example');
    expect(await ancestors(pageFor('https://listed.example'))).toBe('https://listed.example');
    expect(await ancestors('/wallet-service/')).toBe("'none'");
    expect(chain.asked).toEqual(['get_allowed_hosts']);
  });

  it.each([
    'https://related.example',
    'https://evil.example',
    'https://own.example.evil.example',
    'https://own.example; script-src *',
    'https://own.example https://evil.example',
    '*',
    'null',
    '',
  ])('is refused to a host that is not listed: %s', async (host) => {
    const { get, lines } = site();
    const answer = await get(pageFor(host));
    expect(answer.status).toBe(403);
    expect(policy(answer)).toMatchObject({
      'frame-ancestors': "'none'",
      'script-src': "'self' 'wasm-unsafe-eval'",
    });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toContain('may not use this wallet');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ event: 'host_not_allowed', host }),
    );
  });

  it('may be framed by the configured hosts while the chain is down', async () => {
    const { get, chain } = site();
    chain.isDown = true;
    expect(policy(await get(pageFor('https://own.example')))['frame-ancestors']).toBe('https://own.example');
    const unknown = await get(pageFor('https://listed.example'));
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '5']);
    expect(policy(unknown)['frame-ancestors']).toBe("'none'");
  });

  it('may be framed by every port of localhost where the operator says so, and the policy names the one that asks', async () => {
    const { get } = site({ config: { ...CONFIG, allowedHosts: ['http://localhost:*'] } });
    expect(policy(await get(pageFor('http://localhost:4321')))['frame-ancestors']).toBe(
      'http://localhost:4321',
    );
    for (const other of ['http://127.0.0.1:4321', 'https://localhost:4321', 'http://localhost:*'])
      expect((await get(pageFor(other))).status, other).toBe(403);
    const mainnet = { network: 'mainnet', contractId: 'registry.near' } as const;
    expect(() =>
      site({ config: { relayer: CONFIG.relayer, allowedHosts: ['http://localhost:*'], ...mainnet } }),
    ).toThrow('for testnet alone');
  });

  it('contains its configuration as data that no value can break out of', async () => {
    const hostile = '</script><script>alert(1)</script><!--$&$`';
    const { get } = site({ config: { ...CONFIG, networkId: hostile } });
    const html = await (await get('/service/')).text();
    const [, block = ''] =
      /<script type="application\/json" id="latchkey-config">([^<]*)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(block)).toMatchObject({ networkId: hostile, allowedHosts: ['https://own.example'] });
    expect(html.match(/<script/g)).toHaveLength(2);
  });

  it("loads its files from the operator's path", async () => {
    const { get } = site({ sdkBasePath: '/w/sdk', servicePaths: ['/w'] });
    expect(await (await get('/w/')).text()).toContain('src="/w/sdk/main-ABC.js"');
    expect((await get('/w/sdk/main-ABC.js')).status).toBe(200);
    expect((await get('/sdk/main-ABC.js')).status).toBe(404);
    expect((await get('/service/')).status).toBe(404);
  });
});

describe('the files of a wallet site (frame 2, button 7)', () => {
  it.each([
    ['/sdk/main-ABC.js', 'text/javascript; charset=utf-8'],
    ['/sdk/signer-ABC.wasm', 'application/wasm'],
    ['/sdk/wallet.css', 'text/css; charset=utf-8'],
  ])('have their content type: %s', async (path, type) => {
    const answer = await site().get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    // A worker follows its own file's policy.
    expect(policy(answer)['connect-src']).toContain('https://relay.example');
  });

  it.each(['w3a-button-with-tooltip.js', 'iframe-tx-button-bootstrap.js'])(
    'are asked for again before each use where the name stays: %s',
    async (name) => {
      const { status, headers } = await site().get(`/sdk/${name}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(headers.get('cache-control')).toBe('no-cache');
    },
  );

  it.each([
    '/sdk/missing.js',
    '/sdk/',
    '/sdk/../secret.txt',
    '/sdk/%2e%2e/secret.txt',
    '/sdk/..%2fsecret.txt',
    '/sdk/.hidden',
    '/sdk//main-ABC.js',
    '/index.html',
    '/secret.txt',
    '/wallet-service/main.js',
  ])('answer 404 for a path without a file: %s', async (path) => {
    const answer = await site().get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
  });

  it('are read-only', async () => {
    const { get } = site();
    expect((await get('/sdk/main-ABC.js', { method: 'HEAD' })).status).toBe(200);
    const answer = await get('/service/', { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the own page of a wallet site', () => {
  it('is served at the root, where no page may frame it, whatever host the address names [S24]', async () => {
    for (const path of ['/', '/?host=https%3A%2F%2Fown.example']) {
      const answer = await site().get(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(policy(answer)['frame-ancestors']).toBe("'none'");
      expect(policy(answer)['require-trusted-types-for']).toBe("'script'");
      expect(await answer.text()).toContain('<script type="module" src="/sdk/main-ABC.js">');
    }
  });

  it('cuts off the page that opened it as a window, which the page in a frame does not', async () => {
    const opener = async (path: string) => (await site().get(path)).headers.get('cross-origin-opener-policy');
    expect(await opener('/')).toBe('same-origin');
    expect(await opener('/wallet-service/')).toBeNull();
  });
});

describe('the page of a wallet site on which users try their own authenticators', () => {
  it.each(['/check', '/check/'])(
    'is served at %s; no page frames it or keeps a handle on it',
    async (path) => {
      const answer = await site().get(path);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('<script type="module" src="/sdk/main-ABC.js">');
      expect(policy(answer)['frame-ancestors']).toBe("'none'");
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    },
  );
});

describe('what other pages open and fetch of a wallet site', () => {
  it.each(['/connect', '/connect/', '/sign'])(
    'is the wallet page, which keeps its opener and no page may frame: %s',
    async (path) => {
      const answer = await site({ crossOrigin: 'isolated' }).get(path);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('"allowedHosts":["https://own.example"]');
      expect(policy(answer)['frame-ancestors']).toBe("'none'");
      expect(answer.headers.get('cross-origin-opener-policy')).toBeNull();
    },
  );

  it("is the connector's manifest, which names the wallet's own addresses and network", async () => {
    const answer = await site({ origin: 'https://wallet.example' }).get('/near-connect.json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const { wallets } = await answer.json();
    expect(wallets).toEqual([
      expect.objectContaining({
        id: 'latchkey-wallet.example',
        type: 'sandbox',
        executor: 'https://wallet.example/near-connect.js',
        permissions: {
          storage: true,
          allowsOpen: ['https://wallet.example/connect', 'https://wallet.example/sign'],
        },
        features: expect.objectContaining({ testnet: true, mainnet: false, signDelegateActions: true }),
      }),
    ]);
  });
});

describe("the connector's executor", () => {
  it('begins with the wallet that it opens, which older connectors do not tell it', async () => {
    const textOf = async (options: Partial<WalletSiteOptions>) =>
      (await site(options).get('/near-connect.js')).text();
    expect(await textOf({})).toBe(
      'globalThis.latchkeyWallet={"walletOrigin":"https://wallet.example","networkId":"testnet"};\nrun()',
    );
    expect(await textOf({ origin: 'https://public.example' })).toContain('"https://public.example"');
  });
});

describe('the assets of a Worker', () => {
  const read = (status: number) => {
    const asked: string[] = [];
    const files = walletAssets({
      fetch: async (url) => {
        asked.push(new URL(url).pathname);
        return new Response('export {}', { status });
      },
    });
    return { asked, content: files.read('sdk/main-ABC.js') };
  };

  it('are read by their path', async () => {
    const { asked, content } = read(200);
    expect(new TextDecoder().decode((await content) ?? undefined)).toBe('export {}');
    expect(asked).toEqual(['/sdk/main-ABC.js']);
  });

  it('are null if missing, and any other status is an error', async () => {
    expect(await read(404).content).toBeNull();
    await expect(read(503).content).rejects.toThrow('sdk/main-ABC.js was answered with 503');
    await expect(read(206).content).rejects.toThrow('206');
  });
});

describe('/.well-known/webauthn of a wallet site (frame 7, frame 9)', () => {
  it('lists the allowed origins but no hosts, as the relay does', async () => {
    const answer = await site().get('/.well-known/webauthn');
    expect(await answer.json()).toEqual({ origins: ['https://related.example'] });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('max-age=60, stale-while-revalidate=600');
  });

  it('sends Retry-After while the chain was never reached', async () => {
    const { get, chain } = site();
    chain.isDown = true;
    const answer = await get('/.well-known/webauthn');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });
});

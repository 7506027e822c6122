import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WalletPageData } from '../../../ts/src/frame/wallet/page-config.js';
import { writeWalletSite } from './node.js';
import { staticHeaders } from './static.js';

const CONFIG: WalletPageData = { relayer: { url: 'https://relay.example' }, rpcUrl: 'https://node.example' };
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `https://h${index}.example`);

/** The rules of a `_headers` text: each path's headers. */
function rules(text: string): Record<string, Record<string, string>> {
  return Object.fromEntries(
    text
      .trim()
      .split('\n\n')
      .map((rule) => {
        const [path = '', ...lines] = rule.split('\n');
        return [
          path,
          Object.fromEntries(
            lines.map((line) =>
              line
                .trim()
                .split(/: (.*)/)
                .slice(0, 2),
            ),
          ),
        ];
      }),
  );
}

describe('staticHeaders (frame 9, frame 10, button 7)', () => {
  it('lets the configured hosts frame the page, and no origin the files', () => {
    const written = rules(staticHeaders({ config: { ...CONFIG, allowedHosts: ['https://A.example'] } }));
    expect(Object.keys(written)).toEqual([
      '/*',
      '/',
      '/index.html',
      '/wallet-service/*',
      '/service/*',
      '/sdk/*',
      '/sdk/iframe-tx-button-bootstrap.js',
      '/sdk/w3a-button-with-tooltip.js',
      '/connect/*',
      '/sign/*',
      '/check/*',
      '/near-connect.js',
      '/near-connect.json',
      '/.well-known/webauthn',
    ]);
    // One rule for all paths: such hosts join the values of every rule that matches.
    expect(written['/*']).toEqual({
      'strict-transport-security': 'max-age=31536000',
      'x-frame-options': 'DENY',
    });
    expect(written['/service/*']?.['content-security-policy']).toContain(
      'frame-ancestors https://a.example;',
    );
    expect(written['/sdk/*']?.['content-security-policy']).toContain("frame-ancestors 'none';");
    expect(written['/sdk/*']?.['cache-control']).toContain('immutable');
    // Their names stay while their content changes.
    expect(written['/sdk/w3a-button-with-tooltip.js']).toEqual({ 'cache-control': 'no-cache' });
    expect(written['/sdk/iframe-tx-button-bootstrap.js']).toEqual({ 'cache-control': 'no-cache' });
    expect(written['/.well-known/webauthn']?.['content-type']).toBe('application/json');
  });

  it('lets no origin frame the own page, unless the host has a page there itself', () => {
    const config = { ...CONFIG, allowedHosts: 'any' } as const;
    for (const path of ['/', '/index.html', '/check/*']) {
      const headers = rules(staticHeaders({ config }))[path];
      expect(headers?.['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers?.['cross-origin-opener-policy']).toBe('same-origin');
    }
    expect(rules(staticHeaders({ config, hasHome: false }))['/']).toBeUndefined();
  });

  it('lets every port of localhost frame a wallet of testnet alone', () => {
    const config = { ...CONFIG, allowedHosts: ['http://localhost:*', 'https://a.example'] };
    expect(rules(staticHeaders({ config }))['/service/*']?.['content-security-policy']).toContain(
      'frame-ancestors http://localhost:* https://a.example',
    );
    expect(() =>
      staticHeaders({ config: { ...config, network: 'mainnet', contractId: 'registry.near' } }),
    ).toThrow('for testnet alone');
  });

  it('lets no origin frame a wallet without hosts, and every origin one with allowedHosts any', () => {
    expect(rules(staticHeaders({ config: CONFIG }))['/service/*']?.['content-security-policy']).toContain(
      "frame-ancestors 'none'",
    );
    expect(
      rules(staticHeaders({ config: { ...CONFIG, allowedHosts: 'any' } }))['/service/*']?.[
        'content-security-policy'
      ],
    ).toContain('frame-ancestors https: http://localhost:*');
  });

  it('accepts at most 50 hosts, and no line that a static host would ignore', () => {
    expect(staticHeaders({ config: { ...CONFIG, allowedHosts: numbered(50) } })).toContain(
      'https://h49.example',
    );
    expect(() => staticHeaders({ config: { ...CONFIG, allowedHosts: numbered(51) } })).toThrow('51 hosts');
    const long = numbered(50).map((origin) => origin.replace('//', `//${'a'.repeat(40)}.`));
    expect(() => staticHeaders({ config: { ...CONFIG, allowedHosts: long } })).toThrow('2000 characters');
  });
});

describe('writeWalletSite (frame 2)', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-site-'));
    await mkdir(join(folder, 'built/sdk'), { recursive: true });
    await writeFile(
      join(folder, 'built/index.html'),
      '<script type="application/json" id="latchkey-config"></script><script src="/sdk/main.js"></script>',
    );
    await writeFile(join(folder, 'built/sdk/main.js'), 'export {}');
    await writeFile(join(folder, 'built/near-connect.js'), 'export {}');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([
    [{ opener: ['https://shop.example'] }, 'the configuration has no option opener'],
    [{ language: 'fr' as 'de' }, "language is not 'en', 'de', 'ar' or 'auto': fr"],
  ])('refuses the configuration %o and writes nothing', async (option, reason) => {
    const out = join(folder, 'out');
    const config = { ...CONFIG, allowedHosts: ['https://a.example'], ...option };
    await expect(writeWalletSite(out, { config, walletFolder: join(folder, 'built') })).rejects.toThrow(
      reason,
    );
    await expect(stat(out)).rejects.toThrow('ENOENT');
  });

  it('writes page, files, headers, manifest and a 404 page', async () => {
    const out = join(folder, 'out');
    await writeWalletSite(out, {
      config: { ...CONFIG, allowedHosts: ['https://a.example'] },
      walletFolder: join(folder, 'built'),
      relatedOrigins: ['https://wallet.example'],
      origin: 'https://wallet.example',
    });
    const read = (path: string) => readFile(join(out, path), 'utf8');
    expect(await read('service/index.html')).toContain('"allowedHosts":["https://a.example"]');
    expect(await read('wallet-service/index.html')).toBe(await read('service/index.html'));
    expect(await read('index.html')).toBe(await read('service/index.html'));
    expect(await read('connect/index.html')).toBe(await read('service/index.html'));
    expect(await read('sign/index.html')).toBe(await read('service/index.html'));
    expect(await read('check/index.html')).toBe(await read('service/index.html'));
    expect(await read('near-connect.js')).toBe(
      'globalThis.latchkeyWallet={"walletOrigin":"https://wallet.example","networkId":"testnet"};\nexport {}',
    );
    expect(JSON.parse(await read('near-connect.json')).wallets[0].executor).toBe(
      'https://wallet.example/near-connect.js',
    );
    expect(await read('sdk/main.js')).toBe('export {}');
    expect(await read('_headers')).toContain('frame-ancestors https://a.example');
    expect(JSON.parse(await read('.well-known/webauthn'))).toEqual({ origins: ['https://wallet.example'] });
    expect(await read('404.html')).toContain('nothing at this address');
  });
});

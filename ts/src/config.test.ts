import { createDiffieHellmanGroup } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import {
  DEFAULT_CONFIRMATION,
  type LogLevel,
  type PasskeyManagerConfig,
  type ResolvedConfig,
  RFC3526_GROUP_14_P,
  resolveConfig,
} from './config.js';
import type { ConfirmationWish } from './types.js';

const relayer = { url: 'http://localhost:3000/' };

describe('agreement of two nodes (core 5)', () => {
  const relayer = { url: 'https://relay.example' };

  it('is the default with two providers, and needs two nodes with different origins [S43]', () => {
    const agreementOf = (rpcUrl: string) => resolveConfig({ relayer, rpcUrl }).rpcAgreement;
    const rpcUrl = 'https://a.example/1, https://b.example/2';
    expect(agreementOf(rpcUrl)).toBe(2);
    expect(resolveConfig({ relayer, rpcUrl, rpcAgreement: 1 }).rpcAgreement).toBe(1);
    expect(agreementOf('https://a.example/1, https://a.example/2')).toBe(1);
    // The nodes of this machine are one provider.
    expect(agreementOf('http://127.0.0.1:3030, http://localhost:3031')).toBe(1);
    expect(agreementOf('http://127.0.0.1:3030, https://a.example')).toBe(2);
    for (const one of ['https://a.example', 'https://a.example/1 https://a.example/2']) {
      expect(() => resolveConfig({ relayer, rpcUrl: one, rpcAgreement: 2 })).toThrow(
        'Invalid configuration: rpcAgreement: 2 needs as many nodes of different providers, ' +
          'and rpcUrl names only one node',
      );
    }
  });

  it('accepts one node or two', () => {
    expect(() => resolveConfig({ relayer, rpcAgreement: 3 as 2 })).toThrow(/rpcAgreement must be 1 or 2/);
  });
});

/** What a network sets. */
function networkPart({ rpcUrls, networkId, contractId, explorerUrl }: ResolvedConfig) {
  return { rpcUrls, networkId, contractId, explorerUrl };
}

describe('configuration (core 3, core 5, core 9)', () => {
  it('fills in every default', () => {
    const config = resolveConfig({ relayer });
    expect(config).toMatchObject({
      rpcUrls: [
        'https://test.rpc.fastnear.com',
        'https://near-testnet.drpc.org',
        'https://testnet-rpc.intea.rs',
      ],
      rpcAgreement: 2,
      networkId: 'testnet',
      contractId: 'w3a-v1.testnet',
      explorerUrl: 'https://testnet.nearblocks.io',
      relayer: { url: 'http://localhost:3000', accountId: 'w3a-v1.testnet' },
      shamir3pass: {
        relayServerUrl: 'http://localhost:3000',
        applyServerLockRoute: '/vrf/apply-server-lock',
        removeServerLockRoute: '/vrf/remove-server-lock',
      },
      authenticatorOptions: { userVerification: 'preferred', originPolicy: { all_subdomains: true } },
      confirmationConfig: { uiMode: 'modal', behavior: 'autoProceed', autoProceedDelayMs: 0, theme: 'dark' },
      deviceLinking: { tempKeyDeleteDelayMs: 90_000 },
    });
  });

  it('takes providers, explorer and networkId from the network, and no registry on mainnet', () => {
    const config = resolveConfig({ relayer, network: 'mainnet', contractId: 'registry.tg' });
    expect(config).toMatchObject({
      rpcUrls: ['https://free.rpc.fastnear.com', 'https://near.drpc.org', 'https://rpc.intea.rs'],
      rpcAgreement: 2,
      networkId: 'mainnet',
      contractId: 'registry.tg',
      explorerUrl: 'https://nearblocks.io',
      relayer: { accountId: 'registry.tg' },
    });
    expect(resolveConfig({ relayer, networkId: 'mainnet', contractId: 'registry.tg' })).toMatchObject(
      networkPart(config),
    );
    expect(resolveConfig({ relayer, network: 'testnet' })).toMatchObject(
      networkPart(resolveConfig({ relayer })),
    );
    for (const given of [{ network: 'mainnet' }, { networkId: 'mainnet' }] as const) {
      expect(() => resolveConfig({ relayer, ...given })).toThrow(
        /contractId is missing: mainnet has no default/,
      );
    }
  });

  it('keeps what is given next to a network, and refuses two networks and an unknown one', () => {
    const own = { rpcUrl: 'http://a.example', explorerUrl: 'http://e.example', contractId: 'registry.tg' };
    expect(resolveConfig({ relayer, network: 'mainnet', ...own })).toMatchObject({
      rpcUrls: ['http://a.example'],
      explorerUrl: 'http://e.example',
    });
    expect(resolveConfig({ relayer, networkId: 'localnet', ...own }).networkId).toBe('localnet');
    expect(() => resolveConfig({ relayer, network: 'testnet', networkId: 'mainnet', ...own })).toThrow(
      'network is testnet, and networkId is mainnet: give one of them',
    );
    expect(() => resolveConfig({ relayer, network: 'betanet' as 'testnet' })).toThrow(
      "network must be 'mainnet' or 'testnet'",
    );
  });

  it.each([-1, Number.NaN])(
    "refuses %s as the delay of the temporary key's deletion",
    (tempKeyDeleteDelayMs) => {
      expect(() => resolveConfig({ relayer, deviceLinking: { tempKeyDeleteDelayMs } })).toThrow(
        'deviceLinking.tempKeyDeleteDelayMs is not a time of 0 or more milliseconds',
      );
    },
  );

  it('accepts several RPC addresses, as a list or in one string', () => {
    const urls = ['http://a.example', 'http://b.example'];
    expect(resolveConfig({ relayer, rpcUrl: urls }).rpcUrls).toEqual(urls);
    expect(resolveConfig({ relayer, rpcUrl: 'http://a.example, http://b.example' }).rpcUrls).toEqual(urls);
  });

  it('names the missing relay', () => {
    expect(() => resolveConfig({ relayer: { url: ' ' } })).toThrow(
      '[configPresets] Missing relayer config: relayer.url',
    );
  });

  it.each([
    [undefined],
    [{}],
    [{ relayer: 'http://localhost:3000' }],
    [{ relayer: { url: new URL('http://localhost') } }],
  ])('names the missing relay of %o', (config) => {
    expect(() => resolveConfig(config as unknown as PasskeyManagerConfig)).toThrow(
      expect.objectContaining({ code: 'MISSING_RELAYER_URL' }),
    );
  });

  it('refuses an empty list of RPC addresses', () => {
    expect(() => resolveConfig({ relayer, rpcUrl: [] })).toThrow('NEAR RPC URL cannot be empty');
    expect(() => resolveConfig({ relayer, rpcUrl: ' ' })).toThrow('NEAR RPC URL cannot be empty');
  });

  it.each([
    ['http://user:secret@relay.example', 'relayer.url has a user or a password, which no browser sends'],
    ['http://relay.example/?key=1', 'relayer.url has a query or a fragment, and paths follow it'],
    ['http://relay.example/#a', 'relayer.url has a query or a fragment, and paths follow it'],
  ])('refuses the relay at %s', (url, problem) => {
    expect(() => resolveConfig({ relayer: { url } })).toThrow(problem);
  });

  it.each([
    ['https://user:secret@relay.example/api?key=secret#secret', 'https://relay.example/api'],
    ['https://user:secret@relay.example/api?mail=a@b', 'https://relay.example/api'],
    ['ftp://user:secret@relay.example/api?key=secret', 'ftp://relay.example/api'],
    ['https://user:secret@relay.example:port/api', 'https://relay.example:port/api'],
    ['https://user:sec/ret?@relay.example/api', 'https://relay.example/api'],
    ['user:secret@relay.example', 'relay.example'],
  ])('refuses %s, and shows only where it is', (url, shown) => {
    const refusals = [
      () => resolveConfig({ relayer: { url } }),
      () => resolveConfig({ relayer, explorerUrl: url }),
      () => resolveConfig({ relayer, shamir3pass: { relayServerUrl: url } }),
    ];
    for (const refusal of refusals) {
      expect(refusal).toThrow(`: ${shown}`);
      expect(refusal).not.toThrow(/user:|sec|ret\?|key=|mail=/);
    }
  });

  it('takes an RPC address with a query, and refuses one with a password without repeating it', () => {
    expect(resolveConfig({ relayer, rpcUrl: 'http://a.example/?key=1' }).rpcUrls).toHaveLength(1);
    const refusal = expect.objectContaining({ message: expect.not.stringContaining('secret') });
    expect(() => resolveConfig({ relayer, rpcUrl: 'http://user:secret@a.example' })).toThrow(refusal);
  });

  it.each(['', 'com', 'https://app.example', 'app.example:443', '127.0.0.1'])(
    'refuses %j as an rpIdOverride of the page itself',
    (rpIdOverride) => {
      expect(() => resolveConfig({ relayer, rpIdOverride })).toThrow(
        'rpIdOverride is not the name of a host',
      );
    },
  );

  it('takes a host or localhost as an rpIdOverride', () => {
    for (const rpIdOverride of ['App.example', 'localhost', 'a.localhost'])
      expect(resolveConfig({ relayer, rpIdOverride }).rpIdOverride).toBe(rpIdOverride.toLowerCase());
  });

  it('names every bad field in one error', () => {
    const bad = { relayer: { url: 'ftp://x' }, rpcUrl: 'nowhere', explorerUrl: 'also nowhere' };
    expect(() => resolveConfig(bad)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        message: expect.stringMatching(/relayer\.url .*; rpcUrl .*; explorerUrl /),
        details: { problems: [expect.anything(), expect.anything(), expect.anything()] },
      }),
    );
  });

  it.each([
    [{ contractId: 'W3A.testnet' }, 'contractId is not an account id: W3A.testnet'],
    [{ logLevel: 'verbose' as LogLevel }, 'logLevel must be debug or info or warn or error or silent'],
  ])('refuses %o by name', (option, problem) => {
    expect(() => resolveConfig({ relayer, ...option })).toThrow(problem);
  });

  it("accepts the specification's name for the delay", () => {
    const delayOf = (confirmationConfig: ConfirmationWish) =>
      resolveConfig({ relayer, confirmationConfig }).confirmationConfig.autoProceedDelayMs;
    expect(delayOf({ autoProceedDelay: 500 })).toBe(500);
    expect(delayOf({ autoProceedDelay: 500, autoProceedDelayMs: 500 })).toBe(500);
    expect(
      resolveConfig({ relayer, confirmationConfig: { autoProceedDelay: 500 } }).confirmationConfig,
    ).toEqual({
      ...DEFAULT_CONFIRMATION,
      autoProceedDelayMs: 500,
    });
    expect(() => delayOf({ autoProceedDelay: 500, autoProceedDelayMs: 400 })).toThrow('two delays');
  });

  it.each([
    [{ uimode: 'skip' }, 'confirmationConfig has no setting uimode'],
    [{ uiMode: 'popup' }, 'confirmationConfig.uiMode must be skip or modal or drawer'],
    [{ behavior: 'auto' }, 'confirmationConfig.behavior must be requireClick or autoProceed'],
    [{ theme: 'sepia' }, 'confirmationConfig.theme must be dark or light'],
    [
      { autoProceedDelay: -1 },
      'confirmationConfig.autoProceedDelay must be a number of milliseconds from 0 to 60000',
    ],
    [{ autoProceedDelayMs: '500' }, 'confirmationConfig.autoProceedDelayMs must be a number of milliseconds'],
  ])('refuses the confirmation settings %o by name', (confirmationConfig, problem) => {
    const wish = confirmationConfig as unknown as ConfirmationWish;
    expect(() => resolveConfig({ relayer, confirmationConfig: wish })).toThrow(problem);
  });

  it('finds the lock where the specification places it too', () => {
    const shamir3pass = { relayServerUrl: 'https://lock.example/' };
    const inWorkerConfigs = resolveConfig({ relayer, vrfWorkerConfigs: { shamir3pass } });
    expect(inWorkerConfigs.shamir3pass).toEqual(resolveConfig({ relayer, shamir3pass }).shamir3pass);
    expect(resolveConfig({ relayer, vrfWorkerConfigs: { shamir3pass: false } }).shamir3pass).toBe(null);
    const both = resolveConfig({ relayer, shamir3pass, vrfWorkerConfigs: { shamir3pass: false } });
    expect(both.shamir3pass).toEqual(inWorkerConfigs.shamir3pass);
  });

  it('uses the prime of RFC 3526, group 14', () => {
    expect(RFC3526_GROUP_14_P).toBe(createDiffieHellmanGroup('modp14').getPrime('base64url'));
  });

  it.each([
    ['localhost', 'warnings too'],
    ['wallet.localhost', 'warnings too'],
    ['127.0.0.1', 'warnings too'],
    ['wallet.example.com', 'errors alone'],
    ['localhost.example.com', 'errors alone'],
  ])('on %s logs %s where no level is chosen', (hostname, what) => {
    vi.stubGlobal('location', { hostname });
    const sink = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const { logger } = resolveConfig({ relayer, logger: sink });
    vi.unstubAllGlobals();
    for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level);
    const heard = Object.entries(sink).filter(([, { mock }]) => mock.calls.length > 0);
    expect(heard.map(([level]) => level)).toEqual(what === 'errors alone' ? ['error'] : ['warn', 'error']);
  });

  it('logs from the chosen level up', () => {
    const sink = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const { logger } = resolveConfig({ relayer, logger: sink, logLevel: 'warn' });
    logger.info('quiet');
    logger.warn('heard', 1);
    expect(sink.info).not.toHaveBeenCalled();
    expect(sink.warn).toHaveBeenCalledWith('[latchkey] heard', 1);
  });
});

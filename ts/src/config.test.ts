import { createDiffieHellmanGroup } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { RFC3526_GROUP_14_P, resolveConfig } from './config.js';

const relayer = { url: 'http://localhost:3000/' };

describe('configuration', () => {
  it('fills in every default', () => {
    const config = resolveConfig({ relayer });
    expect(config).toMatchObject({
      rpcUrls: ['https://test.rpc.fastnear.com'],
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
    });
  });

  it('takes several RPC addresses, as a list or in one string', () => {
    const urls = ['http://a.example', 'http://b.example'];
    expect(resolveConfig({ relayer, rpcUrl: urls }).rpcUrls).toEqual(urls);
    expect(resolveConfig({ relayer, rpcUrl: 'http://a.example, http://b.example' }).rpcUrls).toEqual(urls);
  });

  it('names the missing relay', () => {
    expect(() => resolveConfig({ relayer: { url: ' ' } })).toThrow(
      '[configPresets] Missing relayer config: relayer.url',
    );
  });

  it('refuses an empty list of RPC addresses', () => {
    expect(() => resolveConfig({ relayer, rpcUrl: [] })).toThrow('NEAR RPC URL cannot be empty');
    expect(() => resolveConfig({ relayer, rpcUrl: ' ' })).toThrow('NEAR RPC URL cannot be empty');
  });

  it('names every bad field at once', () => {
    const bad = { relayer: { url: 'ftp://x' }, rpcUrl: 'nowhere', explorerUrl: 'also nowhere' };
    expect(() => resolveConfig(bad)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        message: expect.stringMatching(/relayer\.url .*; rpcUrl .*; explorerUrl /),
        details: { problems: [expect.anything(), expect.anything(), expect.anything()] },
      }),
    );
  });

  it('has the prime of RFC 3526, group 14', () => {
    expect(RFC3526_GROUP_14_P).toBe(createDiffieHellmanGroup('modp14').getPrime('base64url'));
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

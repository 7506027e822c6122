import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type LogLevel, resolveConfig } from '../config.js';
import type { IframeWalletConfig } from './config.js';
import { walletPageUrl } from './host/frame-element.js';
import { hostConfigOf } from './host/wallet-page.js';

const relayer = { url: 'https://relay.example' };
const walletOrigin = 'https://wallet.example';
const resolve = (iframeWallet: IframeWalletConfig) => resolveConfig({ relayer, iframeWallet }).iframeWallet;

describe('the configuration of the wallet frame (frame 2, frame 7, frame 8, frame 9)', () => {
  it('is off when it is absent', () => {
    expect(resolveConfig({ relayer }).iframeWallet).toBeNull();
  });

  it.each<[hostname: string, logLevel: LogLevel | undefined, warnings: number]>([
    ['localhost', undefined, 1],
    ['localhost', 'warn', 1],
    ['app.example', undefined, 1],
    ['app.example', 'error', 0],
    ['localhost', 'silent', 0],
  ])(
    'warns in the console when it names no origin, and the wallet runs in the page of %s, unless that page chose fewer logs: %s',
    (hostname, logLevel, warnings) => {
      vi.stubGlobal('location', { hostname });
      onTestFinished(() => void vi.unstubAllGlobals());
      const warn = vi.fn();
      const logger = { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn() };
      const config = resolveConfig({
        relayer,
        logger,
        ...(logLevel && { logLevel }),
        iframeWallet: { walletOrigin: ' ' },
      });
      expect(config.iframeWallet).toBeNull();
      expect(warn).toHaveBeenCalledTimes(warnings);
      if (warnings > 0)
        expect(warn).toHaveBeenCalledWith(expect.stringContaining('iframeWallet has no walletOrigin'));
    },
  );

  it('fills in every default', () => {
    expect(resolve({ walletOrigin })).toEqual({
      walletOrigin,
      walletServicePath: '/service',
      connectTimeoutMs: 20_000,
      requestTimeoutMs: 60_000,
      enableSafariGetWebauthnRegistrationFallback: false,
      given: { relayer, iframeWallet: { walletOrigin } },
    });
  });

  it('normalises the origin and the path', () => {
    const frame = resolve({
      walletOrigin: 'HTTPS://Wallet.Example:443/',
      walletServicePath: '/wallet-service/',
    });
    expect(frame).toMatchObject({ walletOrigin, walletServicePath: '/wallet-service' });
    expect(frame && walletPageUrl(frame, 'http://app.localhost:5173')).toBe(
      'https://wallet.example/wallet-service/?host=http%3A%2F%2Fapp.localhost%3A5173',
    );
  });

  it.each([
    'wallet.example',
    'http://wallet.example',
    'https://wallet.example/path',
    'https://wallet.example?x',
    'https://user@wallet.example',
    'https://*.example',
    'javascript:alert(1)',
    'null',
  ])('throws for %s as an origin', (bad) => {
    expect(() => resolve({ walletOrigin: bad })).toThrow(
      /iframeWallet\.walletOrigin must be an https origin/,
    );
  });

  it('keeps the password of a refused origin out of the error', () => {
    expect(() => resolve({ walletOrigin: 'https://user:secret@wallet.example' })).toThrow(
      /: https:\/\/wallet\.example\/$/,
    );
  });

  it('names every bad field in one error', () => {
    const bad = {
      walletOrigin: 'ftp://x',
      walletServicePath: '//evil.example',
      sdkBasePath: 'sdk',
      rpIdOverride: 'https://wallet.example',
      connectTimeoutMs: 0,
      requestTimeoutMs: Number.NaN,
    };
    let problems: unknown;
    try {
      resolve(bad);
    } catch (error) {
      ({ problems } = (error as { details: Record<string, unknown> }).details);
    }
    expect(problems).toEqual([
      expect.stringContaining('walletOrigin'),
      expect.stringContaining('rpIdOverride'),
      expect.stringContaining('walletServicePath'),
      expect.stringContaining('connectTimeoutMs'),
      expect.stringContaining('requestTimeoutMs'),
      expect.stringContaining('sdkBasePath'),
    ]);
  });

  it('says where the page has the scripts of its transaction button, also without a wallet origin', () => {
    const pathOf = (iframeWallet?: object) =>
      resolveConfig({ relayer, logLevel: 'silent', ...(iframeWallet && { iframeWallet }) }).sdkBasePath;
    expect([
      pathOf(),
      pathOf({ sdkBasePath: '/w/sdk/' }),
      pathOf({ walletOrigin, sdkBasePath: '/a' }),
    ]).toEqual(['/sdk', '/w/sdk', '/a']);
    expect(() => pathOf({ sdkBasePath: 'https://evil.example/sdk' })).toThrow(/sdkBasePath/);
  });

  it.each([
    '',
    'https://wallet.example',
    'wallet.example:443',
    'wallet..example',
    '10.0.0.1',
    '127.0.0.1',
    'com',
  ])('refuses %j as an rpId', (rpIdOverride) => {
    expect(() => resolve({ walletOrigin, rpIdOverride })).toThrow(/rpIdOverride/);
  });

  it.each(['/', '/a', '/a-b/c.d/', '/..a/b..'])('accepts %s as a path', (path) => {
    expect(resolve({ walletOrigin, walletServicePath: path })?.walletServicePath).toBe(
      path.replace(/\/$/, ''),
    );
  });

  it.each(['', '/a/../b', '/..', '/./a', '/a?b', '/a#b', '/a//b', '//a', 'service'])(
    'refuses %s as a path',
    (path) => {
      expect(() => resolve({ walletOrigin, walletServicePath: path })).toThrow(/walletServicePath/);
    },
  );

  it('turns the bridge on only for the value true', () => {
    const given = (value: unknown) =>
      resolve({ walletOrigin, enableSafariGetWebauthnRegistrationFallback: value as boolean });
    expect(given('false')?.enableSafariGetWebauthnRegistrationFallback).toBe(false);
    expect(given(true)?.enableSafariGetWebauthnRegistrationFallback).toBe(true);
  });

  it('passes on the configured fields and no defaults', () => {
    const config = resolveConfig({
      relayer,
      network: 'mainnet',
      contractId: 'registry.near',
      shamir3pass: false,
      confirmationConfig: { theme: 'light' },
      iframeWallet: {
        walletOrigin,
        rpIdOverride: 'Wallet.Example',
        sdkBasePath: '/assets/',
        requestTimeoutMs: 1,
      },
    });
    expect(config.iframeWallet && hostConfigOf(config.iframeWallet, 'de-CH')).toEqual({
      language: 'de-CH',
      relayer,
      networkId: 'mainnet',
      contractId: 'registry.near',
      vrfWorkerConfigs: { shamir3pass: false },
      theme: 'light',
      confirmationConfig: { theme: 'light' },
      rpIdOverride: 'wallet.example',
    });
  });
});

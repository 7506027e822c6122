import { resolveConfig } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { addressesOf } from './addresses.js';

const NEEDED = {
  VITE_NEAR_RPC_URL: 'https://rpc.example',
  VITE_RELAY_URL: 'https://relay.example',
  VITE_CONTRACT_ID: 'registry.example.testnet',
  VITE_EXPLORER_URL: 'https://explorer.example',
  VITE_WALLET_ORIGIN: '',
};
const resolved = (more: Partial<ImportMetaEnv> = {}) =>
  resolveConfig({ ...addressesOf({ ...NEEDED, ...more } as ImportMetaEnv), logLevel: 'silent' });

describe("the demo's variables (demo 3)", () => {
  it('reach the configuration of the wallet', () => {
    expect(
      resolved({
        VITE_RELAYER_ACCOUNT_ID: 'relay.example.testnet',
        VITE_WALLET_ORIGIN: 'https://wallet.example',
        VITE_WALLET_SERVICE_PATH: '/wallet-service/',
        VITE_SDK_BASE_PATH: '/assets/sdk/',
      }),
    ).toMatchObject({
      relayer: { url: 'https://relay.example', accountId: 'relay.example.testnet' },
      iframeWallet: { walletOrigin: 'https://wallet.example', walletServicePath: '/wallet-service' },
      sdkBasePath: '/assets/sdk',
    });
  });

  it('leave the defaults where the optional ones are empty', () => {
    const optional = { VITE_RELAYER_ACCOUNT_ID: '', VITE_WALLET_SERVICE_PATH: '', VITE_SDK_BASE_PATH: '' };
    for (const more of [{}, optional])
      expect(resolved(more)).toMatchObject({
        relayer: { accountId: 'registry.example.testnet' },
        iframeWallet: null,
        sdkBasePath: '/sdk',
      });
    expect(resolved({ VITE_WALLET_ORIGIN: 'https://wallet.example' }).iframeWallet).toMatchObject({
      walletServicePath: '/service',
    });
  });
});

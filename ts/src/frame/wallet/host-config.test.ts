import { describe, expect, it } from 'vitest';
import type { PasskeyManagerConfig } from '../../config.js';
import { isLatchkeyError } from '../../errors/latchkey-error.js';
import type { HostConfig } from '../protocol/index.js';
import { readHostConfig } from './host-config.js';

const OWN: PasskeyManagerConfig = {
  rpcUrl: 'https://node.example',
  contractId: 'registry.testnet',
  relayer: { url: 'https://relay.example', accountId: 'relayer.testnet' },
  authenticatorOptions: { userVerification: 'required' },
};
const read = (wanted: HostConfig, isConfigurable = false) =>
  readHostConfig(wanted, OWN, { rpId: 'wallet.example', isConfigurable });

/** The refused fields. */
function refused(wanted: HostConfig, isConfigurable = false): unknown {
  try {
    read(wanted, isConfigurable);
  } catch (error) {
    if (isLatchkeyError(error, 'CONFIG_NOT_ALLOWED')) return error.details;
    throw error;
  }
  return undefined;
}

describe('the settings that a host sends (frame 8, frame 10)', () => {
  it('are its wishes for the theme and the confirmation', () => {
    expect(read({ theme: 'light', confirmationConfig: { uiMode: 'drawer' } })).toEqual({
      confirmation: { uiMode: 'drawer', theme: 'light' },
      changes: undefined,
    });
  });

  it('may repeat the wallet’s own values in any form', () => {
    const same: HostConfig = {
      rpcUrl: ['https://node.example/'],
      networkId: 'testnet',
      contractId: 'registry.testnet',
      relayer: { url: 'https://relay.example/' },
      vrfWorkerConfigs: { shamir3pass: { relayServerUrl: 'https://relay.example' } },
      rpIdOverride: 'Wallet.Example',
      authenticatorOptions: { userVerification: 'required', originPolicy: { all_subdomains: true } },
    };
    expect(read(same)).toEqual({ confirmation: {}, changes: undefined });
  });

  it.each<[string, HostConfig]>([
    ['rpcUrl', { rpcUrl: 'https://evil.example' }],
    ['rpcUrl', { rpcUrl: 'https://node.example,https://evil.example' }],
    ['contractId', { contractId: 'evil.testnet', relayer: { accountId: 'relayer.testnet' } }],
    ['relayer', { relayer: { accountId: 'evil.testnet' } }],
    ['vrfWorkerConfigs', { vrfWorkerConfigs: { shamir3pass: { relayServerUrl: 'https://evil.example' } } }],
    ['vrfWorkerConfigs', { vrfWorkerConfigs: { shamir3pass: false } }],
    ['networkId', { networkId: 'mainnet' }],
    ['rpIdOverride', { rpIdOverride: 'example' }],
    [
      'authenticatorOptions',
      { authenticatorOptions: { originPolicy: { multiple: ['https://evil.example'] } } },
    ],
    ['uiRegistry', { uiRegistry: { button: 'https://evil.example/button.js' } }],
    ['assetsBaseUrl', { assetsBaseUrl: 'https://evil.example/' }],
  ])('may not be another %s', (field, wanted) => {
    expect(refused(wanted)).toEqual({ fields: [field] });
  });

  it('name every forbidden field in the refusal', () => {
    expect(refused({ theme: 'dark', rpcUrl: 'https://evil.example', uiRegistry: {} })).toEqual({
      fields: ['uiRegistry', 'rpcUrl'],
    });
  });

  it('show the value of either side, and of an address no more than its origin', () => {
    const wanted = { contractId: 'other.testnet', rpcUrl: 'https://node.example/v1/secret' };
    expect(() => read(wanted)).toThrow(
      'A host may not configure this: only the wallet\'s operator sets rpcUrl (this page: ["https://node.example/…"]; the wallet: ["https://node.example"]), ' +
        'contractId (this page: "other.testnet"; the wallet: "registry.testnet")',
    );
  });

  it('may change nodes, registry and relay for a host that the operator names, but never rpId, network or code', () => {
    const wanted: HostConfig = {
      rpcUrl: 'https://other.example',
      relayer: { url: 'https://relay2.example' },
    };
    expect(read(wanted, true).changes).toEqual({
      rpcUrl: 'https://other.example',
      relayer: { url: 'https://relay2.example', accountId: 'relayer.testnet' },
    });
    expect(refused({ ...wanted, rpIdOverride: 'example' }, true)).toEqual({ fields: ['rpIdOverride'] });
    expect(refused({ assetsBaseUrl: 'https://evil.example/' }, true)).toEqual({ fields: ['assetsBaseUrl'] });
  });
});

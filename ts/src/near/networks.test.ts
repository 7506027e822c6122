import { describe, expect, it } from 'vitest';
import { defaultAgreement, isThisMachine, networkOf } from './networks.js';

describe('the name of a network', () => {
  it.each(['mainnet', 'testnet'])('sets what it needs: %s', (name) => {
    const network = networkOf(name);
    expect(network).toMatchObject({ networkId: name, explorerUrl: expect.stringMatching(/^https:/) });
    expect(defaultAgreement(network!.rpcUrls.split(','))).toBe(2);
  });

  it('sets a registry on testnet alone', () => {
    expect(networkOf('testnet')?.contractId).toBe('w3a-v1.testnet');
    expect(networkOf('mainnet')?.contractId).toBeUndefined();
  });

  it.each(['', 'Mainnet', 'localnet', undefined])('sets nothing where it is %j', (name) => {
    expect(networkOf(name)).toBeUndefined();
  });
});

describe('a node', () => {
  it.each(['localhost', 'near.localhost', '127.0.0.1', '[::1]'])('is on this machine at %s', (host) => {
    expect(isThisMachine(host)).toBe(true);
  });

  it.each([
    'evillocalhost',
    'localhost.example',
    '127.0.0.1.example',
    'a127.0.0.1',
    '127a0.0.1',
    '127.0a0.1',
    '127.0.0a1',
    'a[::1]',
    '[::1].example',
    'near.example',
  ])('is a remote one at %s', (host) => {
    expect(isThisMachine(host)).toBe(false);
  });
});

describe('how many providers must agree where nothing is configured', () => {
  it.each<[string, string[], number]>([
    ['one, of one provider', ['https://one.example/a', 'https://one.example/b'], 1],
    ['two, of two providers', ['https://one.example', 'https://two.example'], 2],
    ['one, on this machine alone', ['http://localhost:3030', 'http://127.0.0.1:3031'], 1],
    ['two, of a provider and this machine', ['http://localhost:3030', 'https://one.example'], 2],
  ])('is %s', (_, urls, agreement) => {
    expect(defaultAgreement(urls)).toBe(agreement);
  });
});

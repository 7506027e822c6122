import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentKey } from '../../dev/services/keys.js';
import { freePort } from '../../dev/services/ports.js';
import type { Service } from '../../dev/services/service.js';
import { RELAYER, startChain } from '../../dev/services/services.js';
import { checkNetwork, networkFromEnvironment } from './network.js';

const FUNDED = { NEAR_ACCOUNT_ID: RELAYER, NEAR_PRIVATE_KEY: developmentKey(RELAYER) };

describe('the environment', () => {
  it('names the account and the key that it misses', () => {
    expect(() => networkFromEnvironment({})).toThrow(
      /^Set NEAR_ACCOUNT_ID and NEAR_PRIVATE_KEY to a testnet account/,
    );
    expect(() => networkFromEnvironment({ NEAR_ACCOUNT_ID: 'a.testnet' })).toThrow(
      /^Set NEAR_PRIVATE_KEY to/,
    );
  });

  it('refuses a private key of another form without repeating it', () => {
    const broken = developmentKey(RELAYER).slice(0, -8);
    const read = () => networkFromEnvironment({ ...FUNDED, NEAR_PRIVATE_KEY: broken });
    expect(read).toThrow('NEAR_PRIVATE_KEY must be `ed25519:` and the base58 of 64 bytes.');
  });

  it('refuses to deploy below an account whose name leaves no room for a new account', () => {
    const implicit = { ...FUNDED, NEAR_ACCOUNT_ID: '0'.repeat(64) };
    expect(networkFromEnvironment(implicit).funder.accountId).toHaveLength(64);
    expect(() => networkFromEnvironment({ ...implicit, REGISTRY: 'deploy' })).toThrow(
      /^REGISTRY=deploy needs a NEAR_ACCOUNT_ID of at most 31 characters/,
    );
  });

  it('has the public node and the registry of the defaults, and takes others', () => {
    const { rpcUrls, registry } = networkFromEnvironment(FUNDED);
    expect([rpcUrls, registry]).toEqual([['https://test.rpc.fastnear.com'], 'w3a-v1.testnet']);
    const others = { NEAR_RPC_URL: 'https://a.example, https://b.example', REGISTRY: 'deploy' };
    expect(networkFromEnvironment({ ...FUNDED, ...others })).toMatchObject({
      rpcUrls: ['https://a.example', 'https://b.example'],
      registry: null,
    });
    expect(() => networkFromEnvironment({ ...FUNDED, NEAR_RPC_URL: 'a.example' })).toThrow(
      /'a\.example' is none/,
    );
  });
});

describe('the check before a run', () => {
  let chain: Service;
  beforeAll(async () => {
    chain = await startChain({ port: 0, blockTimeMs: 100 });
  });
  afterAll(() => chain?.stop());
  const on = (env: object) =>
    checkNetwork(networkFromEnvironment({ ...FUNDED, NEAR_RPC_URL: chain.url, ...env }));

  it('passes a funded account', async () => {
    await expect(on({})).resolves.toBeUndefined();
  });

  it('names a node that does not answer', async () => {
    const silent = `http://127.0.0.1:${await freePort()}`;
    await expect(on({ NEAR_RPC_URL: `${chain.url},${silent}` })).rejects.toThrow(
      `No NEAR node answers at ${silent}.`,
    );
  });

  it('refuses any network but testnet', async () => {
    const node = createServer((_request, response) =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id: '1', result: { chain_id: 'mainnet' } })),
    ).listen(0);
    await once(node, 'listening');
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    await expect(on({ NEAR_RPC_URL: url })).rejects.toThrow(`The node at ${url} belongs to 'mainnet'`);
    node.close();
  });

  it('names an account that is not there, a key that is not its own, and a registry that is not there', async () => {
    await expect(on({ NEAR_ACCOUNT_ID: 'nobody.testnet' })).rejects.toThrow(
      'There is no account nobody.testnet',
    );
    await expect(on({ NEAR_PRIVATE_KEY: developmentKey('testnet') })).rejects.toThrow(
      `NEAR_PRIVATE_KEY is not a full-access key of ${RELAYER}`,
    );
    await expect(on({ REGISTRY: 'none.testnet' })).rejects.toThrow('There is no registry none.testnet');
  });
});

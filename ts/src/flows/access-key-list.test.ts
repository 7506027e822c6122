import { describe, expect, it } from 'vitest';
import { createRpcClient } from '../near/index.js';
import { LaggingChain } from '../near/testing/lagging-chain.js';
import { accessKeyList } from './access-key-list.js';

describe('the access keys of an account', () => {
  const chain = new LaggingChain({ nodes: { 'https://one.example': [0] } });
  chain.addKey('alice.testnet', 'ed25519:first');
  chain.head += 100;
  const rpc = createRpcClient({ urls: chain.urls, fetch: chain.fetch, agreement: 1 });

  it('are listed', async () => {
    const { keys } = await accessKeyList({ rpc }, 'alice.testnet');
    expect(keys.map(({ public_key }) => public_key)).toEqual(['ed25519:first']);
  });

  it('are an error that names the account if there is none', async () => {
    await expect(accessKeyList({ rpc }, 'bob.testnet')).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
      message: 'Account bob.testnet does not exist onchain',
    });
  });
});

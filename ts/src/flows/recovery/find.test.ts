import { expect, it } from 'vitest';
import { createRpcClient } from '../../near/index.js';
import { LaggingChain } from '../../near/testing/lagging-chain.js';
import { OUR_METADATA } from '../../registry/testing/our-registry.js';
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';
import { findPasskeys } from './find.js';

const RECORD = {
  credential_public_key: [1],
  transports: [],
  registered: '1',
  device_number: 1,
  near_public_key: null,
  vrf_public_keys: [],
};

it('finds the passkeys of an account made a moment ago, although this browser asks nodes that lag first', async () => {
  const chain = new LaggingChain({ nodes: { 'https://rpc.example': [8, 8, 0] } });
  chain.write(({ views }) => {
    views.set('contract_source_metadata', OUR_METADATA);
    views.set('get_authenticators_by_user', []);
  });
  chain.head += 100;
  chain.write(({ views }) => views.set('get_authenticators_by_user', [['AQ', RECORD]]));
  chain.head += 3;
  const context = {
    rpc: createRpcClient({ urls: chain.urls, fetch: chain.fetch }),
    config: { contractId: 'registry.testnet' },
    store: { journal: { entry: async () => undefined } },
  } as unknown as FlowContext;
  const run = { emit: () => undefined, signal: new AbortController().signal } as unknown as Run<'recovery'>;
  const found = await findPasskeys(context, { accountId: 'alice.testnet' }, run);
  expect(found.passkeys).toHaveLength(1);
});

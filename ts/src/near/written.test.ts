import { describe, expect, it } from 'vitest';
import { createRpcClient } from './index.js';
import { hashOf, LaggingChain } from './testing/lagging-chain.js';
import { noteOutcome } from './written.js';

const URL = 'https://one.example';
const at = (height: number) => ({ block_hash: hashOf(height) }) as never;

describe('an outcome', () => {
  it('is seen by later views from the last block in which it took effect', async () => {
    const chain = new LaggingChain({ nodes: { [URL]: [3, 8, 0] } });
    chain.head += 100;
    const rpc = createRpcClient({ urls: URL, fetch: chain.fetch });
    const added = chain.addKey('bob.testnet', 'ed25519:key');
    await noteOutcome(rpc, {
      transaction_outcome: at(added - 1),
      receipts_outcome: [at(added), at(added - 1)],
    });
    expect(await rpc.viewAccount('bob.testnet')).not.toBeNull();
  });

  it('without a block, or of a block that no node knows, changes nothing', async () => {
    const chain = new LaggingChain({ nodes: { [URL]: [0] }, blocksPerRequest: 0 });
    const rpc = createRpcClient({ urls: URL, fetch: chain.fetch });
    await noteOutcome(rpc, {});
    expect(chain.asked).toEqual([]);
    await noteOutcome(rpc, { transaction_outcome: at(chain.head + 50) });
    expect(await rpc.viewAccount('bob.testnet')).toBeNull();
  });
});

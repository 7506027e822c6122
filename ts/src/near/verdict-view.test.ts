import { describe, expect, it } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { createRpcClient } from './index.js';
import { LaggingChain, type LaggingChainOptions } from './testing/lagging-chain.js';
import { viewVerdict } from './verdict-view.js';

skipWaits();

const NODE = 'https://one.example';

/** A client that has seen no block, of nodes that lag; a contract that refuses blocks of the future. */
function make(lags: readonly number[], growth: Omit<LaggingChainOptions, 'nodes'> = {}) {
  const chain = new LaggingChain({ nodes: { [NODE]: lags }, ...growth });
  const rpc = createRpcClient({ urls: NODE, fetch: chain.fetch });
  const text = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes);
  const judge = async (height: number, isForged = false) => {
    chain.write(({ views }) => views.set('verify', (at: number) => at >= height && !isForged));
    chain.head += 50;
    const accept = (answer: { bytes: Uint8Array }) => text(answer) === 'true';
    const answer = await viewVerdict(rpc, ['c', 'verify', {}], height, accept);
    return { verdict: text(answer), asked: chain.asked.length };
  };
  return { chain, judge };
}

describe('a verdict about a block that another client names (core 7)', () => {
  it('is asked for again when it comes from a node that does not have the block yet', async () => {
    const { chain, judge } = make([8, 6, 0]);
    expect(await judge(chain.head + 49)).toEqual({ verdict: 'true', asked: 3 });
  });

  it('comes once a node has the block, when every node lags', async () => {
    const { chain, judge } = make([8]);
    expect(await judge(chain.head + 51)).toMatchObject({ verdict: 'true' });
  });

  it('stands with one call when the node has the block, or the block is too far away to wait for', async () => {
    const old = make([8]);
    expect(await old.judge(old.chain.head, true)).toEqual({ verdict: 'false', asked: 1 });
    const far = make([8]);
    expect(await far.judge(far.chain.head + 50 + 20)).toEqual({ verdict: 'false', asked: 1 });
  });

  it('is asked for again when the block is 10 above the node, and not when it is 11 above', async () => {
    const near = make([0], { blocksPerRequest: 0, blockMs: 600 });
    expect(await near.judge(near.chain.head + 51 + 10)).toMatchObject({ verdict: 'true' });
    const far = make([0], { blocksPerRequest: 0 });
    expect(await far.judge(far.chain.head + 51 + 11)).toEqual({ verdict: 'false', asked: 1 });
  });

  it('waits for a lagging node by blocks where they are slow: 8 of 3 s each', async () => {
    const { chain, judge } = make([8], { blocksPerRequest: 0, blockMs: 3_000 });
    expect(await judge(chain.head + 51)).toMatchObject({ verdict: 'true' });
  });

  it('stands after 12 seconds where no block comes', async () => {
    const { chain, judge } = make([8], { blocksPerRequest: 0 });
    const begin = Date.now();
    expect(await judge(chain.head + 51)).toMatchObject({ verdict: 'false' });
    expect(Date.now() - begin).toBe(12_600);
  });

  it('stands once a node that has the block gives it', async () => {
    const { chain, judge } = make([8, 0]);
    expect(await judge(chain.head + 49, true)).toEqual({ verdict: 'false', asked: 2 });
  });
});

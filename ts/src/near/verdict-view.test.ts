import { describe, expect, it } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { createRpcClient } from './index.js';
import { LaggingChain, type LaggingChainOptions } from './testing/lagging-chain.js';
import { HASH, type Reply, scriptedNodes } from './testing/scripted-node.js';
import { viewVerdict } from './verdict-view.js';

skipWaits();

const NODE = 'https://one.example';

/** A client that has seen no block, of nodes that lag; a contract that refuses blocks of the future. */
function make(
  lags: readonly number[],
  growth: Omit<LaggingChainOptions, 'nodes'> = {},
  others: readonly string[] = [],
) {
  const synced = Object.fromEntries(others.map((url) => [url, [0]]));
  const chain = new LaggingChain({ nodes: { [NODE]: lags, ...synced }, ...growth });
  const rpc = createRpcClient({ urls: chain.urls, fetch: chain.fetch, agreement: 1 });
  const text = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes);
  const judge = async (height: number, isForged = false) => {
    chain.write(({ views }) => views.set('verify', (at: number) => at >= height && !isForged));
    chain.head += 50;
    const accept = (answer: { bytes: Uint8Array }) => text(answer) === 'true';
    const answer = await viewVerdict(rpc, ['c', 'verify', {}], height, accept);
    return { verdict: text(answer), asked: chain.asked.length };
  };
  return { chain, rpc, judge };
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

  it('stands when it comes from the very block', async () => {
    const { chain, judge } = make([0], { blocksPerRequest: 0 });
    expect(await judge(chain.head + 51, true)).toEqual({ verdict: 'false', asked: 1 });
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

  it('comes at the last block of a slow chain, each within 12 seconds', async () => {
    const { chain, judge } = make([0], { blocksPerRequest: 0, blockMs: 11_000 });
    expect(await judge(chain.head + 51 + 3)).toMatchObject({ verdict: 'true' });
  });

  it('stands after 36 seconds where blocks still come', async () => {
    const { chain, judge } = make([0], { blocksPerRequest: 0, blockMs: 5_000 });
    const begin = Date.now();
    expect(await judge(chain.head + 51 + 10)).toEqual({ verdict: 'false', asked: 61 });
    expect(Date.now() - begin).toBe(36_000);
  });

  it('is of the newest block of as many nodes as must agree', async () => {
    const verdict = (text: string): Reply => ({
      result: { result: [...new TextEncoder().encode(text)], logs: [], block_height: 9, block_hash: HASH },
    });
    const ask = (agreement: number) => {
      const script = { one: { query: [verdict('true')] }, two: { query: [verdict('false')] } };
      const { client, requests } = scriptedNodes(script, { agreement });
      return { requests, asked: viewVerdict(client, ['c', 'verify', {}], 9, () => true) };
    };
    const { requests, asked } = ask(1);
    expect((await asked).blockHeight).toBe(9);
    expect(requests[0]?.params).toMatchObject({ finality: 'optimistic' });
    await expect(ask(2).asked).rejects.toMatchObject({ code: 'RPC_DISAGREEMENT' });
  });

  it('is asked of the next node where the first one refuses', async () => {
    const { chain, judge } = make([8], { blocksPerRequest: 0 }, ['https://two.example']);
    const begin = Date.now();
    expect(await judge(chain.head + 51)).toEqual({ verdict: 'true', asked: 2 });
    expect(Date.now()).toBe(begin);
  });

  it('ends with the reason of the caller who aborts, in a pause or a request', async () => {
    const { chain, rpc } = make([8], { blocksPerRequest: 0 });
    chain.write(({ views }) => views.set('verify', false));
    chain.head += 50;
    const { client } = scriptedNodes({ one: { query: ['silence'] } });
    for (const asked of [rpc, client]) {
      const stopping = new AbortController();
      const { signal } = stopping;
      const view = viewVerdict(asked, ['c', 'verify', {}], chain.head, () => false, signal);
      setTimeout(() => stopping.abort(new Error('enough')), 1_000);
      await expect(view).rejects.toThrow('enough');
    }
  });

  it('stands once a node that has the block gives it', async () => {
    const { chain, judge } = make([8, 0]);
    expect(await judge(chain.head + 49, true)).toEqual({ verdict: 'false', asked: 2 });
  });
});

import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { createRpcClient, isTransient, rpcFailure } from './index.js';
import { LaggingChain, type LaggingChainOptions } from './testing/lagging-chain.js';

skipWaits();

const ALICE = 'alice.testnet';
const KEY = 'ed25519:key';
const ONE = 'https://one.example';
const TWO = 'https://two.example';

/** A client of a chain that holds the account; `seen` makes the client see the newest block. */
function make(options: LaggingChainOptions, agreement = 1) {
  const chain = new LaggingChain(options);
  chain.addKey(ALICE, 'ed25519:first');
  chain.head += 100;
  const rpc = createRpcClient({ urls: chain.urls, fetch: chain.fetch, agreement });
  return { chain, rpc };
}

async function failureOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { code: (error as { code?: string }).code, message: (error as Error).message, ...rpcFailure(error) };
}

describe('a "no" from a node that lags (core 7)', () => {
  it('is asked again until a node has reached the highest block seen', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 8] } });
    chain.addKey(ALICE, KEY);
    chain.head += 2;
    expect((await rpc.block()).header.height).toBe(chain.head - 3);
    expect(await rpc.viewAccessKey(ALICE, KEY)).toMatchObject({ permission: 'FullAccess' });
    expect(chain.heights('view_access_key').length).toBeGreaterThan(1);
  });

  it('goes to the next provider without a pause', async () => {
    const begin = Date.now();
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 8], [TWO]: [0] } });
    chain.addKey(ALICE, KEY);
    chain.head += 2;
    await rpc.block();
    expect(await rpc.viewAccessKey(ALICE, KEY)).toMatchObject({ permission: 'FullAccess' });
    expect(chain.asked.map(({ url }) => url)).toEqual([ONE, ONE, TWO]);
    expect(Date.now()).toBe(begin);
  });

  it.each([
    ['an unknown account', (rpc: ReturnType<typeof createRpcClient>) => rpc.viewAccount('bob.testnet')],
    ['an unknown key', (rpc: ReturnType<typeof createRpcClient>) => rpc.viewAccessKey(ALICE, 'ed25519:none')],
  ])('stands with one call when it is as new as what was seen (%s)', async (_, ask) => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    await rpc.block();
    expect(await ask(rpc)).toBeNull();
    expect(chain.asked).toHaveLength(2);
  });

  it('stands when every node is far below the blocks seen: the chain was reset, or a node had invented a block', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0], [TWO]: [0] } });
    chain.addKey(ALICE, KEY);
    chain.head += 5_000;
    await rpc.block();
    chain.head -= 4_000;
    expect(await rpc.viewAccessKey(ALICE, 'ed25519:none')).toBeNull();
    const { length } = chain.asked;
    expect(await rpc.viewAccessKey(ALICE, 'ed25519:none')).toBeNull();
    expect(chain.asked).toHaveLength(length + 1);
  });

  it('does not stand when only the node that answers is far below', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 5_000] } });
    chain.head += 6_000;
    chain.addKey(ALICE, KEY);
    chain.head += 100;
    await rpc.block();
    expect(await rpc.viewAccessKey(ALICE, KEY)).toMatchObject({ permission: 'FullAccess' });
  });

  it('counts an empty list as "no" where the caller names it so', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 8] } });
    chain.write(({ views }) => views.set('list', []));
    chain.head += 100;
    chain.write(({ views }) => views.set('list', ['passkey']));
    chain.head += 2;
    await rpc.block();
    const isNo = (list: readonly string[]) => list.length === 0;
    const asked = rpc.callFunctionJson(v.array(v.string()), 'c.testnet', 'list', {}, { isNo });
    expect(await asked).toEqual(['passkey']);
  });

  it('is asked again for a contract that refuses a block of the future', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 8] } });
    const named = (await rpc.block()).header.height;
    chain.write(({ views }) => views.set('verify', (height: number) => height >= named));
    const accept = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes) === 'true';
    const { bytes } = await rpc.callFunction('c.testnet', 'verify', {}, { finality: 'optimistic', accept });
    expect(new TextDecoder().decode(bytes)).toBe('true');
  });

  it('is an error that says so, and may be tried again, when no node comes that far', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8] }, blocksPerRequest: 0 });
    rpc.noteWrite(chain.head);
    const failure = await failureOf(rpc.viewAccessKey(ALICE, KEY));
    expect(failure).toMatchObject({ code: 'NEAR_RPC_FAILED', kind: 'node' });
    expect(failure.message).toContain(`the node lags: it is at block ${chain.head - 10}`);
    expect(isTransient({ kind: 'node' })).toBe(true);
  });

  it('waits for a lagging node by blocks where they are slow: 8 of 3 s each', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8] }, blocksPerRequest: 0, blockMs: 3_000 });
    rpc.noteWrite(chain.addKey(ALICE, KEY));
    expect(await rpc.viewAccessKey(ALICE, KEY)).toMatchObject({ permission: 'FullAccess' });
  });

  it('is an error within a minute where blocks come ever slower', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [30] }, blocksPerRequest: 0, blockMs: 10_000 });
    rpc.noteWrite(chain.addKey(ALICE, KEY));
    const begin = Date.now();
    const failure = await failureOf(rpc.viewAccessKey(ALICE, KEY));
    expect(failure).toMatchObject({ kind: 'node', message: expect.stringContaining('the node lags') });
    expect(Date.now() - begin).toBeLessThanOrEqual(70_000);
  });

  it('ends with the reason of the caller who aborts', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8] }, blocksPerRequest: 0 });
    rpc.noteWrite(chain.head);
    const stopping = new AbortController();
    const asked = rpc.viewAccessKey(ALICE, KEY, { signal: stopping.signal });
    stopping.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});

describe('a refusal of the chain', () => {
  it('carries the block that it was read at, in each form of a node', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] }, blocksPerRequest: 0 });
    const place = { block_height: chain.head - 2, block_hash: expect.any(String) };
    expect(await rpc.viewAccessKeyList('bob.testnet')).toEqual({ keys: [], ...place });
    chain.write(({ views }) => views.set('fails', new Error('wasm execution failed with error: no')));
    chain.head += 2;
    expect(await failureOf(rpc.callFunction('c.testnet', 'fails'))).toMatchObject({
      kind: 'contract',
      info: { block_height: chain.head - 2 },
    });
  });
});

describe('a reader after a write (core 7)', () => {
  it('waits for its block, so that neither a new key is missing nor a deleted one listed', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8, 3] } });
    await rpc.viewAccessKeyList(ALICE);
    rpc.noteWrite(chain.addKey(ALICE, KEY));
    expect(await rpc.viewAccessKey(ALICE, KEY)).not.toBeNull();
    rpc.noteWrite(chain.deleteKey(ALICE, KEY));
    const { keys } = await rpc.viewAccessKeyList(ALICE, { afterWrites: true });
    expect(keys.map(({ public_key }) => public_key)).toEqual(['ed25519:first']);
  });

  it('does not wait where an older answer does no harm', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8] } });
    rpc.noteWrite(chain.addKey(ALICE, KEY));
    await rpc.viewAccessKeyList(ALICE);
    expect(chain.asked).toHaveLength(1);
  });
});

describe('a "no" that something is thrown away for (core 7)', () => {
  it('takes two looks at different blocks', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] }, blocksPerRequest: 10 });
    expect(await rpc.viewAccessKey(ALICE, KEY, { certain: true })).toBeNull();
    expect(new Set(chain.heights('view_access_key')).size).toBeGreaterThanOrEqual(2);
  });

  it('is withdrawn when the second look finds it', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8, 0] }, blocksPerRequest: 10 });
    chain.addKey(ALICE, KEY);
    chain.head += 2;
    expect(await rpc.viewAccessKey(ALICE, KEY, { certain: true })).not.toBeNull();
  });

  it.each(['final', 'optimistic'] as const)(
    'waits for what was there before the first question, at nodes that all lag (%s)',
    async (finality) => {
      const { chain, rpc } = make({ nodes: { [ONE]: [8] }, blocksPerRequest: 10 });
      chain.addKey(ALICE, KEY);
      expect(await rpc.viewAccessKey(ALICE, KEY, { finality, certain: true })).not.toBeNull();
    },
  );

  it('needs no such wait from a client that has seen blocks for a while', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8] }, blocksPerRequest: 10 });
    await rpc.block();
    chain.head += 10;
    await rpc.block();
    const { length } = chain.asked;
    expect(await rpc.viewAccessKey(ALICE, KEY, { certain: true })).toBeNull();
    expect(chain.asked.length - length).toBeLessThanOrEqual(3);
  });

  it('waits again after a silence, in which the client has missed what happened', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8] }, blocksPerRequest: 10 });
    await rpc.block();
    chain.head += 10;
    await rpc.block();
    vi.setSystemTime(Date.now() + 60_000);
    chain.head += 100;
    chain.addKey(ALICE, KEY);
    expect(await rpc.viewAccessKey(ALICE, KEY, { certain: true })).not.toBeNull();
  });

  it('comes from the block that someone names, if that is near', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [4] }, blocksPerRequest: 10 });
    const heldAt = chain.addKey(ALICE, KEY);
    expect(await rpc.viewAccessKey(ALICE, KEY, { certain: true, heldAt })).not.toBeNull();
    expect(
      await rpc.viewAccessKey(ALICE, 'ed25519:none', { certain: true, heldAt: heldAt + 1_000 }),
    ).toBeNull();
  });

  it('does not stand while no node shows another block', async () => {
    const { rpc } = make({ nodes: { [ONE]: [0] }, blocksPerRequest: 0 });
    const failure = await failureOf(rpc.viewAccessKey(ALICE, KEY, { certain: true }));
    expect(failure).toMatchObject({ kind: 'node', message: expect.stringContaining('the node lags') });
  });
});

describe('two providers, one of which is merely behind', () => {
  it.each([
    [[0], [5]],
    [[5], [0]],
  ])('do not disagree about a key (%j, %j)', async (one, two) => {
    const { chain, rpc } = make({ nodes: { [ONE]: one, [TWO]: two } }, 2);
    chain.addKey(ALICE, KEY);
    chain.head += 3;
    rpc.noteWrite(chain.head);
    expect(await rpc.viewAccessKey(ALICE, KEY, { agreed: true })).toMatchObject({ permission: 'FullAccess' });
    rpc.noteWrite(chain.deleteKey(ALICE, KEY));
    const view = { agreed: true, certain: true, afterWrites: true } as const;
    expect(await rpc.viewAccessKey(ALICE, KEY, view)).toBeNull();
  });

  it('do not disagree when a node behind one address does not have the block of the other yet', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 20, 0], [TWO]: [5] } }, 2);
    chain.addKey(ALICE, KEY);
    chain.head += 3;
    rpc.noteWrite(chain.head);
    expect(await rpc.viewAccessKey(ALICE, KEY, { agreed: true })).not.toBeNull();
  });
});

describe('a provider that limits its requests (core 7)', () => {
  it('is asked nothing by any question before its Retry-After is over, and the others go on', async () => {
    const { chain } = make({ nodes: { [ONE]: [0], [TWO]: [0] } });
    let isLimited = true;
    const limited = () => new Response('', { status: 429, headers: { 'retry-after': '5' } });
    const askedOne: number[] = [];
    const rpc = createRpcClient({
      urls: [ONE, TWO],
      agreement: 2,
      fetch: async (url, init) => {
        if (!String(url).startsWith(ONE)) return chain.fetch(url, init);
        askedOne.push(Date.now());
        return isLimited ? limited() : chain.fetch(url, init);
      },
    });
    const begun = Date.now();
    await rpc.viewAccount(ALICE);
    isLimited = false;
    const agreed = [rpc.viewAccount(ALICE, { agreed: true }), rpc.viewAccessKeyList(ALICE, { agreed: true })];
    await Promise.all(agreed);
    expect(askedOne[0]).toBe(begun);
    expect(askedOne.slice(1).every((at) => at >= begun + 5_000)).toBe(true);
  });
});

describe('an account with more keys than one page (core 7)', () => {
  const KEYS = 230;
  const many = (chain: LaggingChain) => {
    chain.write(({ accounts }) => {
      const keys = accounts.get(ALICE);
      for (let key = 0; key < KEYS; key += 1)
        keys?.set(`ed25519:${String(key).padStart(4, '0')}`, 'FullAccess');
    });
    chain.head += 20;
  };

  it.each([1, 2])('is read page by page at one block, by %i providers', async (agreement) => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 3], [TWO]: [0] } }, agreement);
    many(chain);
    const { keys, block_height, last_key } = await rpc.viewAccessKeyList(ALICE, { agreed: true });
    expect(new Set(keys.map(({ public_key }) => public_key)).size).toBe(KEYS + 1);
    expect(last_key).toBeUndefined();
    const pages = chain.asked.filter(({ height }) => height === block_height);
    expect(pages.length).toBeGreaterThanOrEqual(3);
  });

  it('is read in one call from a node that knows no pages', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    await rpc.viewAccessKeyList(ALICE);
    expect(chain.asked).toHaveLength(1);
  });

  it('is an error from a node whose pages do not end', async () => {
    const asked: unknown[] = [];
    const rpc = createRpcClient({
      urls: ONE,
      fetch: async (_url, init) => {
        asked.push(JSON.parse(String(init?.body)).params);
        const key = { public_key: KEY, access_key: { nonce: 1, permission: 'FullAccess' } };
        const result = { keys: [key], last_key: KEY, block_height: 7, block_hash: '1'.repeat(32) };
        return new Response(JSON.stringify({ jsonrpc: '2.0', id: '1', result }));
      },
    });
    expect(await failureOf(rpc.viewAccessKeyList(ALICE))).toMatchObject({ kind: 'malformed' });
    expect(asked[0]).toMatchObject({ limit: 100, finality: 'final' });
    expect(asked[1]).toEqual({
      request_type: 'view_access_key_list',
      account_id: ALICE,
      limit: 100,
      after_key: KEY,
      block_id: '1'.repeat(32),
    });
  });
});

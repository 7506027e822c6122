import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { createRpcClient, isTransient, rpcFailure } from './index.js';
import { hashOf, LaggingChain, type LaggingChainOptions } from './testing/lagging-chain.js';
import {
  BAD_GATEWAY,
  blockAt,
  HASH,
  handlerError,
  keyWithNonce,
  type Reply,
  scriptedNodes,
} from './testing/scripted-node.js';

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

describe('a write that the client knows by the hash of its block (core 7)', () => {
  it('is looked up before a view that must show it, which then asks no node below it', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    rpc.noteWrite(hashOf(chain.addKey(ALICE, KEY)));
    chain.head += 2;
    const { keys } = await rpc.viewAccessKeyList(ALICE, { afterWrites: true });
    expect(keys).toHaveLength(2);
    const [first, ...others] = chain.asked.map(({ method }) => method);
    expect([first, others.at(-1)]).toEqual(['block', 'view_access_key_list']);
    expect(chain.heights('view_access_key_list')).toHaveLength(1);
  });

  it('costs no look-up where its height is known, and the view none where a node has it', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    rpc.noteWrite(chain.addKey(ALICE, KEY));
    chain.head += 2;
    await rpc.viewAccessKeyList(ALICE, { afterWrites: true });
    expect(chain.asked.map(({ method }) => method)).toEqual(['view_access_key_list']);
  });

  it('lets an empty answer from below it not stand', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8, 0] } });
    chain.write(({ views }) => views.set('list', []));
    chain.head += 100;
    rpc.noteWrite(hashOf(chain.write(({ views }) => views.set('list', ['passkey']))));
    chain.head += 2;
    const isNo = (list: readonly string[]) => list.length === 0;
    const asked = rpc.callFunctionJson(v.array(v.string()), 'c.testnet', 'list', {}, { isNo });
    expect(await asked).toEqual(['passkey']);
  });

  it('is looked up after an earlier one was', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    const noteAndAsk = async () => {
      const added = chain.addKey('bob.testnet', KEY);
      chain.head += 2;
      rpc.noteWrite(hashOf(added));
      await rpc.viewAccount('none.testnet');
      return added;
    };
    const written = [await noteAndAsk(), await noteAndAsk()];
    expect(chain.heights('block')).toEqual(written);
  });

  it.each([
    [32, 32],
    [33, 32],
    [40, 32],
  ])('is one of the newest 32: of %i, %i are looked up', async (notes, lookedUp) => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] }, blocksPerRequest: 0 });
    const heights = Array.from({ length: notes }, (_, index) => chain.head - 90 + index);
    for (const height of heights) rpc.noteWrite(hashOf(height));
    expect(await rpc.viewAccessKey(ALICE, KEY)).toBeNull();
    expect(chain.heights('block')).toEqual(heights.slice(-lookedUp));
  });

  it('is placed by any reading of its block', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    const written = chain.addKey(ALICE, KEY);
    chain.head += 2;
    rpc.noteWrite(hashOf(written));
    await rpc.block({ blockId: hashOf(written) });
    expect(await rpc.viewAccessKey(ALICE, 'ed25519:none')).toBeNull();
    expect(chain.heights('block')).toEqual([written]);
  });

  it('is no block that a caller only reads', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] }, blocksPerRequest: 0 });
    await rpc.block({ blockId: hashOf(chain.head) });
    expect(await rpc.viewAccessKey(ALICE, KEY)).toBeNull();
    expect(chain.asked).toHaveLength(2);
  });
});

describe('a view of one block (core 7)', () => {
  const view = (height: number, agreed = false) => ({ blockHash: hashOf(height), agreed });

  it('shows the state after it, in one call, although newer blocks were seen', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    const before = chain.head;
    rpc.noteWrite(chain.addKey(ALICE, KEY));
    chain.head += 10;
    expect(await rpc.viewAccessKey(ALICE, KEY, view(before))).toBeNull();
    expect((await rpc.viewAccessKeyList(ALICE, view(before))).keys).toHaveLength(1);
    expect(await rpc.viewAccount(ALICE, view(before))).toMatchObject({ block_height: before });
    expect(await rpc.viewAccessKey(ALICE, KEY, view(chain.head - 3))).not.toBeNull();
    expect(chain.asked).toHaveLength(4);
  });

  it('names the block by its hash, and no finality', async () => {
    const { client, requests } = scriptedNodes({ one: { query: [keyWithNonce(5n)] } });
    await client.viewAccessKey(ALICE, KEY, { blockHash: HASH, finality: 'optimistic' });
    expect(requests).toEqual([
      {
        node: 'one',
        method: 'query',
        params: { request_type: 'view_access_key', account_id: ALICE, public_key: KEY, block_id: HASH },
      },
    ]);
  });

  it.each([false, true])(
    'asks a node that does not have it yet again (two must agree: %s)',
    async (agreed) => {
      const { chain, rpc } = make({ nodes: { [ONE]: [8, 8, 0], [TWO]: [8, 0] } }, agreed ? 2 : 1);
      const height = chain.addKey(ALICE, KEY);
      expect(await rpc.viewAccessKey(ALICE, KEY, view(height, agreed))).not.toBeNull();
    },
  );

  it('fails in the words of the node where none ever has it', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] }, blocksPerRequest: 0 });
    const begun = Date.now();
    const failure = await failureOf(rpc.viewAccount(ALICE, view(chain.head + 5)));
    expect(failure).toMatchObject({ kind: 'node', causeName: 'UNKNOWN_BLOCK' });
    expect(chain.asked).toHaveLength(6);
    expect(Date.now() - begun).toBe(2_000);
  });

  it('fails at once for any other failure', async () => {
    const { client, requests } = scriptedNodes({ one: { query: [BAD_GATEWAY] } });
    expect(await failureOf(client.viewAccount(ALICE, { blockHash: HASH }))).toMatchObject({ kind: 'http' });
    expect(requests).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['an answer', { result: { ...keyWithNonce(5n).result, block_hash: hashOf(9) } }],
    ['a refusal', handlerError('UNKNOWN_ACCESS_KEY', { block_height: 9, block_hash: hashOf(9) }, 'no key')],
  ])('refuses %s of another block', async (_, reply) => {
    const { client } = scriptedNodes({ one: { query: [reply] } });
    expect(await failureOf(client.viewAccessKey(ALICE, KEY, { blockHash: HASH }))).toMatchObject({
      kind: 'malformed',
      message: `RPC request failed: asked about block ${HASH}, a node answered for ${hashOf(9)}`,
    });
  });

  it.each<[string, Reply]>([
    ['of that block', handlerError('UNKNOWN_ACCESS_KEY', { block_height: 7, block_hash: HASH }, 'no key')],
    ['without a block', handlerError('UNKNOWN_ACCESS_KEY', {}, 'no key')],
  ])('believes a refusal %s', async (_, reply) => {
    const { client } = scriptedNodes({ one: { query: [reply] } });
    expect(await client.viewAccessKey(ALICE, KEY, { blockHash: HASH })).toBeNull();
  });

  it('is compared between as many nodes as must agree, and asked of one where none must', async () => {
    const refusal = handlerError('UNKNOWN_ACCESS_KEY', { block_height: 7, block_hash: HASH }, 'no key');
    const asking = (agreement: number, agreed: boolean | undefined) => {
      const script = { honest: { query: [keyWithNonce(5n)] }, liar: { query: [refusal] } };
      const { client, requests } = scriptedNodes(script, { agreement });
      return { requests, asked: client.viewAccessKey(ALICE, KEY, { blockHash: HASH, agreed }) };
    };
    expect(await failureOf(asking(2, true).asked)).toMatchObject({ code: 'RPC_DISAGREEMENT' });
    for (const { requests, asked } of [asking(1, true), asking(2, false), asking(2, undefined)]) {
      expect(await asked).not.toBeNull();
      expect(requests).toHaveLength(1);
    }
  });

  it.each([false, true])(
    'ends with the reason of the caller who aborts (two must agree: %s)',
    async (agreed) => {
      const script = { one: { query: ['silence'] }, two: { query: ['silence'] } } as const;
      const { client } = scriptedNodes(script, { agreement: 2 });
      const stopping = new AbortController();
      const asked = client.viewAccount(ALICE, { blockHash: HASH, agreed, signal: stopping.signal });
      setTimeout(() => stopping.abort(new Error('enough')), 100);
      await expect(asked).rejects.toThrow('enough');
    },
  );
});

describe('a failure that is no "no" (core 7)', () => {
  const views: [
    string,
    (rpc: ReturnType<typeof createRpcClient>, signal?: AbortSignal) => Promise<unknown>,
  ][] = [
    ['key', (rpc, signal) => rpc.viewAccessKey(ALICE, KEY, { signal })],
    ['gas key', (rpc, signal) => rpc.viewGasKeyNonces(ALICE, KEY, { signal })],
    ['list of keys', (rpc, signal) => rpc.viewAccessKeyList(ALICE, { signal })],
    ['account', (rpc, signal) => rpc.viewAccount(ALICE, { signal })],
  ];

  it.each(views)('of a node tells nothing about the %s', async (_, ask) => {
    const { client } = scriptedNodes({ one: { query: [BAD_GATEWAY] } });
    expect(await failureOf(ask(client))).toMatchObject({ kind: 'http', status: 502 });
  });

  it.each(views)('of the contract, with its block, tells nothing about the %s', async (_, ask) => {
    const error = 'wasm execution failed with error: no';
    const { client } = scriptedNodes({
      one: { query: [{ result: { error, block_height: 7, block_hash: HASH } }] },
    });
    expect(await failureOf(ask(client))).toMatchObject({ kind: 'contract' });
  });

  it.each(views)('is the reason of a caller who aborts the view of the %s', async (_, ask) => {
    const { client } = scriptedNodes({ one: { query: ['silence'] } });
    const stopping = new AbortController();
    const asked = ask(client, stopping.signal);
    setTimeout(() => stopping.abort(new Error('enough')), 100);
    await expect(asked).rejects.toThrow('enough');
  });

  it('is a list of no keys whose block the node does not name', async () => {
    const unplaced = handlerError('UNKNOWN_ACCOUNT', {}, 'no account');
    const { client } = scriptedNodes({ one: { query: [unplaced] } });
    expect(await failureOf(client.viewAccessKeyList(ALICE))).toMatchObject({ kind: 'unknown_account' });
  });
});

describe('the nonces of a gas key (core 7)', () => {
  it('are read by the name of the node, and null where there is no such key', async () => {
    const nonces = { nonces: [4, 5], block_height: 7, block_hash: HASH };
    const { client, requests } = scriptedNodes({
      one: { query: [{ result: nonces }, handlerError('UNKNOWN_GAS_KEY', {}, 'no such gas key')] },
    });
    expect(await client.viewGasKeyNonces(ALICE, KEY)).toEqual(nonces);
    expect(requests[0]?.params).toEqual({
      request_type: 'view_gas_key_nonces',
      account_id: ALICE,
      public_key: KEY,
      finality: 'final',
    });
    expect(await client.viewGasKeyNonces(ALICE, KEY)).toBeNull();
  });
});

describe('the keys of an account (core 7)', () => {
  it('are asked for again where a node that lags has no such account yet', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 8] } });
    chain.addKey('bob.testnet', KEY);
    chain.head += 2;
    await rpc.block();
    expect((await rpc.viewAccessKeyList('bob.testnet')).keys).toHaveLength(1);
  });

  it('are first asked for at the final block where two nodes must agree, then at the older block', async () => {
    const list = (block_height: number, ...keys: string[]) => ({
      result: {
        keys: keys.map((public_key) => ({ public_key, access_key: { nonce: 1, permission: 'FullAccess' } })),
        block_height,
        block_hash: hashOf(block_height),
      },
    });
    const { client, requests } = scriptedNodes(
      { one: { query: [list(9, KEY), list(7)] }, two: { query: [list(7)] } },
      { agreement: 2 },
    );
    const params = { request_type: 'view_access_key_list', account_id: ALICE, limit: 100 };
    expect((await client.viewAccessKeyList(ALICE, { agreed: true, isNo: () => false })).keys).toEqual([]);
    expect(requests.map((request) => request.params)).toEqual([
      { ...params, finality: 'final' },
      { ...params, finality: 'final' },
      { ...params, block_id: 7 },
    ]);
  });
});

describe('the newest block (core 7)', () => {
  it('costs no request while the last one is young, and one after that', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    const block = await rpc.block();
    vi.setSystemTime(Date.now() + 1_000);
    expect(await rpc.block(undefined, { maxAgeMs: 1_000 })).toEqual(block);
    expect(chain.asked).toHaveLength(1);
    expect(await rpc.block(undefined, { maxAgeMs: 999 })).not.toEqual(block);
    await rpc.block();
    expect(chain.asked).toHaveLength(3);
  });

  it('is never given for another block', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    await rpc.block();
    const { header } = await rpc.block({ blockId: 1_000 }, { maxAgeMs: 60_000 });
    expect(header.height).toBe(1_000);
    expect(chain.asked).toHaveLength(2);
  });

  it('is known from any young answer, else asked for', async () => {
    const { client, requests } = scriptedNodes({
      one: { query: [keyWithNonce(5n, 7)], block: [blockAt(8)] },
    });
    expect(await client.head(1_000)).toMatchObject({ height: 8, hash: HASH });
    expect(requests).toEqual([{ node: 'one', method: 'block', params: { finality: 'final' } }]);
    vi.setSystemTime(Date.now() + 2_000);
    await client.viewAccessKey(ALICE, KEY, { finality: 'optimistic' });
    expect(await client.head(1_000)).toMatchObject({ height: 8 });
    expect(requests).toHaveLength(3);
    expect(await client.head(1_000)).toMatchObject({ height: 8 });
    expect(requests).toHaveLength(3);
  });

  it('is refused to the caller who aborts', async () => {
    const { client } = scriptedNodes({ one: { block: [blockAt(8)] } });
    await expect(client.head(0, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
  });
});

describe('a block that decisions depend on (core 7)', () => {
  const agreed = { agreed: true };
  const fork = (height: number) => ({
    result: { header: { height, hash: hashOf(1), timestamp_nanosec: '1' } },
  });

  it('is asked of the next node where the first is below the blocks seen', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 8], [TWO]: [0] } });
    const { header } = await rpc.block();
    expect((await rpc.block(undefined, agreed)).header.height).toBeGreaterThan(header.height);
    expect(chain.asked.map(({ url }) => url)).toEqual([ONE, ONE, TWO]);
  });

  it('counts from the height that was seen, and is the one of the caller where he names it', async () => {
    const script = {
      one: { block: [blockAt(8), blockAt(8), blockAt(7), blockAt(5)] },
      two: { block: [blockAt(9)] },
    };
    const { client, requests } = scriptedNodes(script, { agreement: 1 });
    await client.block();
    expect((await client.block({ finality: 'final' }, agreed)).header.height).toBe(8);
    expect((await client.block({ finality: 'final' }, agreed)).header.height).toBe(9);
    expect((await client.block({ blockId: 5 }, agreed)).header.height).toBe(5);
    expect(requests.map(({ node }) => node)).toEqual(['one', 'one', 'one', 'two', 'one']);
    expect(requests.at(-1)?.params).toEqual({ block_id: 5 });
  });

  it('is the older one of two nodes, if the other knows it', async () => {
    const { client, requests } = scriptedNodes(
      { one: { block: [blockAt(9), blockAt(8)] }, two: { block: [blockAt(8)] } },
      { agreement: 2 },
    );
    expect((await client.block({ finality: 'final' }, agreed)).header.height).toBe(8);
    expect(requests.map(({ params }) => params)).toEqual([
      { finality: 'final' },
      { finality: 'final' },
      { block_id: 8 },
    ]);
  });

  it.each([
    ['the hash', fork(8)],
    ['the time', { result: { header: { height: 8, hash: HASH, timestamp_nanosec: '2' } } }],
    ['the hash of an older block', fork(6)],
  ])('fails where two nodes differ in %s', async (_, other) => {
    const { client } = scriptedNodes(
      { one: { block: [blockAt(8)] }, two: { block: [other] } },
      { agreement: 2 },
    );
    const failure = await failureOf(client.block({ finality: 'final' }, agreed));
    expect(failure).toMatchObject({ code: 'RPC_DISAGREEMENT' });
  });

  it('is asked for again where a node does not have it yet', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8, 8, 0], [TWO]: [0] } }, 2);
    const { height } = (await rpc.block({ blockId: chain.head }, agreed)).header;
    expect(chain.heights('block')).toEqual([height, height, height, height]);
  });

  it('ends with the reason of the caller who aborts', async () => {
    const script = { one: { block: ['silence'] }, two: { block: ['silence'] } } as const;
    for (const agreement of [1, 2]) {
      const { client } = scriptedNodes(script, { agreement });
      const stopping = new AbortController();
      const asked = client.block({ finality: 'final' }, { ...agreed, signal: stopping.signal });
      setTimeout(() => stopping.abort(new Error('enough')), 100);
      await expect(asked).rejects.toThrow('enough');
    }
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

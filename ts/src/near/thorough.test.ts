/** How long a view waits for nodes that lag, and what ends the wait. */
import { describe, expect, it, vi } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { createRpcClient, type RpcFailure, rpcFailure } from './index.js';
import { hashOf, LaggingChain, type LaggingChainOptions } from './testing/lagging-chain.js';
import {
  BAD_GATEWAY,
  blockAt,
  handlerError,
  keyWithNonce,
  type Reply,
  type Script,
  scriptedNodes,
  UNKNOWN_KEY,
} from './testing/scripted-node.js';
import { heightOfBlock } from './thorough.js';

skipWaits();

const ALICE = 'alice.testnet';
const KEY = 'ed25519:key';
const ONE = 'https://one.example';
const TWO = 'https://two.example';

/** A client of a chain that grows by time alone, on which the account has one other key. */
function make(options: LaggingChainOptions) {
  const chain = new LaggingChain({ blocksPerRequest: 0, ...options });
  chain.addKey(ALICE, 'ed25519:first');
  chain.head += 1_000;
  return { chain, rpc: createRpcClient({ urls: chain.urls, fetch: chain.fetch, agreement: 1 }) };
}

interface End<T> extends Partial<RpcFailure> {
  readonly value?: T;
  readonly message?: string;
}

/** What the work ends with, and how long it takes. */
async function timed<T>(work: Promise<T>) {
  const begun = Date.now();
  const end = await work.then(
    (value): End<T> => ({ value }),
    (error: unknown): End<T> => ({ message: (error as Error).message, ...rpcFailure(error) }),
  );
  return { ...end, tookMs: Date.now() - begun };
}

const noKey = (block_height: number): Reply =>
  handlerError('UNKNOWN_ACCESS_KEY', { block_height, block_hash: hashOf(block_height) }, 'no key');

describe('the wait for nodes that lag (core 7)', () => {
  const wait = async (lag: number, growth: Partial<LaggingChainOptions> = {}) => {
    const { chain, rpc } = make({ nodes: { [ONE]: [lag] }, ...growth });
    rpc.noteWrite(chain.addKey(ALICE, KEY));
    return timed(rpc.viewAccessKey(ALICE, KEY));
  };

  it('ends after twelve seconds and a pause at most where no block comes', async () => {
    const { message, tookMs } = await wait(8);
    expect(message).toContain('the node lags');
    expect(tookMs).toBeGreaterThan(11_000);
    expect(tookMs).toBeLessThanOrEqual(13_800);
  });

  it('lasts for twenty blocks where they take a second each', async () => {
    expect(await wait(17, { blockMs: 1_000 })).toMatchObject({ value: { permission: 'FullAccess' } });
    const { message, tookMs } = await wait(60, { blockMs: 1_000 });
    expect(message).toContain('the node lags');
    expect(tookMs).toBeGreaterThan(18_000);
    expect(tookMs).toBeLessThanOrEqual(23_000);
  });

  it('lasts for twelve seconds, however many blocks come', async () => {
    expect(await wait(80, { blockMs: 100 })).toMatchObject({ value: { permission: 'FullAccess' } });
  });

  it('ends after a minute and a pause at most where blocks still come', async () => {
    const { message, tookMs } = await wait(60, { blockMs: 8_000 });
    expect(message).toContain('the node lags');
    expect(tookMs).toBeGreaterThan(57_000);
    expect(tookMs).toBeLessThanOrEqual(63_600);
  });

  it('ends twelve seconds after the last block', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8] } });
    rpc.noteWrite(chain.addKey(ALICE, KEY));
    setTimeout(() => {
      chain.head += 1;
    }, 5_000);
    const { message, tookMs } = await timed(rpc.viewAccessKey(ALICE, KEY));
    expect(message).toContain('the node lags');
    expect(tookMs).toBeGreaterThan(16_000);
    expect(tookMs).toBeLessThanOrEqual(18_600);
  });

  it('asks for the newest block in pauses that grow to 0.6 s, and repeats the view once it is there', async () => {
    const { chain } = make({ nodes: { [ONE]: [0] } });
    const asked: number[] = [];
    const begun = Date.now();
    const rpc = createRpcClient({
      urls: ONE,
      fetch: (url, init) => {
        asked.push(Date.now() - begun);
        return chain.fetch(url, init);
      },
    });
    rpc.noteWrite(chain.head - 1);
    setTimeout(() => {
      chain.head += 1;
    }, 3_000);
    expect(await rpc.viewAccessKey(ALICE, KEY)).toBeNull();
    expect(asked).toEqual([0, 150, 375, 712, 1_218, 1_818, 2_418, 3_018, 3_018]);
    expect(chain.asked.map(({ method }) => method)).toEqual([
      'view_access_key',
      ...Array(7).fill('block'),
      'view_access_key',
    ]);
  });
});

describe('a node below the blocks seen (core 7)', () => {
  it.each([
    [100, 'lags'],
    [101, 'has begun again'],
  ])('by %i blocks %s', async (below, what) => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0], [TWO]: [0] } });
    await rpc.block();
    chain.head -= below;
    const { length } = chain.asked;
    const { message, value } = await timed(rpc.viewAccessKey(ALICE, KEY));
    if (what === 'lags') expect(message).toContain('the node lags');
    else {
      expect(value).toBeNull();
      expect(chain.asked.length - length).toBeLessThanOrEqual(5);
    }
  });

  it('counts at once where all have begun again, although one is a little ahead', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0], [TWO]: [0] }, blocksPerRequest: 1 });
    await rpc.block();
    chain.head -= 500;
    const { length } = chain.asked;
    expect(await rpc.viewAccessKey(ALICE, KEY)).toBeNull();
    expect(chain.asked.length - length).toBe(4);
  });

  it('lags where another still shows those blocks', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0, 500, 0], [TWO]: [0, 500] }, blockMs: 600 });
    chain.head += 1_000;
    chain.addKey(ALICE, KEY);
    chain.head += 5;
    await rpc.block();
    expect(await rpc.viewAccessKey(ALICE, KEY)).not.toBeNull();
  });

  it('has not begun again where no node shows a block', async () => {
    const { client, methods } = scriptedNodes({
      one: { query: [keyWithNonce(5n, 1_000), noKey(7), noKey(1_000)], block: [BAD_GATEWAY] },
    });
    await client.viewAccessKey(ALICE, KEY);
    expect((await timed(client.viewAccessKey(ALICE, KEY))).value).toBeNull();
    expect(methods().filter((method) => method === 'query')).toHaveLength(3);
  });
});

describe('a "no" that must be sure (core 7)', () => {
  it('comes from ten blocks above the first that was seen', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] }, blockMs: 600 });
    const { value, tookMs } = await timed(rpc.viewAccessKey(ALICE, KEY, { certain: true }));
    expect(value).toBeNull();
    const heights = chain.heights('view_access_key');
    expect(heights.at(-1)! - heights[0]!).toBeGreaterThanOrEqual(10);
    expect(tookMs).toBeLessThan(8_000);
  });

  it('comes twice, the second time from what each provider shows now', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8], [TWO]: [0] }, blockMs: 600 });
    chain.addKey(ALICE, KEY);
    chain.head += 3;
    expect(await rpc.viewAccessKey(ALICE, KEY, { twice: true })).not.toBeNull();
  });

  it('comes twice from two blocks, with no further wait', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] }, blockMs: 600 });
    const { value, tookMs } = await timed(rpc.viewAccessKey(ALICE, KEY, { twice: true }));
    expect(value).toBeNull();
    expect(tookMs).toBeLessThan(2_000);
    const heights = chain.heights('view_access_key');
    expect(heights).toHaveLength(2);
    expect(heights[1]).toBeGreaterThan(heights[0]!);
  });

  it('does not stand while no node shows a newer block, and says so', async () => {
    const { rpc } = make({ nodes: { [ONE]: [0] } });
    const { kind, message } = await timed(rpc.viewAccessKey(ALICE, KEY, { twice: true }));
    expect(kind).toBe('node');
    expect(message).toContain('the node shows no newer block, so its answer could not be checked');
  });

  it.each(['twice', 'certain'])('stands after three looks at nodes that name no block (%s)', async (how) => {
    const { client, methods } = scriptedNodes({ one: { query: [UNKNOWN_KEY], block: [BAD_GATEWAY] } });
    expect(await client.viewAccessKey(ALICE, KEY, { [how]: true })).toBeNull();
    expect(methods().filter((method) => method === 'query')).toHaveLength(3);
  });

  it('does not stand on one block, however often nodes repeat it', async () => {
    const block = Array.from({ length: 60 }, (_, index) => blockAt(7 + index));
    const { client } = scriptedNodes({ one: { query: [noKey(7)], block } });
    const end = await timed(client.viewAccessKey(ALICE, KEY, { twice: true }));
    expect(end).toMatchObject({ kind: 'node' });
  });

  it('waits for a block that someone names, from the first question on', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [14] }, blockMs: 600 });
    const heldAt = chain.addKey(ALICE, KEY);
    expect(await rpc.viewAccessKey(ALICE, KEY, { certain: true, heldAt })).not.toBeNull();
  });

  it('stands at once where it need not be sure', async () => {
    const { client, methods } = scriptedNodes({ one: { query: [UNKNOWN_KEY] } });
    expect(await client.viewAccessKey(ALICE, KEY)).toBeNull();
    expect(methods()).toEqual(['query']);
  });

  it('is no answer that shows it: that one counts at once', async () => {
    const { client, methods } = scriptedNodes({ one: { query: [keyWithNonce(5n)] } });
    expect(await client.viewAccessKey(ALICE, KEY, { certain: true })).not.toBeNull();
    expect(methods()).toEqual(['query']);
  });

  it('is no request that the node calls invalid: that fails at once', async () => {
    const invalid = { error: { name: 'REQUEST_VALIDATION_ERROR', data: 'no such field' } };
    const { client, methods } = scriptedNodes({ one: { query: [invalid] } });
    const { kind } = await timed(client.viewAccessKey(ALICE, KEY, { certain: true }));
    expect(kind).toBe('invalid_request');
    expect(methods()).toEqual(['query']);
  });

  it.each([
    [20, true],
    [21, false],
  ])('is not waited for at a block that someone names %i above those shown: %s', async (above, isFound) => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] }, blockMs: 600 });
    await rpc.block();
    vi.setSystemTime(Date.now() + 1);
    // The clock has settled already, so that the named block alone decides.
    chain.head += 10;
    await rpc.block();
    const final = chain.head - 2;
    const heldAt = final + above;
    setTimeout(() => chain.addKey(ALICE, KEY), 3_000);
    const { value } = await timed(rpc.viewAccessKey(ALICE, KEY, { certain: true, heldAt }));
    expect(value !== null).toBe(isFound);
  });
});

describe('an answer that must be new (core 7)', () => {
  it('comes from ten blocks above the first that was seen, whatever it is', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [8] }, blockMs: 600 });
    chain.addKey(ALICE, KEY);
    chain.deleteKey(ALICE, KEY);
    chain.head += 3;
    const { keys } = await rpc.viewAccessKeyList(ALICE, { newest: true });
    expect(keys).toHaveLength(1);
    const heights = chain.heights('view_access_key_list');
    expect(heights.at(-1)! - heights[0]!).toBeGreaterThanOrEqual(10);
  });
});

describe('a node that fails while a view waits (core 7)', () => {
  const ask = (later: Reply) => {
    const script: Script = { query: [noKey(7), later, noKey(9)], block: [blockAt(8), blockAt(9)] };
    const { client, methods } = scriptedNodes({ one: script });
    return { methods, asked: timed(client.viewAccessKey(ALICE, KEY, { twice: true })) };
  };

  it('is asked again', async () => {
    const { asked, methods } = ask(BAD_GATEWAY);
    expect(await asked).toMatchObject({ value: null });
    expect(methods().filter((method) => method === 'query')).toHaveLength(3);
  });

  it('ends the wait where the failure stays', async () => {
    expect(await ask({ status: 404, text: '' }).asked).toMatchObject({ kind: 'http', status: 404 });
  });

  it('ends the view where it fails first', async () => {
    const { client, methods } = scriptedNodes({ one: { query: [BAD_GATEWAY] } });
    expect(await timed(client.viewAccessKey(ALICE, KEY, { twice: true }))).toMatchObject({ status: 502 });
    expect(methods()).toEqual(['query']);
  });

  it('is given up after twelve seconds', async () => {
    const { client } = scriptedNodes({ one: { query: [noKey(7), BAD_GATEWAY], block: [blockAt(8)] } });
    const end = await timed(client.viewAccessKey(ALICE, KEY, { twice: true }));
    expect(end).toMatchObject({ kind: expect.stringMatching(/http|node/) });
    expect(end.tookMs).toBeLessThanOrEqual(12_600);
  });
});

describe('the pages of a list of keys (core 7)', () => {
  const page = (last_key?: string | null, block = 7, ...keys: string[]): Reply => ({
    result: {
      keys: keys.map((public_key) => ({ public_key, access_key: { nonce: 1, permission: 'FullAccess' } })),
      last_key,
      block_height: block,
      block_hash: hashOf(block),
    },
  });
  const list = (...query: Reply[]) => {
    const { client, requests } = scriptedNodes({ one: { query } });
    return { requests, asked: timed(client.viewAccessKeyList(ALICE)) };
  };
  const endless = {
    kind: 'malformed',
    message: expect.stringContaining('the pages of the access keys do not end'),
  };

  it.each([null, undefined])('end where no next one is named (%s)', async (none) => {
    const { asked, requests } = list(page('a', 7, 'a'), page('b', 7, 'b'), page(none, 7, 'c'));
    const { value } = await asked;
    expect(value).toEqual({ ...value, block_height: 7, block_hash: hashOf(7) });
    expect(value?.keys.map(({ public_key }) => public_key)).toEqual(['a', 'b', 'c']);
    expect(value).not.toHaveProperty('last_key');
    expect(requests.map(({ params }) => params.after_key)).toEqual([undefined, 'a', 'b']);
  });

  it('are of one block', async () => {
    expect(await list(page('a', 7, 'a'), page(null, 8, 'b')).asked).toMatchObject(endless);
  });

  it('are never empty', async () => {
    const { asked, requests } = list(page('a', 7, 'a'), page('b', 7));
    expect(await asked).toMatchObject(endless);
    expect(requests).toHaveLength(2);
  });

  it('are 200 at most', async () => {
    const most = Array.from({ length: 199 }, () => page('a', 7, 'a'));
    const { value } = await list(...most, page(null, 7, 'a')).asked;
    expect(value?.keys).toHaveLength(200);
    const { asked, requests } = list(...most, page('a', 7, 'a'));
    expect(await asked).toMatchObject(endless);
    expect(requests).toHaveLength(201);
  });

  it('are asked for again where a node fails', async () => {
    const { asked, requests } = list(page('a', 7, 'a'), BAD_GATEWAY, page(null, 7, 'b'));
    expect((await asked).value?.keys).toHaveLength(2);
    expect(requests).toHaveLength(3);
  });
});

describe('a view that must show a write (core 7)', () => {
  it('is not asked before a node shows its block', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] }, blockMs: 600 });
    await rpc.block();
    const written = chain.addKey(ALICE, KEY);
    rpc.noteWrite(hashOf(written));
    const { keys } = await rpc.viewAccessKeyList(ALICE, { afterWrites: true });
    expect(keys).toHaveLength(2);
    const heights = chain.heights('view_access_key_list');
    expect(heights).toHaveLength(1);
    expect(heights[0]).toBeGreaterThanOrEqual(written);
  });

  it('is asked at once where a node has shown its block', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    const written = chain.addKey(ALICE, KEY);
    chain.head = written + 2;
    expect((await rpc.block()).header.height).toBe(written);
    rpc.noteWrite(hashOf(written));
    await rpc.viewAccessKeyList(ALICE, { afterWrites: true });
    expect(chain.asked.map(({ method }) => method)).toEqual(['block', 'block', 'view_access_key_list']);
  });
});

describe('the height of a block that a node has named (core 7)', () => {
  it('is 0 where no node knows the block', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    expect(await heightOfBlock(rpc, hashOf(chain.head))).toBe(chain.head);
    expect(await heightOfBlock(rpc, hashOf(chain.head + 1))).toBe(0);
  });

  it('is refused to the caller who aborts', async () => {
    const { client } = scriptedNodes({ one: { block: ['silence'] } });
    const stopping = new AbortController();
    const asked = heightOfBlock(client, hashOf(7), stopping.signal);
    setTimeout(() => stopping.abort(new Error('enough')), 100);
    await expect(asked).rejects.toThrow('enough');
  });
});

describe('a write whose block no node knows (core 7)', () => {
  it('is given up after two seconds, and keeps no later view', async () => {
    const { chain, rpc } = make({ nodes: { [ONE]: [0] } });
    rpc.noteWrite(hashOf(chain.head + 50));
    expect(await timed(rpc.viewAccessKey(ALICE, KEY))).toMatchObject({ value: null, tookMs: 2_000 });
    expect(await timed(rpc.viewAccessKey(ALICE, KEY))).toMatchObject({ value: null, tookMs: 0 });
  });
});

import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { CANCELLED, LatchkeyError } from '../errors/core.js';
import { skipWaits } from '../testing/skip-waits.js';
import { MAX_LAG_BLOCKS } from './agreed.js';
import { createRpcClient, rpcFailure } from './index.js';
import { handlerError, type Reply, scriptedNodes } from './testing/scripted-node.js';

skipWaits();

const OURS = 'ed25519:ours';
const THEIRS = 'ed25519:theirs';
const HEAD = 1_000;
const hashOf = (height: number, fork = 0) =>
  base58.encode(Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? height % 251 : at === 1 ? fork : 7)));

interface FakeNode {
  /** The account's keys at a height; undefined where there is no account. */
  keysAt: (height: number) => string[] | undefined;
  head?: number;
  fork?: number;
  /** What each key may do; everything unless set. */
  permission?: unknown;
  /** The bytes that a view call returns. */
  returns?: string;
  /** Number of requests that fail first. */
  failing?: number;
  /** Knows no block by height. */
  isForgetful?: boolean;
  /** Omits the block from its errors. */
  isTerse?: boolean;
  /** Answers for a missing account as nodes up to 2.14 do: an empty list, a missing key. */
  isEarlier?: boolean;
}

/** A client of fake nodes, `agreement` of which must agree; `asked` lists the nodes in call order. */
function client(nodes: Record<string, FakeNode>, agreement = 2) {
  const { rpc, asked } = ofUrls(
    Object.fromEntries(
      Object.entries(nodes).map(([name, node]) => [`https://${name}.example/key/SECRET`, node]),
    ),
    agreement,
  );
  return { asked, list: () => rpc.viewAccessKeyList('a.testnet', { agreed: true }) };
}

function ofUrls(nodes: Record<string, FakeNode>, agreement = 2) {
  const asked: string[] = [];
  const rpc = createRpcClient({
    urls: Object.keys(nodes),
    agreement,
    fetch: async (url, init) => {
      const name = new URL(String(url)).hostname.split('.')[0] ?? '';
      const { params } = JSON.parse(String(init?.body)) as { params: Asked };
      asked.push(params.block_id === undefined ? name : `${name}@${params.block_id}`);
      const answer = answerOf(nodes[String(url)] as FakeNode, params);
      return typeof answer === 'number'
        ? new Response('', { status: answer })
        : new Response(JSON.stringify({ jsonrpc: '2.0', id: '1', ...answer }));
    },
  });
  return { asked, rpc };
}

interface Asked {
  readonly request_type: string;
  readonly block_id?: number;
  readonly public_key?: string;
}

function answerOf(
  node: FakeNode,
  { request_type: kind, block_id: at, public_key: wanted }: Asked,
): number | object {
  if (node.failing) {
    node.failing -= 1;
    return 502;
  }
  if (at !== undefined && node.isForgetful) {
    return { error: { name: 'HANDLER_ERROR', cause: { name: 'UNKNOWN_BLOCK' }, message: 'unknown block' } };
  }
  const height = at ?? node.head ?? HEAD;
  const place = { block_height: height, block_hash: hashOf(height, node.fork) };
  if (kind === 'call_function') {
    return { result: { result: [...Buffer.from(node.returns ?? '')], logs: [], ...place } };
  }
  const keys = node.keysAt(height) ?? (node.isEarlier ? [] : undefined);
  if (!keys) {
    const info = node.isTerse ? {} : place;
    return { error: { name: 'HANDLER_ERROR', cause: { name: 'UNKNOWN_ACCOUNT', info }, data: 'no account' } };
  }
  const list = keys.map((public_key, nonce) => ({
    public_key,
    access_key: { nonce, permission: node.permission ?? 'FullAccess' },
  }));
  if (wanted === undefined) return { result: { keys: list, ...place } };
  const key = list.find(({ public_key }) => public_key === wanted);
  if (key) return { result: { ...key.access_key, ...place } };
  const cause = { name: 'UNKNOWN_ACCESS_KEY', info: { ...place, public_key: wanted } };
  return { error: { name: 'HANDLER_ERROR', cause, data: 'no such key' } };
}

const always =
  (...keys: string[]) =>
  () =>
    keys;
/** The account exists from that height on. */
const from = (height: number) => (at: number) => (at >= height ? [OURS] : undefined);

const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    (): Error & { code?: string } => new Error('no error'),
    (error: unknown) => error as Error & { code?: string },
  );

describe('a question that two nodes must agree on', () => {
  it('costs one call each when both give the same answer', async () => {
    const { list, asked } = client({ one: { keysAt: always(OURS) }, two: { keysAt: always(OURS) } });
    expect((await list()).keys).toMatchObject([{ public_key: OURS }]);
    expect(asked).toEqual(['one', 'two']);
  });

  it('has one answer whatever the order of the keys and of the fields of a permission', async () => {
    const call = { receiver_id: 'a.testnet', allowance: null, method_names: ['m'] };
    const turned = { method_names: ['m'], allowance: null, receiver_id: 'a.testnet' };
    const { list } = client({
      one: { keysAt: always(OURS, THEIRS), permission: { FunctionCall: call } },
      two: { keysAt: always(THEIRS, OURS), permission: { FunctionCall: turned } },
    });
    expect((await list()).keys).toHaveLength(2);
  });

  it('goes to one node when no agreement is configured', async () => {
    const { list, asked } = client({ one: { keysAt: always(OURS) }, two: { keysAt: always(THEIRS) } }, 1);
    expect((await list()).keys).toHaveLength(1);
    expect(asked).toEqual(['one']);
  });

  it.each<[string, FakeNode]>([
    ['another key', { keysAt: always(THEIRS) }],
    ['one key more', { keysAt: always(OURS, THEIRS) }],
    [
      'another permission of the key',
      {
        keysAt: always(OURS),
        permission: { FunctionCall: { allowance: null, receiver_id: 'a.testnet', method_names: [] } },
      },
    ],
    ['no account', { keysAt: () => undefined }],
    ['no account, without naming the block', { keysAt: () => undefined, isTerse: true }],
    ['another block of that height', { keysAt: always(OURS), fork: 1 }],
    ['another key both at a later block and at the same one', { keysAt: always(THEIRS), head: HEAD + 3 }],
    ['another key at an earlier block', { keysAt: always(THEIRS), head: HEAD - 3 }],
  ])('fails when one node reports %s, and names both nodes without their keys [S43]', async (_, liar) => {
    const honest: FakeNode = { keysAt: always(OURS) };
    for (const nodes of [
      { honest, liar },
      { liar, honest },
    ]) {
      const error = await failureOf(client(nodes).list());
      expect(error).toMatchObject({ code: 'RPC_DISAGREEMENT' });
      expect(error.message).toContain('https://honest.example');
      expect(error.message).toContain('https://liar.example');
      expect(error.message).not.toContain('SECRET');
    }
  });

  it('goes to two providers, not to two addresses of one', async () => {
    const { rpc } = ofUrls({
      'https://liar.example/a': { keysAt: always(OURS, THEIRS) },
      'https://liar.example/b': { keysAt: always(OURS, THEIRS) },
      'https://honest.example': { keysAt: always(OURS) },
    });
    const error = await failureOf(rpc.viewAccessKeyList('a.testnet', { agreed: true }));
    expect(error.code).toBe('RPC_DISAGREEMENT');
  });

  it('compares both nodes at the older block when one lags', async () => {
    const { list, asked } = client({
      ahead: { keysAt: from(HEAD), head: HEAD + 1 },
      behind: { keysAt: from(HEAD), head: HEAD - 5 },
    });
    expect(await list()).toMatchObject({ keys: [], block_height: HEAD - 5 });
    expect(asked).toEqual(['ahead', 'behind', `ahead@${HEAD - 5}`]);
  });

  it("returns the older block's answer when both answers match [S80]", async () => {
    const { list, asked } = client({
      ahead: { keysAt: always(OURS), head: HEAD + 9 },
      behind: { keysAt: always(OURS), head: HEAD },
    });
    expect((await list()).block_height).toBe(HEAD);
    expect(asked).toHaveLength(2);
  });

  it('accepts a node that lags by just as much as is allowed', async () => {
    const { list } = client({
      ahead: { keysAt: always(OURS), head: HEAD + MAX_LAG_BLOCKS },
      behind: { keysAt: always(OURS), head: HEAD },
    });
    expect((await list()).block_height).toBe(HEAD);
  });

  it('rejects a node that lags too far, so an old block cannot pass as the newest [S80]', async () => {
    const error = await failureOf(
      client({
        ahead: { keysAt: always(OURS), head: HEAD + MAX_LAG_BLOCKS + 1 },
        behind: { keysAt: always(OURS), head: HEAD },
      }).list(),
    );
    expect(rpcFailure(error)).toMatchObject({ kind: 'node' });
    expect(error.message).toMatch(/behind\.example is 101 blocks behind/);
  });

  it('fails at once where both nodes have answered for one block', async () => {
    const { list, asked } = client({ one: { keysAt: always(OURS) }, two: { keysAt: always(THEIRS) } });
    expect(await failureOf(list())).toMatchObject({
      code: 'RPC_DISAGREEMENT',
      details: { nodes: ['https://one.example', 'https://two.example'] },
    });
    expect(asked).toEqual(['one', 'two']);
  });

  it('asks no more nodes than still have to answer', async () => {
    const works: FakeNode = { keysAt: always(OURS) };
    const { list, asked } = client({ one: { ...works, failing: 1 }, two: works, three: works, four: works });
    expect((await list()).keys).toHaveLength(1);
    expect(asked).toEqual(['one', 'two', 'three']);
  });

  it('says how many nodes answered, and what the last one failed with', async () => {
    const works: FakeNode = { keysAt: always(OURS) };
    const message = 'RPC request failed: 2 nodes must agree, and 1 answered';
    expect((await failureOf(client({ one: works }).list())).message).toBe(message);
    const { list } = client({ one: works, two: { ...works, failing: 9 } });
    expect((await failureOf(list())).message).toBe(`${message}: RPC request failed: 502`);
  });

  it.each([new Error('enough'), new LatchkeyError(CANCELLED)])(
    'ends with the reason of the caller who aborts, and asks no further node: %s',
    async (reason) => {
      const script = { one: { query: ['silence'] }, two: { query: ['silence'] }, three: {} } as const;
      const calls: string[] = [];
      const { client: rpc } = scriptedNodes(script, { agreement: 2, onCall: ({ node }) => calls.push(node) });
      const stopping = new AbortController();
      const asked = rpc.viewAccessKeyList('a.testnet', { agreed: true, signal: stopping.signal });
      setTimeout(() => stopping.abort(reason), 100);
      await expect(asked).rejects.toBe(reason);
      expect(calls).toEqual(['https://one.example', 'https://two.example']);
    },
  );

  it('goes to a third node when one of two does not answer', async () => {
    const { list, asked } = client({
      one: { keysAt: always(OURS) },
      down: { keysAt: always(OURS), failing: 99 },
      three: { keysAt: always(OURS) },
    });
    expect((await list()).keys).toHaveLength(1);
    expect(asked).toEqual(['one', 'down', 'three']);
  });

  it('is repeated when too few answer, and one node alone never settles it', async () => {
    const one: FakeNode = { keysAt: always(OURS) };
    const shortly = client({ one, down: { keysAt: always(OURS), failing: 1 } });
    expect((await shortly.list()).keys).toHaveLength(1);
    const error = await failureOf(client({ one, down: { keysAt: always(OURS), failing: 99 } }).list());
    expect(rpcFailure(error)).toMatchObject({ kind: 'node' });
    expect(error.message).toContain('2 nodes must agree, and 1 answered');
  });

  it('fails when the node ahead cannot serve the older block', async () => {
    const error = await failureOf(
      client({
        ahead: { keysAt: always(OURS, THEIRS), head: HEAD + 1, isForgetful: true },
        behind: { keysAt: always(OURS), head: HEAD },
      }).list(),
    );
    expect(error.code).toBe('NEAR_RPC_FAILED');
  });
});

// nearcore#16267: providers are not updated on one day.
describe('two nodes that say "no such account" in the words of two versions', () => {
  const nobody = () => undefined;
  const earlier: FakeNode = { keysAt: nobody, isEarlier: true };
  const later: FakeNode = { keysAt: nobody };
  const behind: FakeNode = { ...earlier, head: HEAD - 12 };

  it.each<[string, readonly FakeNode[]]>([
    ['the earlier one first', [earlier, later]],
    ['the later one first', [later, earlier]],
    ['the earlier one lags', [behind, later]],
    ['the later one lags', [earlier, { ...later, head: HEAD - 12 }]],
  ])('agree that there is no key (%s)', async (_, nodes) => {
    // A client each: these nodes never come to a block that the first question has shown.
    const fresh = () =>
      ofUrls(Object.fromEntries(nodes.map((node, index) => [`https://node${index}.example`, node]))).rpc;
    expect((await fresh().viewAccessKeyList('a.testnet', { agreed: true })).keys).toEqual([]);
    expect(await fresh().viewAccessKey('a.testnet', OURS, { agreed: true })).toBeNull();
  });

  it('do not agree with one that shows a key', async () => {
    for (const node of [earlier, later]) {
      const { list } = client({ honest: { keysAt: always(OURS) }, liar: node });
      expect((await failureOf(list())).code).toBe('RPC_DISAGREEMENT');
    }
  });
});

describe('an access key that two nodes must agree on', () => {
  const of = (nodes: readonly FakeNode[], agreed = true) => {
    const { rpc, asked } = ofUrls(
      Object.fromEntries(nodes.map((node, index) => [`https://node${index}.example`, node])),
    );
    return { asked, look: () => rpc.viewAccessKey('a.testnet', OURS, { agreed }) };
  };
  const honest: FakeNode = { keysAt: always(OURS) };

  it('exists or not as both nodes say, and its nonce may differ', async () => {
    expect(await of([honest, { keysAt: always(THEIRS, OURS) }]).look()).toMatchObject({
      permission: 'FullAccess',
    });
    const gone = { keysAt: always(THEIRS) };
    expect(await of([gone, gone]).look()).toBeNull();
  });

  it('fails when one node hides it or makes it up', async () => {
    const other: FakeNode = { keysAt: always(THEIRS) };
    for (const nodes of [
      [honest, other],
      [other, honest],
    ]) {
      expect((await failureOf(of(nodes).look())).code).toBe('RPC_DISAGREEMENT');
    }
  });

  it('is read again at the older block when one node lags', async () => {
    const ahead: FakeNode = { keysAt: (height) => (height > HEAD ? [OURS] : [THEIRS]), head: HEAD + 2 };
    const { look, asked } = of([ahead, { keysAt: always(THEIRS), head: HEAD }]);
    expect(await look()).toBeNull();
    expect(asked).toEqual(['node0', 'node1', `node0@${HEAD}`]);
  });

  it('is read from one node when only the nonce matters', async () => {
    const { look, asked } = of([honest, { keysAt: always(THEIRS) }], false);
    expect(await look()).toMatchObject({ permission: 'FullAccess' });
    expect(asked).toEqual(['node0']);
  });
});

describe('what two nodes must agree on', () => {
  const place = { block_height: HEAD, block_hash: hashOf(HEAD) };
  const key = (permission: unknown): Reply => ({ result: { nonce: 1, permission, ...place } });
  const asking = (...replies: Reply[]) => {
    const script = Object.fromEntries(replies.map((reply, index) => [`node${index}`, { query: [reply] }]));
    return scriptedNodes(script, { agreement: 2 }).client;
  };

  it('of a permission that is newer than this client is all of it, in any order of its fields', async () => {
    const view = (one: unknown, two: unknown) =>
      asking(key({ Newer: one }), key({ Newer: two })).viewAccessKey('a.testnet', OURS, { agreed: true });
    expect(await view({ b: 1, a: ['m', 'n'], c: null }, { c: null, a: ['m', 'n'], b: 1 })).not.toBeNull();
    for (const other of [
      { b: 2, a: ['m', 'n'], c: null },
      { b: 1, a: ['n', 'm'], c: null },
      { b: 1, a: ['m', 'n'] },
    ]) {
      const error = await failureOf(view({ b: 1, a: ['m', 'n'], c: null }, other));
      expect(error.code).toBe('RPC_DISAGREEMENT');
    }
  });

  it('of an account is the state that it begins with, and neither its balance nor its storage', async () => {
    const account = (amount: string, state?: string): Reply => ({
      result: { amount, locked: '0', code_hash: hashOf(1), storage_usage: Number(amount), state, ...place },
    });
    const view = (one: Reply, two: Reply) => asking(one, two).viewAccount('a.testnet', { agreed: true });
    expect(await view(account('1'), account('2'))).toMatchObject({ amount: '1' });
    expect(await view(account('1', 'begin'), account('2', 'begin'))).toMatchObject({ state: 'begin' });
    for (const other of [account('1'), account('1', 'other')]) {
      expect((await failureOf(view(account('1', 'begin'), other))).code).toBe('RPC_DISAGREEMENT');
    }
  });

  it('of a refusal is its kind', async () => {
    const failed = handlerError('CONTRACT_EXECUTION_ERROR', place, 'wasm execution failed');
    const absent = handlerError('NO_CONTRACT_CODE', place, 'no code');
    const view = (one: Reply, two: Reply) =>
      failureOf(asking(one, two).callFunction('c.testnet', 'm', {}, { agreed: true }));
    expect((await view(failed, absent)).code).toBe('RPC_DISAGREEMENT');
    expect(rpcFailure(await view(failed, failed))).toMatchObject({ kind: 'contract' });
  });
});

describe('nodes that name no block with their refusal', () => {
  const terse: FakeNode = { keysAt: () => undefined, isTerse: true };
  const look = (rpc: ReturnType<typeof ofUrls>['rpc']) =>
    rpc.viewAccessKey('a.testnet', OURS, { agreed: true });

  it('agree in a later round, where one of them only lagged', async () => {
    let looks = 0;
    const late: FakeNode = { isTerse: true, keysAt: () => (looks++ === 0 ? undefined : [OURS]) };
    const { rpc, asked } = ofUrls({
      'https://one.example': { keysAt: always(OURS) },
      'https://two.example': late,
    });
    expect(await look(rpc)).not.toBeNull();
    expect(asked).toEqual(['one', 'two', 'one', 'two']);
  });

  it('disagree after three rounds', async () => {
    const { rpc, asked } = ofUrls({
      'https://one.example': { keysAt: always(OURS) },
      'https://two.example': terse,
    });
    const begun = Date.now();
    expect((await failureOf(look(rpc))).code).toBe('RPC_DISAGREEMENT');
    expect(asked).toHaveLength(6);
    expect(Date.now() - begun).toBe(1_000);
  });

  it('agree where one refuses so only at the older block', async () => {
    const { rpc } = ofUrls({
      'https://ahead.example': { ...terse, keysAt: (at) => (at > HEAD ? [OURS] : undefined), head: HEAD + 2 },
      'https://behind.example': { keysAt: () => undefined },
    });
    expect(await look(rpc)).toBeNull();
  });
});

describe('the result of a view that two nodes must agree on', () => {
  const call = (one: Partial<FakeNode>, two: Partial<FakeNode>) => {
    const { rpc } = ofUrls({
      'https://one.example': { keysAt: always(), ...one },
      'https://two.example': { keysAt: always(), ...two },
    });
    return rpc.callFunction('c.testnet', 'view', {}, { agreed: true });
  };

  it.each([
    [HEAD + 1, HEAD],
    [HEAD, HEAD + 1],
  ])('is what both return, at the older of their blocks (%i, %i)', async (one, two) => {
    const answer = await call({ returns: 'yes', head: one }, { returns: 'yes', head: two });
    expect(new TextDecoder().decode(answer.bytes)).toBe('yes');
    expect(answer).toMatchObject({ blockHeight: HEAD, blockHash: hashOf(HEAD) });
  });

  it('fails when one node returns other bytes, or the same of another block', async () => {
    expect((await failureOf(call({ returns: 'yes' }, { returns: 'no' }))).code).toBe('RPC_DISAGREEMENT');
    expect((await failureOf(call({ returns: 'yes' }, { returns: 'yes', fork: 1 }))).code).toBe(
      'RPC_DISAGREEMENT',
    );
  });
});

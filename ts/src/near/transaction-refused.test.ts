import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { createRpcClient, rpcFailure } from './index.js';
import {
  BAD_GATEWAY,
  blockAt,
  EXPIRED,
  HASH,
  handlerError,
  INVALID_NONCE,
  invalid,
  OLD_TIMEOUT,
  type Reply,
  type Script,
  scriptedNodes,
  UNKNOWN_BLOCK,
  UNKNOWN_KEY,
  UNKNOWN_TRANSACTION,
  UNTRACKED,
} from './testing/scripted-node.js';
import {
  bytes,
  EXECUTED,
  FREE,
  hash,
  nonce,
  outcome,
  publicKey,
  SPENT,
  send,
  sendTo,
  signerId,
} from './testing/sending.js';

skipWaits();

describe('a refused transaction', () => {
  it('is reported with the chain’s own name for it, within seconds', async () => {
    const { end, tookMs, requests } = await send({
      send_tx: [INVALID_NONCE],
      query: [SPENT],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject({
      code: 'TRANSACTION_FAILED',
      kind: 'invalid_transaction',
      reason: 'InvalidNonce',
      info: { ak_nonce: 7 },
    });
    expect(tookMs).toBeGreaterThanOrEqual(1_200);
    expect(tookMs).toBeLessThan(3_000);
    expect(requests.find(({ method }) => method === 'query')?.params).toMatchObject({
      request_type: 'view_access_key',
      account_id: signerId,
      public_key: publicKey,
      finality: 'final',
    });
  });

  it('is refused immediately for a fault of its own', async () => {
    const { end, methods, tookMs } = await send({
      send_tx: [invalid('InvalidSignature')],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject({ kind: 'invalid_transaction', reason: 'InvalidSignature' });
    expect(methods()).toEqual(['send_tx', 'tx']);
    expect(tookMs).toBeLessThan(10);
  });

  it('names the balance when the account cannot pay for it', async () => {
    const poor = invalid({ NotEnoughBalance: { signer_id: signerId, balance: '1', cost: '2' } });
    const { end, tookMs } = await send({ send_tx: [poor], tx: [UNKNOWN_TRANSACTION] });
    expect(end).toMatchObject({ kind: 'invalid_transaction', reason: 'NotEnoughBalance' });
    expect(tookMs).toBeLessThan(3_000);
  });

  it.each([
    ['a key', invalid({ InvalidAccessKeyError: { AccessKeyNotFound: { account_id: signerId } } })],
    ['an account', invalid({ SignerDoesNotExist: { signer_id: signerId } })],
    ['a balance', invalid({ NotEnoughBalance: { signer_id: signerId, balance: '1', cost: '2' } })],
  ])('is sent again before it is believed: a node that lags does not know %s yet', async (_, refusal) => {
    const { end } = await send({
      send_tx: [refusal, refusal, outcome('FINAL')],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject(EXECUTED);
  });

  it('is found when an earlier copy was executed: the refusal answers the second copy', async () => {
    const { end } = await sendTo({
      one: { send_tx: [new TypeError('lost')], tx: [UNKNOWN_TRANSACTION, outcome('FINAL')], query: [SPENT] },
      two: { send_tx: [INVALID_NONCE], tx: [UNKNOWN_TRANSACTION], query: [SPENT] },
    });
    expect(end).toMatchObject(EXECUTED);
  });

  it('is not refused before a final block has spent its nonce', async () => {
    const { end } = await send({
      send_tx: [INVALID_NONCE],
      query: [FREE, FREE, FREE, FREE, SPENT],
      tx: [...Array(5).fill(UNKNOWN_TRANSACTION), outcome('FINAL')],
    });
    expect(end).toMatchObject(EXECUTED);
    const never = await send({ send_tx: [INVALID_NONCE], query: [FREE], tx: [UNKNOWN_TRANSACTION] });
    expect(never.end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it('is looked up several times, since nodes behind one address may lag', async () => {
    const { end } = await send({
      send_tx: [INVALID_NONCE],
      query: [SPENT],
      tx: [UNKNOWN_TRANSACTION, UNKNOWN_TRANSACTION, outcome('FINAL')],
    });
    expect(end).toMatchObject(EXECUTED);
  });

  it('is not refused when only some of the looks were answered', async () => {
    const { end } = await send({ send_tx: [INVALID_NONCE], query: [SPENT], tx: [{ status: 503, text: '' }] });
    expect(end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
    const untracked = await send({ send_tx: [INVALID_NONCE], query: [SPENT], tx: [UNTRACKED] });
    expect(untracked.end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it('is looked up at every node, since another may have a copy in a block', async () => {
    const refusing: Script = { send_tx: [INVALID_NONCE], query: [SPENT], tx: [UNKNOWN_TRANSACTION] };
    const found = await sendTo({ one: refusing, two: { ...refusing, tx: [outcome('FINAL')] } });
    expect(found.end).toMatchObject(EXECUTED);
    const silent = await sendTo({ one: refusing, two: { ...refusing, tx: [{ status: 503, text: '' }] } });
    expect(silent.end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it('that removed its own key is found, however its second copy is refused, behind nodes that lag', async () => {
    const gone = invalid({ InvalidAccessKeyError: { AccessKeyNotFound: { account_id: signerId } } });
    const { end } = await send({
      send_tx: [OLD_TIMEOUT, gone],
      query: [UNKNOWN_KEY],
      tx: [...Array(5).fill(UNKNOWN_TRANSACTION), outcome('FINAL')],
    });
    expect(end).toMatchObject(EXECUTED);
  });

  it('needs a nonce spent on as many nodes as must agree, since one may withhold the copy', async () => {
    const liar: Script = { send_tx: [INVALID_NONCE], query: [SPENT], tx: [UNKNOWN_TRANSACTION] };
    const doubted = await sendTo({ one: liar, two: { ...liar, query: [FREE] } }, 'FINAL', {}, 2);
    expect(doubted.end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
    const agreed = await sendTo({ one: liar, two: liar }, 'FINAL', {}, 2);
    expect(agreed.end).toMatchObject({ reason: 'InvalidNonce' });
  });

  it('is on its way when one of those who must agree takes the bytes that another refused', async () => {
    const liar: Script = { send_tx: [invalid('InvalidSignature')], tx: [UNKNOWN_TRANSACTION, BAD_GATEWAY] };
    const taking: Script = { ...liar, send_tx: [outcome('FINAL')] };
    const found = { ...taking, tx: [UNKNOWN_TRANSACTION, outcome('FINAL')] };
    const { end, requests } = await sendTo({ one: liar, two: found }, 'FINAL', {}, 2);
    expect(end).toMatchObject(EXECUTED);
    const [first, ...others] = requests.filter(({ method }) => method === 'send_tx');
    expect(others.map(({ params }) => params)).toEqual([first!.params, first!.params]);
    const silent = await sendTo({ one: liar, two: taking }, 'FINAL', {}, 2);
    expect(silent.end).toMatchObject({ kind: 'outcome_unknown', state: 'in-pool', transactionId: hash });
  });

  it('is not refused when too few of those who must agree answer', async () => {
    const liar: Script = { send_tx: [invalid('InvalidSignature')], tx: [UNKNOWN_TRANSACTION] };
    const down = { ...liar, send_tx: [BAD_GATEWAY] };
    const { end } = await sendTo({ one: liar, two: down }, 'FINAL', {}, 2);
    expect(end).toMatchObject({ kind: 'outcome_unknown', state: 'in-pool', transactionId: hash });
  });

  it('has failed only when as many nodes as must agree say so, since a failure is paid for again', async () => {
    const failed = outcome('FINAL', { Failure: { ActionError: { index: 0 } } });
    const liar: Script = { send_tx: [failed], tx: [failed] };
    const doubted = await sendTo({ one: liar, two: { tx: [outcome('FINAL')] } }, 'FINAL', {}, 2);
    expect(doubted.end).toMatchObject(EXECUTED);
    expect(doubted.requests.map(({ node, method }) => `${node} ${method}`)).toEqual([
      'one send_tx',
      'one tx',
      'two tx',
      'two tx',
    ]);
    const agreed = await sendTo({ one: liar, two: { tx: [failed] } }, 'FINAL', {}, 2);
    expect(agreed.end).toMatchObject({ status: failed.result.status });
  });

  it('is refused when the key no longer exists', async () => {
    const { end } = await send({ send_tx: [INVALID_NONCE], query: [UNKNOWN_KEY], tx: [UNKNOWN_TRANSACTION] });
    expect(end).toMatchObject({ kind: 'invalid_transaction', reason: 'InvalidNonce' });
  });

  it('that was sent before is looked up first, and its copy’s refusal is not believed', async () => {
    const { end, methods } = await send(
      {
        send_tx: [INVALID_NONCE],
        query: [SPENT],
        tx: [UNKNOWN_TRANSACTION, UNKNOWN_TRANSACTION, outcome('FINAL')],
      },
      'FINAL',
      { wasSentBefore: true },
    );
    expect(end).toMatchObject(EXECUTED);
    expect(methods()[0]).toBe('tx');
  });

  it('that was sent before may come later when no node answers', async () => {
    const { end, methods } = await send({ tx: [BAD_GATEWAY] }, 'FINAL', { wasSentBefore: true });
    expect(end).toMatchObject({ kind: 'outcome_unknown', state: 'in-pool', transactionId: hash });
    expect(methods()).not.toContain('send_tx');
  });

  it('is never a transaction in a block, however the nodes lag or fail', async () => {
    const blocks = fc.integer({ min: 0, max: 12 });
    const node = fc.record({ lag: fc.integer({ min: 0, max: 4 }), fails: fc.array(fc.boolean()) });
    const nodes = fc.array(node, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        nodes,
        blocks,
        fc.boolean(),
        fc.boolean(),
        async (made, spentAt, isOurs, wasSentBefore) => {
          const isHealthy = made.every(({ fails }) => !fails.includes(true));
          const client = laggingChain(made, { spentAt, isOurs });
          const sent = client.sendTransaction(bytes, 'FINAL', { wasSentBefore });
          const end = await sent.catch((error: Error) => error);
          const kind = end instanceof Error ? rpcFailure(end)?.kind : 'success';
          if (isOurs) expect(['success', 'outcome_unknown']).toContain(kind);
          else expect(['invalid_transaction', 'outcome_unknown']).toContain(kind);
          if (isHealthy) expect(kind).not.toBe('outcome_unknown');
        },
      ),
      { numRuns: 300 },
    );
  });

  /**
   * Nodes that lag by some blocks and fail as scripted. Every request advances the chain by one block. Block
   * `spentAt` spends the nonce: with our transaction, from a copy sent elsewhere, or with another one of the same
   * key.
   */
  function laggingChain(
    made: { lag: number; fails: boolean[] }[],
    { spentAt, isOurs }: { spentAt: number; isOurs: boolean },
  ) {
    let height = 0;
    const faults = made.map(({ fails }) => [...fails]);
    return createRpcClient({
      urls: made.map((_, index) => `https://node${index}.example`),
      fetch: async (url, init) => {
        height += 1;
        const node = Number(/node(\d)/.exec(String(url))![1]);
        if (faults[node]!.shift()) throw new TypeError('fetch failed');
        const isSpentBy = (block: number) => spentAt <= block;
        const newest = height - made[node]!.lag;
        const { method } = JSON.parse(String(init?.body)) as { method: string };
        const answers: Record<string, () => Reply> = {
          // A node looks for the transaction itself before it refuses the nonce.
          send_tx: () => {
            if (!isSpentBy(newest)) return OLD_TIMEOUT;
            return isOurs ? outcome('FINAL') : INVALID_NONCE;
          },
          tx: () => (isOurs && isSpentBy(newest) ? outcome('FINAL') : UNKNOWN_TRANSACTION),
          query: () => (isSpentBy(newest - 2) ? SPENT : FREE),
        };
        return Response.json({ jsonrpc: '2.0', id: '1', ...(answers[method]!() as object) });
      },
    });
  }
});

describe('a transaction that a node calls expired', () => {
  it('is refused once its block is older than the chain allows, and its nonce is free', async () => {
    const { end, requests } = await send({
      send_tx: [EXPIRED],
      block: [blockAt(7), blockAt(86_408)],
      query: [FREE],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject({ kind: 'invalid_transaction', reason: 'Expired' });
    const blocks = requests.filter(({ method }) => method === 'block');
    expect(blocks.map(({ params }) => params)).toEqual([{ block_id: HASH }, { finality: 'final' }]);
  });

  it('is refused as soon as a node knows the block that none knew before', async () => {
    const { end, tookMs } = await send({
      send_tx: [EXPIRED],
      block: [UNKNOWN_BLOCK, blockAt(7), blockAt(86_408)],
      query: [FREE],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject({ kind: 'invalid_transaction', reason: 'Expired' });
    expect(tookMs).toBeLessThan(20_000);
  });

  it('is unknown if its nonce is spent: the nodes may have forgotten that they executed it', async () => {
    const { end } = await send({
      send_tx: [EXPIRED],
      block: [blockAt(7), blockAt(86_408)],
      query: [SPENT],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it('is sent again while its block is recent, since the node may not know that block yet', async () => {
    const { end, requests } = await send({
      send_tx: [EXPIRED, outcome('FINAL')],
      block: [blockAt(7), blockAt(86_407)],
      query: [FREE],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject(EXECUTED);
    expect(requests.at(-1)!.params.signed_tx_base64).toBe(requests[0]!.params.signed_tx_base64);
  });

  it('is never refused when one node withholds it with that excuse and another contradicts it', async () => {
    const honest: Script = {
      send_tx: [EXPIRED],
      block: [blockAt(7)],
      query: [FREE],
      tx: [UNKNOWN_TRANSACTION],
    };
    const liar: Script = { ...honest, block: [blockAt(7), blockAt(90_000)] };
    const { end } = await sendTo({ one: liar, two: honest }, 'FINAL', {}, 2);
    expect(end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it('is refused in the end when no node knows the block, since nodes drop old blocks', async () => {
    const forgetful: Script = { send_tx: [EXPIRED], block: [UNKNOWN_BLOCK], tx: [UNKNOWN_TRANSACTION] };
    const { end, tookMs } = await send({ ...forgetful, query: [FREE] });
    expect(end).toMatchObject({ kind: 'invalid_transaction', reason: 'Expired' });
    expect(tookMs).toBeGreaterThanOrEqual(40_000);
    const spent = await send({ ...forgetful, query: [SPENT] });
    expect(spent.end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });
});

describe('a transaction whose bytes are gone', () => {
  const noted = { transactionId: hash, signerId, publicKey, nonce, blockHeight: 100 };
  const stateAt = async (script: Script) => {
    const { client, methods } = scriptedNodes({ one: script });
    const state = await client.transactionState(noted);
    expect(methods()).not.toContain('send_tx');
    return state;
  };
  const RECENT = [blockAt(100 + 86_400)];
  const OLD = [blockAt(100 + 86_401)];

  it.each<[string, Reply]>([
    ['included', outcome('INCLUDED', 'Started')],
    ['executed', outcome('EXECUTED_OPTIMISTIC')],
    ['final', outcome('FINAL')],
  ])('is %s as the chain says', async (name, answer) => {
    expect(await stateAt({ tx: [answer], query: [SPENT], block: RECENT })).toMatchObject({ name });
  });

  it.each<[string, Reply[], string, number]>([
    ['final', [outcome('INCLUDED', 'Started'), outcome('EXECUTED'), outcome('FINAL')], 'final', 600],
    ['final at once', [outcome('FINAL')], 'final', 0],
    ['in a block for 10 s', [outcome('INCLUDED', 'Started')], 'included', 10_200],
    ['executed for 10 s', [outcome('EXECUTED')], 'executed', 10_200],
    ['not in the shards of a node', [UNTRACKED], 'in-pool', 0],
  ])('is waited for to become final, some seconds long: it is %s', async (_, tx, name, waitMs) => {
    const start = Date.now();
    expect(await stateAt({ tx, query: [SPENT], block: RECENT })).toMatchObject({ name });
    expect(Date.now() - start).toBe(waitMs);
  });

  it('has failed only when as many nodes as must agree say so', async () => {
    const failed = outcome('FINAL', { Failure: { ActionError: { index: 0 } } });
    const other = outcome('FINAL', { Failure: { ActionError: { index: 1 } } });
    const [query, block] = [[SPENT], RECENT];
    const toldBy = async (first: Reply, second: Reply) => {
      const script = { one: { tx: [first], query, block }, two: { tx: [second], query, block } };
      const { client } = scriptedNodes(script, { agreement: 2 });
      return (await client.transactionState(noted)).name;
    };
    expect(await toldBy(failed, failed)).toBe('final');
    expect(await toldBy(failed, outcome('FINAL'))).toBe('in-pool');
    expect(await toldBy(failed, other)).toBe('in-pool');
    expect(await toldBy(failed, BAD_GATEWAY)).toBe('in-pool');
    expect(await toldBy(outcome('FINAL'), BAD_GATEWAY)).toBe('final');
  });

  it.each<[string, Script]>([
    ['its block', { block: ['silence'] }],
    ['its nonce', { block: RECENT, query: ['silence'] }],
    ['it', { block: RECENT, query: [SPENT], tx: ['silence'] }],
    [
      'its failure',
      { block: RECENT, query: [SPENT], tx: [outcome('FINAL', { Failure: { ActionError: {} } }), 'silence'] },
    ],
  ])('is no longer looked up after an abort, while a node is asked for %s', async (_, script) => {
    const agreement = script.tx?.length === 2 ? 2 : 1;
    const nodes =
      agreement === 2 ? { one: script, two: { ...script, tx: ['silence'] as const } } : { one: script };
    const { client, requests } = scriptedNodes(nodes, { agreement });
    const stopping = new AbortController();
    const state = client.transactionState(noted, { signal: stopping.signal });
    state.catch(() => undefined);
    await vi.waitUntil(() => requests.length > 0, 10_000);
    await vi.advanceTimersByTimeAsync(100);
    stopping.abort(new Error('enough'));
    await expect(state).rejects.toThrow('enough');
  });

  it('may still come while its nonce is free and its block recent', async () => {
    expect(await stateAt({ tx: [UNKNOWN_TRANSACTION], query: [FREE], block: RECENT })).toEqual({
      name: 'in-pool',
    });
  });

  it('is refused when its nonce is spent and no look finds it', async () => {
    const start = Date.now();
    expect(await stateAt({ tx: [UNKNOWN_TRANSACTION], query: [SPENT], block: RECENT })).toEqual({
      name: 'refused',
    });
    const tookMs = Date.now() - start;
    expect(tookMs).toBeGreaterThanOrEqual(6_200);
    expect(tookMs).toBeLessThan(7_000);
  });

  it.each([
    ['key', UNKNOWN_KEY],
    ['account', handlerError('UNKNOWN_ACCOUNT', {}, 'no such account')],
  ])('is refused when its %s is gone and no look finds it', async (_, gone) => {
    expect(await stateAt({ tx: [UNKNOWN_TRANSACTION], query: [gone], block: RECENT })).toEqual({
      name: 'refused',
    });
  });

  it.each<[string, readonly number[], string]>([
    ['refused when its lane has spent its nonce', [0, 5], 'refused'],
    ['refused when its lane is gone', [9], 'refused'],
    ['still to come while its lane has not spent its nonce, whatever the others have', [9, 4, 9], 'in-pool'],
  ])('of a gas key is %s', async (_, nonces, name) => {
    const query = [{ result: { nonces, block_height: 7, block_hash: HASH } }];
    const script: Script = { tx: [UNKNOWN_TRANSACTION], query, block: RECENT };
    const { client, requests } = scriptedNodes({ one: script });
    expect(await client.transactionState({ ...noted, lane: 1 })).toEqual({ name });
    expect(requests.find(({ method }) => method === 'query')!.params).toEqual({
      request_type: 'view_gas_key_nonces',
      account_id: signerId,
      public_key: publicKey,
      finality: 'final',
    });
  });

  it.each<[string, Script]>([
    ['nonce', { query: [BAD_GATEWAY], block: RECENT }],
    ['age', { query: [SPENT], block: [BAD_GATEWAY] }],
  ])('may still come while no node tells its %s', async (_, script) => {
    expect(await stateAt({ tx: [UNKNOWN_TRANSACTION], ...script })).toEqual({ name: 'in-pool' });
  });

  it('may still come, or is unknown once its nonce is spent, when no node knows the newest block', async () => {
    const script: Script = { tx: [UNKNOWN_TRANSACTION], block: [UNKNOWN_BLOCK] };
    expect(await stateAt({ ...script, query: [FREE] })).toEqual({ name: 'in-pool' });
    expect(await stateAt({ ...script, query: [SPENT] })).toEqual({ name: 'unknown' });
  });

  it('has expired when its block is too old and its nonce free', async () => {
    expect(await stateAt({ tx: [UNKNOWN_TRANSACTION], query: [FREE], block: OLD })).toEqual({
      name: 'expired',
    });
  });

  it('is unknown, never refused, when nodes may have forgotten it', async () => {
    expect(await stateAt({ tx: [UNKNOWN_TRANSACTION], query: [SPENT], block: OLD })).toEqual({
      name: 'unknown',
    });
  });

  it('is found by a node that has caught up', async () => {
    const tx = [...Array(5).fill(UNKNOWN_TRANSACTION), outcome('FINAL')];
    const script: Script = { tx, query: [SPENT], block: RECENT };
    expect(await stateAt(script)).toMatchObject({ name: 'final' });
  });

  it('is not decided while no node answers', async () => {
    const { client } = scriptedNodes({ one: { tx: [handlerError('INTERNAL_ERROR', {}, 'limits')] } });
    await expect(client.transactionState(noted)).rejects.toMatchObject({ code: 'NEAR_RPC_FAILED' });
  });
});

describe('what the nodes have of a transaction now', () => {
  const statusFrom = (script: Readonly<Record<string, Script>>) =>
    scriptedNodes(script).client.transactionStatus(hash, signerId);

  it('is what a node that tracks its shard says', async () => {
    const status = statusFrom({ one: { tx: [UNTRACKED] }, two: { tx: [outcome('FINAL')] } });
    expect(await status).toMatchObject(EXECUTED);
  });

  it.each([
    ['knows it', UNKNOWN_TRANSACTION],
    ['takes it', EXPIRED],
  ])('is nothing where no node %s', async (_, answer) => {
    expect(await statusFrom({ one: { tx: [answer] }, two: { tx: [answer] } })).toBeNull();
  });

  it('is not told where a node does not answer', async () => {
    const status = statusFrom({ one: { tx: [UNKNOWN_TRANSACTION] }, two: { tx: [BAD_GATEWAY] } });
    await expect(status).rejects.toMatchObject({ details: { kind: 'http', status: 502 } });
  });
});

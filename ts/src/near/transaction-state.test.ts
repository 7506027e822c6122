import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WaitUntil } from '../types.js';
import { createRpcClient, executionFailure, returnedBytes, rpcFailure, type SendOptions } from './index.js';
import { hasReached } from './rpc-types.js';
import {
  BAD_GATEWAY,
  blockAt,
  EXPIRED,
  HASH,
  handlerError,
  INVALID_NONCE,
  invalid,
  keyWithNonce,
  OLD_TIMEOUT,
  type Reply,
  type Script,
  scriptedNodes,
  timeout,
  UNKNOWN_BLOCK,
  UNKNOWN_KEY,
  UNKNOWN_TRANSACTION,
  UNTRACKED,
} from './testing/scripted-node.js';
import { makeSignedTransfer } from './testing/signed-transfer.js';

const { bytes, hash, signerId, publicKey, nonce } = await makeSignedTransfer();
const SPENT = keyWithNonce(nonce);
const FREE = keyWithNonce(nonce - 1n);
const CONGESTED = invalid({ ShardCongested: { congestion_level: 0.3, shard_id: 0 } });
const STUCK = invalid({ ShardStuck: { missed_chunks: 9, shard_id: 0 } });
const NO_STORAGE = invalid({ StorageError: { FlatStorageBlockNotSupported: 'block' } });
const transaction = { hash, signer_id: signerId, receiver_id: 'b.testnet' };
const outcome = (level: string, status: unknown = { SuccessValue: 'dHJ1ZQ==' }) => ({
  result: { final_execution_status: level, status, transaction },
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The promise's outcome, with its pauses skipped. */
async function settled<T>(promise: Promise<T>): Promise<T | Error> {
  let end: { value: T | Error } | undefined;
  promise.then(
    (value) => {
      end = { value };
    },
    (error: Error) => {
      end = { value: error };
    },
  );
  while (end === undefined) {
    if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
    await new Promise(setImmediate);
  }
  return end.value;
}

async function sendTo(
  script: Readonly<Record<string, Script>>,
  waitUntil: WaitUntil = 'FINAL',
  options: SendOptions = {},
  agreement = 1,
) {
  const made = scriptedNodes(script, { agreement });
  const start = Date.now();
  const end = await settled(made.client.sendTransaction(bytes, waitUntil, options));
  const failure = end instanceof Error ? { code: (end as { code?: string }).code, ...rpcFailure(end) } : end;
  return { end: failure, tookMs: Date.now() - start, sends: sendsOf(made.methods()), ...made };
}
const send = (script: Script, waitUntil?: WaitUntil, options?: SendOptions) =>
  sendTo({ one: script }, waitUntil, options);
const sendsOf = (methods: readonly string[]) => methods.filter((method) => method === 'send_tx').length;

/** Lets the client's time limits pass a hundred times as fast. */
function hurry() {
  const timeoutOf = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeoutOf(ms / 100));
}

describe('the levels of a transaction', () => {
  it.each([
    ['EXECUTED_OPTIMISTIC', ['EXECUTED_OPTIMISTIC', 'EXECUTED', 'FINAL']],
    ['INCLUDED_FINAL', ['INCLUDED_FINAL', 'EXECUTED', 'FINAL']],
    ['EXECUTED', ['EXECUTED', 'FINAL']],
    ['FINAL', ['FINAL']],
    ['INCLUDED', ['INCLUDED', 'EXECUTED_OPTIMISTIC', 'INCLUDED_FINAL', 'EXECUTED', 'FINAL']],
  ] as const)('are in no single order: %s is met by %j', (wanted, met) => {
    const levels = [
      'NONE',
      'INCLUDED',
      'EXECUTED_OPTIMISTIC',
      'INCLUDED_FINAL',
      'EXECUTED',
      'FINAL',
    ] as const;
    expect(levels.filter((level) => hasReached(level, wanted))).toEqual(met.toSorted(byLevel));
    function byLevel(a: WaitUntil, b: WaitUntil) {
      return levels.indexOf(a) - levels.indexOf(b);
    }
  });
});

describe('sending a transaction', () => {
  it('makes one call when the first answer is good', async () => {
    const { end, requests } = await send({ send_tx: [outcome('FINAL')] });
    expect(end).toMatchObject({ transactionId: hash, final_execution_status: 'FINAL' });
    expect(new TextDecoder().decode(returnedBytes(end as never)!)).toBe('true');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'send_tx', params: { wait_until: 'FINAL' } });
  });

  it('waits for EXECUTED_OPTIMISTIC by default', async () => {
    const { client, requests } = scriptedNodes({ one: { send_tx: [outcome('EXECUTED_OPTIMISTIC')] } });
    expect(await client.sendTransaction(bytes)).toMatchObject({ transactionId: hash });
    expect(requests[0]).toMatchObject({ params: { wait_until: 'EXECUTED_OPTIMISTIC' } });
  });

  it('asks for INCLUDED where a host wants NONE, since at NONE a node checks nothing', async () => {
    const { end, requests } = await send({ send_tx: [outcome('INCLUDED', 'Started')] }, 'NONE');
    expect(end).toMatchObject({ transactionId: hash });
    expect(requests[0]).toMatchObject({ params: { wait_until: 'INCLUDED' } });
  });

  it('reads the largest value that a contract may return, and rejects a value that is not base64', async () => {
    const most = 4 * 1024 * 1024;
    const SuccessValue = Buffer.alloc(most, 7).toString('base64');
    const { end } = await send({ send_tx: [outcome('FINAL', { SuccessValue })] });
    expect(returnedBytes(end as never)).toHaveLength(most);
    for (const value of ['A', 'AA=A', 'A===', '====', 'AAA\n', 'AA-_']) {
      const bad = await send({
        send_tx: [outcome('FINAL', { SuccessValue: value })],
        tx: [outcome('FINAL')],
      });
      expect(bad.methods()).toEqual(['send_tx', 'tx']);
    }
  });

  it('returns a failed execution as an answer', async () => {
    const { end } = await send({ send_tx: [outcome('FINAL', { Failure: { ActionError: { index: 0 } } })] });
    expect(executionFailure(end as never)).toEqual({ ActionError: { index: 0 } });
    expect(returnedBytes(end as never)).toBeNull();
  });

  it('rejects the outcome of another transaction', async () => {
    const other = { result: { ...outcome('FINAL').result, transaction: { ...transaction, hash: HASH } } };
    const { end } = await sendTo({ one: { send_tx: [other] }, two: { send_tx: [outcome('FINAL')] } });
    expect(end).toMatchObject({ transactionId: hash, transaction: { hash } });
  });

  it('refuses bytes that are not a signed transaction', async () => {
    const { client, requests } = scriptedNodes({ one: {} });
    await expect(client.sendTransaction(new Uint8Array(10))).rejects.toThrow(RangeError);
    await expect(client.sendTransaction(new Uint8Array(300).fill(9))).rejects.toThrow(RangeError);
    expect(requests).toHaveLength(0);
  });

  it('stops its pause when aborted', async () => {
    const { client } = scriptedNodes({ one: { send_tx: [BAD_GATEWAY] } });
    const controller = new AbortController();
    const sent = client.sendTransaction(bytes, 'FINAL', { signal: controller.signal });
    sent.catch(() => undefined);
    await vi.waitUntil(() => vi.getTimerCount() === 1);
    controller.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
  });
});

describe('a transaction that is on its way', () => {
  it('is looked up at NONE after a lost answer, and not sent again if a block holds it', async () => {
    const { end, methods, requests } = await send({ send_tx: [OLD_TIMEOUT], tx: [outcome('FINAL')] });
    expect(end).toMatchObject({ transactionId: hash });
    expect(methods()).toEqual(['send_tx', 'tx']);
    expect(requests[1]!.params).toMatchObject({ tx_hash: hash, wait_until: 'NONE' });
  });

  it('takes as long as it needs to reach the requested level', async () => {
    const { end, sends } = await send({
      send_tx: [outcome('EXECUTED_OPTIMISTIC')],
      tx: [outcome('INCLUDED_FINAL'), outcome('EXECUTED'), outcome('FINAL')],
    });
    expect(end).toMatchObject({ final_execution_status: 'FINAL' });
    expect(sends).toBe(1);
  });

  it('is polled on while its status is "Started" at a level that says more', async () => {
    const { end, methods } = await send(
      {
        send_tx: [outcome('EXECUTED', 'Started')],
        tx: [outcome('EXECUTED', 'Started'), outcome('EXECUTED')],
      },
      'EXECUTED',
    );
    expect(end).toMatchObject({ status: { SuccessValue: 'dHJ1ZQ==' } });
    expect(methods()).toEqual(['send_tx', 'tx', 'tx']);
  });

  it('takes until its own call has ended, if the caller asks for that', async () => {
    const { end } = await send(
      { send_tx: [outcome('INCLUDED_FINAL', 'Started')], tx: [outcome('INCLUDED_FINAL')] },
      'INCLUDED_FINAL',
      { untilEnded: true },
    );
    expect(end).toMatchObject({
      final_execution_status: 'INCLUDED_FINAL',
      status: { SuccessValue: 'dHJ1ZQ==' },
    });
  });

  it('has been sent when a node stops waiting and says "pending"', async () => {
    const pending = timeout({ cause: 'PENDING', status: outcome('INCLUDED', 'Started').result });
    const { end, sends } = await send({ send_tx: [pending], tx: [BAD_GATEWAY] });
    expect(end).toMatchObject({ kind: 'outcome_unknown', state: 'included', transactionId: hash });
    expect(sends).toBe(1);
  });

  it.each<[string, Reply[]]>([
    ['the node stops waiting, without a cause', [OLD_TIMEOUT]],
    ['the node never observed it', [timeout({ cause: 'NOT_OBSERVED' })]],
    ['the node does not track its shard', [UNTRACKED]],
    ['the answer was lost', [BAD_GATEWAY]],
  ])('is sent again, the same bytes, until a block holds it: %s', async (_, answers) => {
    const { end, requests, sends } = await send({
      send_tx: [...answers, ...answers, ...answers, outcome('FINAL')],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject({ transactionId: hash });
    expect(sends).toBe(4);
    expect(new Set(requests.map(({ params }) => params.signed_tx_base64 ?? '')).size).toBe(2);
  });

  it('is sent to the next node when the first one hangs', async () => {
    hurry();
    const { end, requests } = await sendTo({
      one: { send_tx: ['silence'], tx: [UNKNOWN_TRANSACTION] },
      two: { send_tx: [outcome('FINAL')], tx: [UNKNOWN_TRANSACTION] },
    });
    expect(end).toMatchObject({ transactionId: hash });
    expect(requests.map(({ node, method }) => `${node} ${method}`)).toContain('two send_tx');
  });

  it('does not hang when no node ever answers', async () => {
    hurry();
    const { end } = await send({ send_tx: ['silence'], tx: ['silence'] });
    expect(end).toMatchObject({ kind: 'outcome_unknown', state: 'in-pool', transactionId: hash });
  });

  it('reports each state, also before an abort ends the wait', async () => {
    const states: string[] = [];
    const stopping = new AbortController();
    const onState = ({ name }: { name: string }) => {
      states.push(name);
      if (name === 'included') stopping.abort(new Error('enough'));
    };
    const { client } = scriptedNodes({
      one: {
        send_tx: [OLD_TIMEOUT],
        tx: [UNKNOWN_TRANSACTION, UNKNOWN_TRANSACTION, outcome('INCLUDED', 'Started')],
      },
    });
    const end = await settled(client.sendTransaction(bytes, 'FINAL', { signal: stopping.signal, onState }));
    expect(end).toMatchObject({ message: 'enough' });
    expect(states).toEqual(['in-pool', 'included']);
  });

  it('has an unknown outcome when it stays in no block', async () => {
    const { end, tookMs, sends } = await send({ send_tx: [OLD_TIMEOUT], tx: [UNKNOWN_TRANSACTION] });
    expect(end).toMatchObject({ kind: 'outcome_unknown', state: 'in-pool', transactionId: hash });
    expect(tookMs).toBeGreaterThanOrEqual(40_000);
    expect(sends).toBeGreaterThan(10);
  });

  it('has an unknown outcome when a node that may have taken it stops answering', async () => {
    const { end } = await sendTo({
      one: { send_tx: [new TypeError('lost')], tx: [new TypeError('lost')] },
      two: { send_tx: [{ status: 403, text: '' }], tx: [BAD_GATEWAY] },
    });
    expect(end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it.each(['EXECUTED_OPTIMISTIC', 'EXECUTED', 'FINAL'] as const)(
    'is not believed at %s without its execution status',
    async (level) => {
      const bare = { result: { final_execution_status: level } };
      const { end } = await send({ send_tx: [bare], tx: [bare] }, level);
      expect(end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
    },
  );

  it('gives up after five retries and reports an unknown outcome', async () => {
    const { end, requests } = await send({ send_tx: [new TypeError('down')], tx: [new TypeError('down')] });
    expect(end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
    expect(requests).toHaveLength(6);
  });

  it('was not sent when no node was reached', async () => {
    const refused = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const { end, methods } = await send({ send_tx: [refused] });
    expect(end).toMatchObject({ kind: 'unreachable', notDelivered: true });
    expect(methods()).toEqual(Array(6).fill('send_tx'));
  });

  it('doubles its pauses from 200 ms, with up to 150 ms more', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout');
    await send({ send_tx: [{ status: 503, text: '' }], tx: [{ status: 503, text: '' }] });
    const pauses = timer.mock.calls.flatMap(([, ms]) => (ms !== undefined && ms >= 200 ? [ms] : []));
    expect(pauses).toHaveLength(5);
    pauses.forEach((ms, retry) => {
      expect(ms).toBeGreaterThanOrEqual(200 * 2 ** retry);
      expect(ms).toBeLessThanOrEqual(200 * 2 ** retry + 150);
    });
  });
});

describe('a busy node', () => {
  it.each<[string, Reply]>([
    ['ShardCongested', CONGESTED],
    ['ShardStuck', STUCK],
    ['StorageError, a trouble of its own', NO_STORAGE],
    ['429 with an empty body', { status: 429, text: '' }],
    ['429 in JSON-RPC', { status: 429, error: { code: -429, message: 'Too many requests' } }],
    ['429 in HTML', { status: 429, text: '<html>slow down</html>' }],
    ['403 in HTML', { status: 403, text: '<html>forbidden</html>' }],
  ])('gets the same bytes again, without a look-up, after %s', async (_, busy) => {
    const { end, methods, requests } = await send({ send_tx: [...Array(9).fill(busy), outcome('FINAL')] });
    expect(end).toMatchObject({ transactionId: hash });
    expect(methods()).toEqual(Array(10).fill('send_tx'));
    expect(new Set(requests.map(({ params }) => params.signed_tx_base64)).size).toBe(1);
  });

  it.each([
    ['ShardCongested', CONGESTED, 'busy'],
    ['429', { status: 429, text: '' }, 'http'],
  ] as const)('that stays busy with %s for 40 s has taken nothing', async (_, busy, kind) => {
    const { end, tookMs } = await send({ send_tx: [busy] });
    expect(end).toMatchObject({ code: 'NEAR_RPC_FAILED', kind, notDelivered: true });
    expect(tookMs).toBeGreaterThanOrEqual(40_000);
    expect(tookMs).toBeLessThan(50_000);
  });

  it.each([
    ['2', 2_000],
    ['3600', 10_000],
    ['Mon, 23 Nov 2026 00:00:05 GMT', 5_000],
  ])('is left alone for its Retry-After of %s, up to 10 s', async (after, pausedMs) => {
    vi.setSystemTime('2026-11-23T00:00:00Z');
    const limited = { status: 429, text: '', headers: { 'retry-after': after } };
    const { tookMs } = await send({ send_tx: [limited, outcome('FINAL')] });
    expect(tookMs).toBe(pausedMs);
  });

  it('may have taken what it answers with 408: a look-up comes first', async () => {
    const { end, methods } = await send({ send_tx: [{ status: 408, text: '' }], tx: [outcome('FINAL')] });
    expect(end).toMatchObject({ transactionId: hash });
    expect(methods()).toEqual(['send_tx', 'tx']);
  });
});

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
    expect(end).toMatchObject({ transactionId: hash });
  });

  it('is found when an earlier copy was executed: the refusal answers the second copy', async () => {
    const { end } = await sendTo({
      one: { send_tx: [new TypeError('lost')], tx: [UNKNOWN_TRANSACTION, outcome('FINAL')], query: [SPENT] },
      two: { send_tx: [INVALID_NONCE], tx: [UNKNOWN_TRANSACTION], query: [SPENT] },
    });
    expect(end).toMatchObject({ transactionId: hash });
  });

  it('is not refused before a final block has spent its nonce', async () => {
    const { end } = await send({
      send_tx: [INVALID_NONCE],
      query: [FREE, FREE, FREE, FREE, SPENT],
      tx: [...Array(5).fill(UNKNOWN_TRANSACTION), outcome('FINAL')],
    });
    expect(end).toMatchObject({ transactionId: hash });
    const never = await send({ send_tx: [INVALID_NONCE], query: [FREE], tx: [UNKNOWN_TRANSACTION] });
    expect(never.end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it('is looked up several times, since nodes behind one address may lag', async () => {
    const { end } = await send({
      send_tx: [INVALID_NONCE],
      query: [SPENT],
      tx: [UNKNOWN_TRANSACTION, UNKNOWN_TRANSACTION, outcome('FINAL')],
    });
    expect(end).toMatchObject({ transactionId: hash });
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
    expect(found.end).toMatchObject({ transactionId: hash });
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
    expect(end).toMatchObject({ transactionId: hash });
  });

  it('needs a nonce spent on as many nodes as must agree, since one may withhold the copy', async () => {
    const liar: Script = { send_tx: [INVALID_NONCE], query: [SPENT], tx: [UNKNOWN_TRANSACTION] };
    const doubted = await sendTo({ one: liar, two: { ...liar, query: [FREE] } }, 'FINAL', {}, 2);
    expect(doubted.end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
    const agreed = await sendTo({ one: liar, two: liar }, 'FINAL', {}, 2);
    expect(agreed.end).toMatchObject({ reason: 'InvalidNonce' });
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
    expect(end).toMatchObject({ transactionId: hash });
    expect(methods()[0]).toBe('tx');
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
          const end = await settled(client.sendTransaction(bytes, 'FINAL', { wasSentBefore }));
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
    const { end } = await send({
      send_tx: [EXPIRED],
      block: [blockAt(7), blockAt(86_408)],
      query: [FREE],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject({ kind: 'invalid_transaction', reason: 'Expired' });
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
    expect(end).toMatchObject({ transactionId: hash });
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
    const state = await settled(client.transactionState(noted));
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

  it('may still come while its nonce is free and its block recent', async () => {
    expect(await stateAt({ tx: [UNKNOWN_TRANSACTION], query: [FREE], block: RECENT })).toEqual({
      name: 'in-pool',
    });
  });

  it('is refused when its nonce is spent and no look finds it', async () => {
    expect(await stateAt({ tx: [UNKNOWN_TRANSACTION], query: [SPENT], block: RECENT })).toEqual({
      name: 'refused',
    });
    expect(await stateAt({ tx: [UNKNOWN_TRANSACTION], query: [UNKNOWN_KEY], block: RECENT })).toEqual({
      name: 'refused',
    });
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
    expect(await settled(client.transactionState(noted))).toMatchObject({ code: 'NEAR_RPC_FAILED' });
  });
});

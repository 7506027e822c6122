import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import type { WaitUntil } from '../types.js';
import { executionFailure, returnedBytes } from './index.js';
import {
  BAD_GATEWAY,
  HASH,
  handlerError,
  INVALID_NONCE,
  invalid,
  OLD_TIMEOUT,
  type Reply,
  scriptedNodes,
  timeout,
  UNKNOWN_TRANSACTION,
  UNTRACKED,
} from './testing/scripted-node.js';
import {
  bytes,
  CONGESTED,
  EXECUTED,
  hash,
  hurry,
  NO_STORAGE,
  outcome,
  SPENT,
  STUCK,
  send,
  sendTo,
  transaction,
} from './testing/sending.js';
import { hasReached } from './wait-levels.js';

skipWaits();

describe('the levels of a transaction', () => {
  it.each([
    ['EXECUTED_OPTIMISTIC', ['EXECUTED_OPTIMISTIC', 'EXECUTED', 'FINAL']],
    ['INCLUDED_FINAL', ['INCLUDED_FINAL', 'EXECUTED', 'FINAL']],
    ['EXECUTED', ['EXECUTED', 'FINAL']],
    ['FINAL', ['FINAL']],
    ['NONE', ['NONE', 'INCLUDED', 'EXECUTED_OPTIMISTIC', 'INCLUDED_FINAL', 'EXECUTED', 'FINAL']],
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

describe('sending a transaction (core 4, core 7)', () => {
  it('makes one call when the first answer is good', async () => {
    const { end, requests } = await send({ send_tx: [outcome('FINAL')] });
    expect(end).toMatchObject({ transactionId: hash, final_execution_status: 'FINAL' });
    expect(new TextDecoder().decode(returnedBytes(end as never)!)).toBe('true');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'send_tx', params: { wait_until: 'FINAL' } });
  });

  it('waits for EXECUTED_OPTIMISTIC by default', async () => {
    const { client, requests } = scriptedNodes({ one: { send_tx: [outcome('EXECUTED_OPTIMISTIC')] } });
    expect(await client.sendTransaction(bytes)).toMatchObject(EXECUTED);
    expect(requests[0]).toMatchObject({ params: { wait_until: 'EXECUTED_OPTIMISTIC' } });
  });

  it('asks for INCLUDED where a host wants NONE, since at NONE a node checks nothing', async () => {
    const { end, requests } = await send({ send_tx: [outcome('INCLUDED', 'Started')] }, 'NONE');
    expect(end).toMatchObject({ transactionId: hash, final_execution_status: 'INCLUDED' });
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
    expect(end).toMatchObject({ ...EXECUTED, transaction: { hash } });
  });

  it('refuses bytes that are not a signed transaction', async () => {
    const { client, requests } = scriptedNodes({ one: {} });
    await expect(client.sendTransaction(new Uint8Array(10))).rejects.toThrow(RangeError);
    await expect(client.sendTransaction(new Uint8Array(300).fill(9))).rejects.toThrow(RangeError);
    expect(requests).toHaveLength(0);
  });

  it('gives up at once where a node will never take the request', async () => {
    const { end, methods } = await send({ send_tx: [{ status: 404, text: '' }], tx: [BAD_GATEWAY] });
    expect(end).toMatchObject({ kind: 'outcome_unknown', state: 'not-seen', transactionId: hash });
    expect(methods()).toEqual(['send_tx']);
  });

  it.each([[1], [2]])(
    'stops waiting for an answer when aborted, of %i that must agree',
    async (agreement) => {
      vi.setTimerTickMode('manual');
      const refusing = {
        send_tx: [invalid('InvalidSignature'), 'silence'],
        tx: [UNKNOWN_TRANSACTION],
      } as const;
      const script =
        agreement === 1 ? { one: { send_tx: ['silence'] } as const } : { one: refusing, two: refusing };
      const { client, requests } = scriptedNodes(script, { agreement });
      const controller = new AbortController();
      const sent = client.sendTransaction(bytes, 'FINAL', { signal: controller.signal });
      sent.catch(() => undefined);
      await vi.waitUntil(() => {
        vi.advanceTimersByTime(100);
        return requests.filter(({ method }) => method === 'send_tx').length === agreement;
      }, 10_000);
      controller.abort(new Error('enough'));
      await expect(sent).rejects.toThrow('enough');
    },
  );

  it('stops its pause when aborted', async () => {
    vi.setTimerTickMode('manual');
    const { client } = scriptedNodes({ one: { send_tx: [BAD_GATEWAY] } });
    const controller = new AbortController();
    const sent = client.sendTransaction(bytes, 'FINAL', { signal: controller.signal });
    sent.catch(() => undefined);
    await vi.waitUntil(() => vi.getTimerCount() === 1, 10_000);
    controller.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
  });
});

describe('a transaction that is on its way (core 4, core 7)', () => {
  it('is looked up at NONE after a lost answer, and not sent again if a block holds it', async () => {
    const { end, methods, requests } = await send({ send_tx: [OLD_TIMEOUT], tx: [outcome('FINAL')] });
    expect(end).toMatchObject(EXECUTED);
    expect(methods()).toEqual(['send_tx', 'tx']);
    expect(requests[1]!.params).toMatchObject({ tx_hash: hash, wait_until: 'NONE' });
  });

  it('takes as long as it needs to reach the requested level', async () => {
    const { end, sends, tookMs } = await send({
      send_tx: [outcome('EXECUTED_OPTIMISTIC')],
      tx: [outcome('INCLUDED_FINAL'), outcome('EXECUTED'), outcome('FINAL')],
    });
    expect(end).toMatchObject({ final_execution_status: 'FINAL' });
    expect(sends).toBe(1);
    expect(tookMs).toBe(3 * 300);
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
    ['the node stops waiting and cannot say why', [timeout({ cause: 'ERROR', debug_info: 'no response' })]],
    ['the node does not track its shard', [UNTRACKED]],
    ['it does not, and gets no answer from one that does', [timeout({ cause: 'DOES_NOT_TRACK_SHARD' })]],
    [
      'it does not, and says so in an error',
      [handlerError('DOES_NOT_TRACK_SHARD', undefined, 'not tracked')],
    ],
    ['the answer was lost', [BAD_GATEWAY]],
  ])('is sent again, the same bytes, until a block holds it: %s', async (_, answers) => {
    const { end, requests, sends } = await send({
      send_tx: [...answers, ...answers, ...answers, outcome('FINAL')],
      tx: [UNKNOWN_TRANSACTION],
    });
    expect(end).toMatchObject(EXECUTED);
    expect(sends).toBe(4);
    expect(new Set(requests.map(({ params }) => params.signed_tx_base64 ?? '')).size).toBe(2);
  });

  it('is sent to the next node when the first one hangs', async () => {
    hurry();
    const { end, requests } = await sendTo({
      one: { send_tx: ['silence'], tx: [UNKNOWN_TRANSACTION] },
      two: { send_tx: [outcome('FINAL')], tx: [UNKNOWN_TRANSACTION] },
    });
    expect(end).toMatchObject(EXECUTED);
    expect(requests.map(({ node, method }) => `${node} ${method}`)).toContain('two send_tx');
  });

  it('does not hang when no node ever answers', async () => {
    hurry();
    const { end } = await send({ send_tx: ['silence'], tx: ['silence'] });
    expect(end).toMatchObject({ kind: 'outcome_unknown', state: 'in-pool', transactionId: hash });
  });

  it('gives a node longer each time that none answers, from 4 s to 16 s', async () => {
    const limits: number[] = [];
    const timeoutOf = AbortSignal.timeout.bind(AbortSignal);
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      // Passes fast for what is sent, which is silence, and never for a look, which has an answer.
      const isSent = limits.length === 0 || (ms > 4_000 && ms < 30_000);
      if (isSent) limits.push(ms);
      return timeoutOf(isSent ? ms / 100 : 30_000);
    });
    onTestFinished(() => spy.mockRestore());
    const { client } = scriptedNodes({ one: { send_tx: ['silence'], tx: [UNKNOWN_TRANSACTION] } });
    const error = await client.sendTransaction(bytes, 'FINAL').catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ cause: { message: expect.stringContaining('no answer within 16000 ms') } });
    expect(limits).toEqual([4_000, 8_000, 16_000, 16_000, 16_000, 16_000]);
  });

  it('is in the pool again, and sent again, when the block that held it is given up', async () => {
    const states: string[] = [];
    const { end } = await send(
      { send_tx: [outcome('INCLUDED', 'Started'), CONGESTED, outcome('FINAL')], tx: [UNKNOWN_TRANSACTION] },
      'FINAL',
      { onState: ({ name }) => states.push(name) },
    );
    expect(end).toMatchObject(EXECUTED);
    expect(states).toEqual(['included', 'in-pool', 'final']);
  });

  it('may be in the pool when its nonce is refused, which a second copy is answered with', async () => {
    const states: string[] = [];
    await send({ send_tx: [INVALID_NONCE], query: [SPENT], tx: [UNKNOWN_TRANSACTION] }, 'FINAL', {
      onState: ({ name }) => states.push(name),
    });
    expect(states).toEqual(['in-pool']);
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
    const sent = client.sendTransaction(bytes, 'FINAL', { signal: stopping.signal, onState });
    await expect(sent).rejects.toThrow('enough');
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
    const chance = [0, 0.5, 0.999, 0.1, 0.7];
    const drawn = [...chance];
    vi.spyOn(Math, 'random').mockImplementation(() => drawn.shift() ?? 0);
    const timer = vi.spyOn(globalThis, 'setTimeout');
    await send({ send_tx: [{ status: 503, text: '' }], tx: [{ status: 503, text: '' }] });
    const pauses = timer.mock.calls.flatMap(([, ms]) => (ms !== undefined && ms >= 200 ? [ms] : []));
    expect(pauses).toEqual(chance.map((part, retry) => 200 * 2 ** retry + part * 150));
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
    expect(end).toMatchObject(EXECUTED);
    expect(methods()).toEqual(Array(10).fill('send_tx'));
    expect(new Set(requests.map(({ params }) => params.signed_tx_base64)).size).toBe(1);
  });

  it.each([
    ['ShardCongested', CONGESTED],
    ['429', { status: 429, text: '' }],
  ] as const)(
    'that stays busy with %s for 40 s may keep the bytes: their outcome is unknown',
    async (_, busy) => {
      const { end, tookMs } = await send({ send_tx: [busy] });
      expect(end).toMatchObject({ kind: 'outcome_unknown', state: 'not-seen', transactionId: hash });
      expect(tookMs).toBeGreaterThanOrEqual(40_000);
      expect(tookMs).toBeLessThan(50_000);
    },
  );

  it.each([
    ['turned it away', { status: 400, text: '' }],
    ['was busy', CONGESTED],
  ])('may keep the bytes although the next one was not reached: it %s', async (_, reply) => {
    const refused = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const { end } = await sendTo({ one: { send_tx: [reply] }, two: { send_tx: [refused] } });
    expect(end).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
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

  it('ends each wait after 2 s, as a free tier does: the bytes are looked up at each end, and no failure is reported', async () => {
    const ended = [BAD_GATEWAY, { status: 408, text: '' }, BAD_GATEWAY];
    const pending = { result: { final_execution_status: 'INCLUDED' } };
    const { end, methods } = await send({
      send_tx: ended,
      tx: [pending, BAD_GATEWAY, pending, outcome('FINAL')],
    });
    expect(end).toMatchObject(EXECUTED);
    expect(methods().filter((method) => method === 'tx').length).toBeGreaterThan(2);
  });

  it('has answered when it ends each wait: the bytes go out for 40 s', async () => {
    const script = { send_tx: [{ status: 408, text: '' }], tx: [UNKNOWN_TRANSACTION] };
    const { end, tookMs, sends } = await send(script);
    expect(end).toMatchObject({ kind: 'outcome_unknown', state: 'in-pool', transactionId: hash });
    expect(tookMs).toBeGreaterThanOrEqual(40_000);
    expect(sends).toBeGreaterThan(10);
  });

  it('may have taken what it answers with 408: a look-up comes first', async () => {
    const { end, methods } = await send({ send_tx: [{ status: 408, text: '' }], tx: [outcome('FINAL')] });
    expect(end).toMatchObject(EXECUTED);
    expect(methods()).toEqual(['send_tx', 'tx']);
  });
});

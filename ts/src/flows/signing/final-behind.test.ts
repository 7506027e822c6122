import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TransactionOutcome, TransactionState } from '../../near/index.js';
import type { BatchEntry } from '../../storage/records.js';
import type { ActionResult, TransactionFate } from '../../types.js';
import type { FlowContext } from '../context.js';
import { memoryJournal } from '../testing/memory-journal.js';
import { openBatchJournal } from './batch-journal.js';
import { resumeBatches } from './settle-batch.js';
import type { SignedBatch } from './signed-batch.js';

const SUCCESS = { SuccessValue: '' };
const FAILURE = { Failure: { ActionError: {} } };

beforeEach(() => {
  vi.useFakeTimers();
  // Node 20 has no navigator, and with it no locks: there is one tab.
  vi.stubGlobal('navigator', {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const outcome = (level: string, status: object = SUCCESS): TransactionOutcome =>
  ({ transactionId: 'id', final_execution_status: level, status }) as unknown as TransactionOutcome;
const result = (fate: TransactionFate, answer: TransactionOutcome | null): ActionResult => ({
  success: fate === 'executed',
  fate,
  transactionId: 'id',
  result: answer,
});

/** A payment that was sent, with the journal of this origin; `state` is what the chain tells of it. */
async function pay(...results: ActionResult[]) {
  const entries = new Map<string, BatchEntry>();
  const store = { journal: memoryJournal(entries) };
  const chain = { state: { name: 'in-pool' } as TransactionState, looks: 0 };
  const rpc = {
    transactionStatus: async () => null,
    transactionState: async () => {
      chain.looks += 1;
      return chain.state;
    },
    noteWrite: () => undefined,
  };
  const closing = new AbortController();
  const warn = vi.fn();
  const context = {
    store,
    rpc,
    config: { logger: { warn } },
    closing: closing.signal,
  } as unknown as FlowContext;
  const transaction = { receiverId: 'bob.testnet', nonce: '7', signerId: 'alice.testnet' };
  const signed = results.map((_, index) => ({ hash: `id ${index}`, transaction }));
  const requests = results.map(() => ({ receiverId: 'bob.testnet', actions: [] }));
  const batch = { accountId: 'alice.testnet', publicKey: 'key', signed, requests, blockHeight: '90' };
  const journal = await openBatchJournal(context, batch as unknown as SignedBatch);
  for (const [index, copy] of signed.entries()) await journal.leaves(index, copy as never);
  for (const [index, one] of results.entries()) journal.settles(index, one);
  await journal.close();
  await vi.dynamicImportSettled();
  return { entries, chain, context, closing, warn };
}

const early = () => pay(result('executed', outcome('EXECUTED_OPTIMISTIC')));
const reported = async (context: FlowContext) =>
  (await resumeBatches(context)).map(({ transactions }) => transactions.map(({ fate }) => fate));

describe('a payment shown as executed before its block is final (core 4)', () => {
  it('stays in the journal until it is final, and is never mentioned again', async () => {
    const { entries, chain, context } = await early();
    expect([...entries.values()]).toMatchObject([{ transactions: [{ fate: 'executed', isShown: true }] }]);
    chain.state = { name: 'executed', outcome: outcome('EXECUTED') };
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await reported(context)).toEqual([]);
    expect(entries.size).toBe(1);
    chain.state = { name: 'final', outcome: outcome('FINAL') };
    await vi.advanceTimersByTimeAsync(60_000);
    expect(entries.size).toBe(0);
    const { looks } = chain;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(chain.looks).toBe(looks);
  });

  it.each<[string, TransactionState, TransactionFate]>([
    ['refused', { name: 'refused' }, 'refused'],
    ['expired', { name: 'expired' }, 'refused'],
    ['failed', { name: 'final', outcome: outcome('FINAL', FAILURE) }, 'failed'],
  ])('is reported when a fork drops it and it ends %s', async (_, state, fate) => {
    const { entries, chain, context } = await early();
    chain.state = state;
    await vi.advanceTimersByTimeAsync(3_000);
    expect([...entries.values()]).toMatchObject([{ transactions: [{ fate: 'unknown' }] }]);
    expect(await reported(context)).toEqual([[fate]]);
    expect(entries.size).toBe(0);
  });

  it('is reported by the next page, if this one ends before it is final', async () => {
    const { chain, context, closing } = await early();
    closing.abort();
    chain.state = { name: 'refused' };
    expect(await reported(context)).toEqual([['refused']]);
  });

  it('is not called lost because a node does not have it, nor because nodes have forgotten it', async () => {
    const { entries, chain, context } = await early();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await reported(context)).toEqual([]);
    expect(entries.size).toBe(1);
    expect(chain.looks).toBeLessThan(20);
    chain.state = { name: 'unknown' };
    expect(await reported(context)).toEqual([]);
    expect(entries.size).toBe(0);
  });

  it('is looked up again when the chain could not be asked', async () => {
    const { entries, chain, warn, context } = await early();
    Object.assign(context.rpc, {
      transactionState: vi
        .fn()
        .mockRejectedValueOnce(new Error('offline'))
        .mockResolvedValue({ name: 'final', outcome: outcome('FINAL') }),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(entries.size).toBe(0);
    expect(chain.looks).toBe(0);
  });
});

describe('a batch', () => {
  it('of which one is not final yet is watched as a whole, and only once', async () => {
    const { entries, chain, context } = await pay(
      result('executed', outcome('EXECUTED_OPTIMISTIC')),
      result('failed', outcome('EXECUTED_OPTIMISTIC', FAILURE)),
      result('not-sent', null),
    );
    expect(await reported(context)).toEqual([]);
    chain.state = { name: 'final', outcome: outcome('FINAL') };
    await vi.advanceTimersByTimeAsync(3_000);
    // The chain executed what was shown as failed.
    expect(await reported(context)).toEqual([['executed', 'executed', 'not-sent']]);
    expect(entries.size).toBe(0);
  });

  it('that is final leaves nothing', async () => {
    const { entries, chain } = await pay(result('executed', outcome('FINAL')));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(entries.size).toBe(0);
    expect(chain.looks).toBe(0);
  });

  it('with an unknown outcome is reported whole by the next look, as before', async () => {
    const { chain, context } = await pay(
      result('executed', outcome('EXECUTED_OPTIMISTIC')),
      result('unknown', null),
    );
    chain.state = { name: 'final', outcome: outcome('FINAL') };
    expect(await reported(context)).toEqual([['executed', 'executed']]);
  });
});

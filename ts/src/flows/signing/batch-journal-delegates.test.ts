import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TransactionOutcome } from '../../near/index.js';
import type { BatchEntry } from '../../storage/records.js';
import type { TransactionFate } from '../../types.js';
import type { FlowContext } from '../context.js';
import { memoryJournal } from '../testing/memory-journal.js';
import { openDelegateJournal } from './batch-journal.js';
import { resumeBatches } from './settle-batch.js';

const ALICE = 'alice.testnet';
const SUCCESS = { SuccessValue: '' };
const FAILURE = { Failure: { ActionError: { index: 0, kind: 'DelegateActionInvalidSignature' } } };
const delegate = {
  accountId: ALICE,
  receiverId: 'game.testnet',
  hash: 'delegate',
  publicKey: 'ed25519:key',
  nonce: '7',
  maxBlockHeight: '700',
  transactions: [{ receiverId: 'game.testnet', actions: [{ type: 'Transfer' as const, amount: '1' }] }],
  payment: 'digest',
};

// Node 20 has no navigator, and with it no locks: there is one tab.
beforeEach(() => vi.stubGlobal('navigator', {}));
afterEach(() => vi.unstubAllGlobals());

/** A delegate that was posted to the relay, with the journal of this origin and what the chain has of its key. */
async function post() {
  const entries = new Map<string, BatchEntry>();
  const met: string[] = [];
  const store = {
    journal: memoryJournal(entries),
    meetRecipients: async (_account: string, recipients: readonly string[]) => void met.push(...recipients),
  };
  const chain = {
    key: { nonce: 6, block_height: 650 } as { nonce: number; block_height: number } | null,
    outcomes: new Map<string, TransactionOutcome>(),
  };
  const rpc = {
    viewAccessKey: async () => chain.key,
    transactionStatus: async (id: string) => chain.outcomes.get(id) ?? null,
    noteWrite: () => undefined,
  };
  const context = { store, rpc, config: { logger: { warn: vi.fn() } } } as unknown as FlowContext;
  const end = await openDelegateJournal(context, delegate);
  const close = async (...told: Parameters<typeof end>) => {
    await end(...told);
    // The mutex is released behind it.
    await vi.dynamicImportSettled();
  };
  return { entries, met, chain, context, close };
}

/** What the next start reports of it. */
const reported = async (context: FlowContext) =>
  (await resumeBatches(context)).flatMap(({ transactions }) => transactions);

/** The answer of `tx` for a carrier whose delegate ended with `status`. */
function carrying(status: object): TransactionOutcome {
  const outcome = (of: object, ...receipt_ids: string[]) => ({ outcome: { status: of, receipt_ids } });
  return {
    transactionId: 'carrier',
    final_execution_status: 'FINAL',
    status: SUCCESS,
    transaction_outcome: outcome({ SuccessReceiptId: 'c' }, 'c'),
    receipts_outcome: [
      { id: 'c', ...outcome(SUCCESS, 'inner') },
      { id: 'inner', ...outcome(status) },
    ],
  } as unknown as TransactionOutcome;
}

describe('the journal of a delegate (core 4)', () => {
  it('holds it as unknown from before it leaves, and keeps no signature', async () => {
    const { entries } = await post();
    const [entry] = entries.values();
    expect(entry).toMatchObject({
      accountId: ALICE,
      publicKey: 'ed25519:key',
      transactions: [
        {
          transactionId: 'delegate',
          receiverId: 'game.testnet',
          nonce: '7',
          blockHeight: '700',
          fate: 'unknown',
        },
      ],
    });
    expect(JSON.stringify(entry)).not.toContain('signedDelegate');
  });

  it.each<TransactionFate>(['executed', 'failed', 'not-sent'])(
    'leaves nothing once it is %s',
    async (fate) => {
      const { entries, close } = await post();
      await close(fate, null);
      expect(entries.size).toBe(0);
    },
  );

  it('is kept open while the chain may still execute it', async () => {
    const { entries, chain, context, close } = await post();
    await close('unknown', null);
    chain.key = { nonce: 6, block_height: 700 };
    expect(await reported(context)).toEqual([
      { transactionId: null, receiverId: 'game.testnet', amountYocto: '1', fate: 'unknown' },
    ]);
    expect(entries.size).toBe(1);
  });

  it.each<[TransactionFate, string, { nonce: number; block_height: number } | null]>([
    ['refused', 'its last block is over and its nonce is free', { nonce: 6, block_height: 701 }],
    ['sent', 'the chain has spent exactly its nonce', { nonce: 7, block_height: 650 }],
    ['unknown', 'a later nonce is spent: it came first, or never', { nonce: 8, block_height: 650 }],
    ['unknown', 'its key is gone: it was executed before, or never', null],
  ])('is settled as %s when %s', async (fate, _, key) => {
    const { entries, chain, context, close } = await post();
    await close('unknown', null);
    chain.key = key;
    expect(await reported(context)).toMatchObject([{ transactionId: null, fate }]);
    expect(entries.size).toBe(0);
  });

  it.each<[TransactionFate, object]>([
    ['executed', SUCCESS],
    ['failed', FAILURE],
  ])('is settled as %s by the transaction that the relay named', async (fate, status) => {
    const { entries, chain, context, close } = await post();
    await close('unknown', 'carrier');
    expect(await reported(context)).toMatchObject([{ transactionId: 'carrier', fate: 'unknown' }]);
    chain.outcomes.set('carrier', carrying(status));
    expect(await reported(context)).toMatchObject([{ transactionId: 'carrier', fate }]);
    expect(entries.size).toBe(0);
  });

  it('is left to the tab that asks the relay, and is looked up once that page has ended', async () => {
    const { entries, chain, context } = await post();
    chain.key = { nonce: 7, block_height: 650 };
    expect(await reported(context)).toEqual([]);
    for (const entry of entries.values())
      entries.set(entry.batchId, { ...entry, batchId: 'of an earlier page' });
    expect(await reported(context)).toMatchObject([{ fate: 'sent' }]);
  });

  it('makes its receiver known once it is executed, and not before', async () => {
    for (const fate of ['unknown', 'failed', 'not-sent', 'executed'] as const) {
      const { met, close } = await post();
      await close(fate, 'carrier');
      expect(met).toEqual(fate === 'executed' ? ['game.testnet'] : []);
    }
  });

  it('that cannot be written stops nothing', async () => {
    const { context } = await post();
    Object.assign(context.store.journal, { open: () => Promise.reject(new Error('full')) });
    const close = await openDelegateJournal(context, delegate);
    await close('executed', null);
    expect(context.config.logger.warn).toHaveBeenCalled();
  });
});

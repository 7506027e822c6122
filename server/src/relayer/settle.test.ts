/** What one transaction costs, whatever the chain's answers, which are scripted here. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RpcClient, RpcFailure, TransactionOutcome } from '../../../ts/src/near/index.js';
import { rpcError } from '../../../ts/src/near/rpc-error.js';
import type { Refusal } from '../http/refusal.js';
import { createLog } from '../observe/log.js';
import type { JobClaim, JobStore } from './jobs.js';
import { Settler } from './settle.js';

const CALL = { borshBytes: new Uint8Array(), hash: 'tx', publicKey: 'ed25519:K' };
const fails = (failure: RpcFailure) => () => Promise.reject(rpcError(failure, { reason: 'so' }));

/** The chain's answer with these receipts; the transaction creates the first of them. */
function outcomeWith(...receipts: [id: string, burnt: string, ...made: string[]][]): TransactionOutcome {
  const part = ([id, tokens_burnt, ...made]: (typeof receipts)[number]) => ({
    id,
    outcome: {
      executor_id: 'x',
      gas_burnt: 1,
      tokens_burnt,
      logs: [],
      receipt_ids: made,
      status: { SuccessValue: '' },
    },
  });
  return {
    transactionId: 'tx',
    final_execution_status: 'FINAL',
    transaction_outcome: part(['tx', '10', 'first']),
    receipts_outcome: receipts.map(part),
  };
}

/** Sends one job's payment of at most 1000, 100 of it a deposit, with these answers in turn. */
function settler(...answers: (() => Promise<TransactionOutcome>)[]) {
  return sharing(null, ...answers);
}

/** The same at one of several relays, which share their jobs. */
function sharing(jobs: JobStore | null, ...answers: (() => Promise<TransactionOutcome>)[]) {
  const events: string[] = [];
  const rpc = {
    isWitnessed: true,
    sendTransaction: () => answers.shift()?.() ?? expect.fail('there is no further answer'),
  } satisfies Partial<RpcClient> as unknown as RpcClient;
  const made = new Settler({
    rpc,
    relayer: { accountId: 'relayer.testnet', learn: async (_, { reason }) => reason === 'InvalidNonce' },
    spend: {
      reserve(yocto) {
        events.push(`reserve ${yocto}`);
        return {
          commit: (actual) => void events.push(`commit ${actual}`),
          release: () => void events.push('release'),
        };
      },
    },
    log: createLog(() => undefined),
    noun: 'payment',
    keptDeposit: (_, depositYocto) => depositYocto,
    jobs,
  });
  const payment = { mostYocto: 1000n, depositYocto: 100n, sign: async () => CALL };
  const send = (job = 'job') =>
    made
      .send(job, 'r', async () => payment)
      .then(
        () => 'told',
        (error: Refusal) => error.code,
      );
  return { send, events, made };
}

describe('a payment', () => {
  it('counts the burnt tokens and the deposit that was kept', async () => {
    const { send, events } = settler(async () => outcomeWith(['first', '20', 'refund'], ['refund', '3']));
    expect(await send()).toBe('told');
    expect(events).toEqual(['reserve 1000', 'commit 133']);
  });

  it('counts the whole reservation while a receipt is missing', async () => {
    for (const receipts of [[], [['first', '20', 'refund']]] as Parameters<typeof outcomeWith>[]) {
      const { send, events } = settler(async () => outcomeWith(...receipts));
      expect(await send()).toBe('told');
      expect(events).toEqual(['reserve 1000', 'commit 1000']);
    }
  });

  it('that no node could read is released, and signed again', async () => {
    const { send, events, made } = settler(fails({ kind: 'invalid_request' }), async () =>
      outcomeWith(['first', '20']),
    );
    expect(await send()).toBe('chain_rejected');
    expect(made.unfinished()).toEqual([]);
    expect(await send()).toBe('told');
    expect(events).toEqual(['reserve 1000', 'release', 'reserve 1000', 'commit 130']);
  });

  it('with an unknown outcome stays reserved, whatever a node says about its copy', async () => {
    const { send, events, made } = settler(
      fails({ kind: 'outcome_unknown' }),
      fails({ kind: 'invalid_request' }),
      fails({ kind: 'unreachable', notDelivered: true }),
      async () => outcomeWith(['first', '20']),
    );
    for (const code of ['outcome_unknown', 'outcome_unknown', 'outcome_unknown']) {
      expect(await send()).toBe(code);
      expect(made.unfinished()).toEqual(['tx']);
    }
    expect(await send()).toBe('told');
    expect(events).toEqual(['reserve 1000', 'commit 130']);
  });

  it('that no request asks for again settles with the next payment, and its reservation ends', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const lost = settler(
      fails({ kind: 'outcome_unknown' }),
      fails({ kind: 'invalid_transaction', reason: 'InvalidNonce' }),
      async () => outcomeWith(['first', '20']),
    );
    expect(await lost.send()).toBe('outcome_unknown');
    vi.advanceTimersByTime(30_000);
    expect(await lost.send('another job')).toBe('told');
    // The lost one ends in the background, while the other is prepared.
    expect([...lost.events].sort()).toEqual(['commit 130', 'release', 'reserve 1000', 'reserve 1000']);

    const executed = settler(
      fails({ kind: 'outcome_unknown' }),
      async () => outcomeWith(['first', '20']),
      async () => outcomeWith(['first', '50']),
      async () => outcomeWith(['first', '20']),
    );
    expect(await executed.send()).toBe('outcome_unknown');
    vi.advanceTimersByTime(29_000);
    expect(await executed.send('another job')).toBe('told');
    expect(executed.events).toEqual(['reserve 1000', 'reserve 1000', 'commit 130']);
    vi.advanceTimersByTime(1_000);
    expect(await executed.send('another job')).toBe('told');
    expect(executed.events).toContain('commit 160');
  });

  it('that reached no node is released', async () => {
    const { send, events, made } = settler(fails({ kind: 'unreachable', notDelivered: true }));
    expect(await send()).toBe('chain_unreachable');
    expect(events).toEqual(['reserve 1000', 'release']);
    expect(made.unfinished()).toEqual([]);
  });

  it('that the relayer cannot pay for says that its funds are gone', async () => {
    const { send, events } = settler(fails({ kind: 'invalid_transaction', reason: 'NotEnoughBalance' }));
    expect(await send()).toBe('relayer_unfunded');
    expect(events).toEqual(['reserve 1000', 'release']);
  });

  it('that the chain refused for good is released', async () => {
    const refused = fails({ kind: 'invalid_transaction', reason: 'InvalidSigner' });
    const { send, events, made } = settler(refused);
    expect(await send()).toBe('chain_rejected');
    expect(events).toEqual(['reserve 1000', 'release']);
    expect(made.unfinished()).toEqual([]);
  });
});

describe('a payment whose bytes the relays share', () => {
  /** A store of jobs, of which each relay that claims gets this. */
  const storeWith = (claim: Partial<JobClaim>): JobStore => ({
    claim: async () => ({ sent: null, keep: async () => true, release: async () => undefined, ...claim }),
    isOpen: async () => false,
    settled: async () => true,
    counted: () => undefined,
    due: async () => [],
    endUnkept: async () => 0,
  });

  it('stays reserved where the store may have them although it did not answer: another relay may send them', async () => {
    const silent = storeWith({ keep: fails({ kind: 'unreachable' }) as JobClaim['keep'] });
    const { send, events } = sharing(silent);
    expect(await send()).toBe('chain_unreachable');
    expect(events).toEqual(['reserve 1000']);
  });

  it('is released where another relay has taken the job over, and sent by none here', async () => {
    const { send, events } = sharing(storeWith({ keep: async () => false }));
    expect(await send()).toBe('not_ready');
    expect(events).toEqual(['reserve 1000', 'release']);
  });

  it('is not called unsent, nor signed again, while the store does not know that it ended: a relay may send those bytes', async () => {
    for (const failure of [
      { kind: 'unreachable', notDelivered: true },
      { kind: 'invalid_transaction', reason: 'InvalidNonce' },
    ] satisfies RpcFailure[]) {
      const { send, events } = sharing({ ...storeWith({}), settled: async () => false }, fails(failure));
      expect(await send()).toBe('outcome_unknown');
      expect(events).toEqual(['reserve 1000']);
    }
  });
});

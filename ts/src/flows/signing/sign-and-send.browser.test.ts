/** Batches on a chain with nearcore's nonce rule: each nonce above the last one it took. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CANCELLED,
  LatchkeyError,
  NEAR_RPC_FAILED,
  STORAGE_FULL,
  TRANSACTION_FAILED,
} from '../../errors/wallet.js';
import { readSignedTransaction, type TransactionOutcome } from '../../near/index.js';
import type { BatchEntry } from '../../storage/records.js';
import { WalletStore } from '../../storage/store.js';
import type { ExecutionWait, SignedTransaction, TransactionInput, TransactionRequest } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { resume } from '../resume.js';
import { ALICE, type SignedIn, signIn } from '../testing/signed-in.js';
import { sendWithKey } from './send-without-prompt.js';
import { executeAction, signAndSendTransactions } from './sign-and-send.js';
import { takeTurn } from './sign-in-turn.js';

const greet = (greeting: string): TransactionInput => ({
  receiverId: 'w3a-v1.testnet',
  actions: [{ type: 'FunctionCall', methodName: 'set_greeting', args: { greeting } }],
});
const batchOf = (count: number) => Array.from({ length: count }, (_, index) => greet(`greeting ${index}`));
const staggered: ExecutionWait = { mode: 'parallelStaggered', staggerMs: 5 };

let authenticator: VirtualAuthenticator;
let wallet: SignedIn;
/** Ids that the chain executed, in order. */
let executed: string[];
/** Every nonce that was sent, in order. */
let nonces: number[];

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
  // Other tests of this origin leave their entries.
  for (const entry of await journal()) await wallet.context.store.journal.drop(entry);
  executed = [];
  nonces = [];
  wallet.chain.onSend = (index) => take(index);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await wallet.close();
  await authenticator.remove();
});

const outcomeOf = (transactionId: string) =>
  ({ transactionId, final_execution_status: 'FINAL', status: { SuccessValue: '' } }) as TransactionOutcome;
const refusal = (reason: string) =>
  new LatchkeyError(TRANSACTION_FAILED, { details: { kind: 'invalid_transaction', reason } });
const unknown = () => new LatchkeyError(NEAR_RPC_FAILED, { details: { kind: 'outcome_unknown' } });

async function take(index: number): Promise<TransactionOutcome> {
  const bytes = wallet.chain.sent[index] ?? new Uint8Array();
  const { transactionId, accessKey } = await readSignedTransaction(bytes);
  const nonce = Number(accessKey?.nonce);
  nonces.push(nonce);
  if (nonce <= wallet.chain.nonce) throw refusal('InvalidNonce');
  wallet.chain.nonce = nonce;
  executed.push(transactionId);
  return outcomeOf(transactionId);
}

const journal = () => wallet.context.store.journal.entries('batch');

describe.each<[string, ExecutionWait]>([
  ['a sequential batch', { mode: 'sequential' }],
  ['a staggered batch', staggered],
])('%s (core 2, core 4, core 5, core 8)', (_, executionWait) => {
  it('executes each of its transactions once, and reports each by its id', async () => {
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(5), { executionWait });
    expect(results.map(({ fate }) => fate)).toEqual(Array(5).fill('executed'));
    expect(results.map(({ transactionId }) => transactionId)).toEqual(executed);
    expect(new Set(executed).size).toBe(5);
    expect(nonces).toEqual([101, 102, 103, 104, 105]);
    expect(await journal()).toEqual([]);
  });

  it('signs again what another device overtook, with one prompt and no nonce used twice', async () => {
    const asked = vi.spyOn(navigator.credentials, 'get');
    wallet.chain.onSend = async (index) => {
      if (index === 1) wallet.chain.nonce = 150;
      return take(index);
    };
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(5), { executionWait });
    expect(results.map(({ fate }) => fate)).toEqual(Array(5).fill('executed'));
    expect(results.map(({ transactionId }) => transactionId).sort()).toEqual([...executed].sort());
    expect(new Set(nonces).size).toBe(nonces.length);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(wallet.chain.calls.filter((call) => call === 'verify_authentication_response')).toHaveLength(1);
  });

  it('signs above the nonce that a refusal names, even if the node that reads the nonce lags', async () => {
    wallet.chain.onSend = async (index) => {
      const { transactionId, accessKey } = await readSignedTransaction(
        wallet.chain.sent[index] ?? new Uint8Array(),
      );
      const nonce = Number(accessKey?.nonce);
      const info = { tx_nonce: nonce, ak_nonce: 150 };
      const details = { kind: 'invalid_transaction', reason: 'InvalidNonce', info };
      if (nonce <= 150) throw new LatchkeyError(TRANSACTION_FAILED, { details });
      nonces.push(nonce);
      return outcomeOf(transactionId);
    };
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(2), { executionWait });
    expect(results.map(({ fate }) => fate)).toEqual(['executed', 'executed']);
    expect(nonces).toEqual([151, 152]);
  });

  it('leaves a nonce free when nothing was sent with it', async () => {
    wallet.chain.onSend = async () => {
      throw refusal('NotEnoughBalance');
    };
    await signAndSendTransactions(wallet.context, ALICE, batchOf(3), { executionWait });
    wallet.chain.onSend = take;
    nonces = [];
    await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('next').actions, {});
    expect(nonces).toEqual([executionWait.mode === 'sequential' ? 102 : 104]);
  });

  it('keeps a journal of hashes while the outcome of one is unknown', async () => {
    wallet.chain.onSend = async (index) => {
      if (index === 1) throw unknown();
      return take(index);
    };
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(3), { executionWait });
    const rest = executionWait.mode === 'sequential' ? 'not-sent' : 'executed';
    expect(results.map(({ fate }) => fate)).toEqual(['executed', 'unknown', rest]);
    const [entry] = await journal();
    expect(entry?.transactions.map(({ transactionId, fate }) => [transactionId, fate])).toEqual(
      results.map(({ transactionId, fate }) => [transactionId, fate]),
    );
    expect(JSON.stringify(entry)).not.toMatch(/signature|borsh/i);
  });

  it('sends nothing more once the host aborts, and reports what was already sent as unknown', async () => {
    const host = new AbortController();
    wallet.chain.onSend = async (index) => {
      if (index === 0) return take(index);
      host.abort();
      throw new LatchkeyError(CANCELLED);
    };
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(4), {
      executionWait:
        executionWait.mode === 'sequential' ? executionWait : { ...executionWait, staggerMs: 3_000 },
      signal: host.signal,
    });
    expect(results.map(({ fate }) => fate)).toEqual(['executed', 'unknown', 'not-sent', 'not-sent']);
    expect(results.every(({ transactionId }) => transactionId !== null)).toBe(true);
    expect(wallet.chain.sent).toHaveLength(2);
  });

  it('waits for the requested level', async () => {
    const send = vi.spyOn(wallet.context.rpc, 'sendTransaction');
    const wait = { ...executionWait, waitUntil: 'INCLUDED_FINAL' } as const;
    await signAndSendTransactions(wallet.context, ALICE, batchOf(2), { executionWait: wait });
    await signAndSendTransactions(wallet.context, ALICE, batchOf(2), { executionWait, waitUntil: 'FINAL' });
    await signAndSendTransactions(wallet.context, ALICE, batchOf(2), { executionWait });
    expect(send.mock.calls.map(([, waitUntil]) => waitUntil)).toEqual([
      'INCLUDED_FINAL',
      'INCLUDED_FINAL',
      'FINAL',
      'FINAL',
      undefined,
      undefined,
    ]);
  });
});

describe('a staggered batch (core 4)', () => {
  it('continues with the rest when the chain refuses one in the middle for good', async () => {
    wallet.chain.onSend = async (index) => {
      if (index === 1) throw refusal('NotEnoughBalance');
      return take(index);
    };
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(4), {
      executionWait: staggered,
    });
    expect(results.map(({ fate }) => fate)).toEqual(['executed', 'refused', 'executed', 'executed']);
    expect(await journal()).toEqual([]);
  });

  it('sends an overtaken transaction again above all its siblings, even those in flight', async () => {
    // The first arrives last, when all its siblings are on the chain.
    wallet.chain.onSend = async (index) => {
      if (index === 0) await vi.waitFor(() => expect(executed).toHaveLength(3), { timeout: 10_000 });
      return take(index);
    };
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(4), {
      executionWait: staggered,
    });
    expect(results.map(({ fate }) => fate)).toEqual(Array(4).fill('executed'));
    expect(executed).toHaveLength(4);
    expect(new Set(nonces).size).toBe(nonces.length);
    expect(nonces.at(-1)).toBeGreaterThan(104);
  });

  it('waits 75 ms between two transactions by default', async () => {
    wallet.chain.onSend = async (index) => take(index);
    const timer = vi.spyOn(globalThis, 'setTimeout');
    await signAndSendTransactions(wallet.context, ALICE, batchOf(3), {
      executionWait: { mode: 'parallelStaggered' },
    });
    const waits = timer.mock.calls.map(([, ms]) => ms);
    timer.mockRestore();
    expect(waits).toEqual(expect.arrayContaining([75, 150]));
  });
});

describe('a sequential batch (core 4)', () => {
  it('signs its rest again when another tab took later nonces, before the chain refuses it', async () => {
    const { store } = wallet.context;
    const key = `${ALICE}|${(await store.user(ALICE))?.clientNearPublicKey}`;
    wallet.chain.onSend = async (index) => {
      if (index === 1) wallet.chain.nonce = Number(await store.nonces.take(key, 0n, 1));
      return take(index);
    };
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(4), {});
    expect(results.map(({ fate }) => fate)).toEqual(Array(4).fill('executed'));
    // One refusal, of the transaction in flight: the two after it were signed again in time.
    expect(wallet.chain.sent).toHaveLength(5);
  });
});

describe("the signer worker's result (core 4, core 5, core 8)", () => {
  const lessThanAsked = {
    'fewer transactions than were asked for': (signed: object[]) => signed.slice(1),
    'one without its signature': (signed: object[]) =>
      signed.map((one) => ({ ...one, signature: undefined })),
    'one without its transaction': (signed: object[]) =>
      signed.map((one) => ({ ...one, transaction: undefined })),
  };
  it.each(Object.entries(lessThanAsked))('is not sent when it is %s', async (_, change) => {
    const { signers } = wallet.context;
    const acquire = signers.acquire.bind(signers);
    vi.spyOn(signers, 'acquire').mockImplementation(async (signal) => {
      const signer = await acquire(signal);
      const call = signer.call as (name: string, args: unknown[], options?: object) => Promise<unknown>;
      const faulty = async (name: string, args: unknown[], options?: object) => {
        const answer = await call(name, args, options);
        return name === 'sign' ? change(answer as object[]) : answer;
      };
      return { ...signer, call: faulty as typeof signer.call };
    });
    const phases: string[] = [];
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(2), {
      onEvent: ({ phase }) => phases.push(phase),
    });
    expect(results).toMatchObject(
      Array(2).fill({
        success: false,
        errorCode: 'BATCH_SIGNING_FAILED',
        error: 'Batch transaction signing failed',
      }),
    );
    expect(phases.at(-1)).toBe('wasm-error');
    expect(wallet.chain.sent).toEqual([]);
    // No turn is held: the next transaction runs immediately.
    vi.restoreAllMocks();
    const next = await executeAction(wallet.context, ALICE, 'w3a-v1.testnet', greet('next').actions, {});
    expect(next.fate).toBe('executed');
  });
});

describe('a batch after a reload', () => {
  const transaction = (n: number, fate: BatchEntry['transactions'][number]['fate']) => ({
    transactionId: `tx-${n}`,
    receiverId: 'w3a-v1.testnet',
    nonce: String(100 + n),
    blockHeight: '1000',
    fate,
  });
  const entry: BatchEntry = {
    kind: 'batch',
    batchId: 'a batch',
    accountId: ALICE,
    publicKey: 'ed25519:key',
    transactions: [
      transaction(1, 'executed'),
      transaction(2, 'unknown'),
      transaction(3, 'unknown'),
      transaction(4, 'unknown'),
      transaction(5, 'not-sent'),
    ],
    createdAt: 5,
  };
  const fates = async () =>
    (await resume(wallet.context)).batches?.map(({ transactions }) => transactions.map(({ fate }) => fate));

  it('reports each outcome, is dropped when all are settled, and sends nothing', async () => {
    await wallet.context.store.journal.open(entry);
    wallet.chain.nonce = 103;
    wallet.chain.outcomes.set('tx-2', outcomeOf('tx-2'));
    expect(await fates()).toEqual([['executed', 'executed', 'refused', 'unknown', 'not-sent']]);
    expect(await journal()).toHaveLength(1);
    wallet.chain.height = 1000 + 86_401;
    expect(await resume(wallet.context)).toMatchObject({
      batches: [{ nearAccountId: ALICE, createdAt: 5, transactions: { length: 5 } }],
    });
    expect(await journal()).toEqual([]);
    expect(await fates()).toBeUndefined();
    expect(wallet.chain.sent).toEqual([]);
  });

  it('is not reported as unsent when the chain has it, even if the journal could not be written as it left', async () => {
    const { store } = wallet.context;
    const update = vi.spyOn(store.journal, 'update').mockRejectedValue(new LatchkeyError(STORAGE_FULL));
    const drop = vi.spyOn(store.journal, 'drop').mockRejectedValue(new LatchkeyError(STORAGE_FULL));
    const results = await signAndSendTransactions(wallet.context, ALICE, batchOf(3), {});
    expect(results.map(({ fate }) => fate)).toEqual(Array(3).fill('executed'));
    for (const spy of [update, drop]) spy.mockRestore();
    for (const id of executed) wallet.chain.outcomes.set(id, outcomeOf(id));
    expect(await fates()).toEqual([Array(3).fill('executed')]);
    expect(await journal()).toEqual([]);
  });

  it('is not reported as refused when the nodes may have forgotten it', async () => {
    await wallet.context.store.journal.open(entry);
    wallet.chain.height = 1000 + 86_401;
    wallet.chain.nonce = 104;
    expect(await fates()).toEqual([['executed', 'unknown', 'unknown', 'unknown', 'not-sent']]);
    expect(await journal()).toEqual([]);
  });

  it('is left alone while another tab sends it', async () => {
    await wallet.context.store.journal.open(entry);
    await navigator.locks.request(`latchkey:batch:${entry.batchId}`, async () => {
      expect(await fates()).toBeUndefined();
    });
    expect(await journal()).toHaveLength(1);
  });
});

describe('a device whose key was removed (core 4)', () => {
  it('hears so before any prompt, and is logged out', async () => {
    vi.spyOn(wallet.context.rpc, 'viewAccessKey').mockResolvedValue(null);
    const asked = vi.spyOn(navigator.credentials, 'get');
    const result = await executeAction(
      wallet.context,
      ALICE,
      'bob.testnet',
      [{ type: 'Transfer', amount: '7' }],
      {},
    );
    expect(result).toMatchObject({
      success: false,
      fate: 'not-sent',
      errorCode: 'DEVICE_KEY_REMOVED',
      error: expect.stringContaining('The account is safe'),
    });
    expect(await wallet.context.vrf.call('status', [])).toMatchObject({ active: false });
    expect(asked).not.toHaveBeenCalled();
  });

  it('stays logged in when another node still knows the key', async () => {
    vi.spyOn(wallet.context.rpc, 'viewAccessKey').mockResolvedValueOnce(null);
    await executeAction(wallet.context, ALICE, 'bob.testnet', [{ type: 'Transfer', amount: '7' }], {});
    expect(await wallet.context.vrf.call('status', [])).toMatchObject({ active: true });
  });
});

describe('a single payment without an answer (core 2, core 4)', () => {
  const pay = (amount: string) =>
    executeAction(wallet.context, ALICE, 'bob.testnet', [{ type: 'Transfer', amount }], {});
  beforeEach(() => {
    wallet.chain.onSend = async () => {
      throw unknown();
    };
  });

  it('stays in the journal, so that the next start reports it', async () => {
    const { transactionId, fate } = await pay('7');
    expect(fate).toBe('unknown');
    expect(await resume(wallet.context)).toMatchObject({
      batches: [{ nearAccountId: ALICE, transactions: [{ transactionId, fate: 'unknown' }] }],
    });
    wallet.chain.outcomes.set(transactionId ?? '', outcomeOf(transactionId ?? ''));
    expect(await resume(wallet.context)).toMatchObject({
      batches: [{ transactions: [{ transactionId, fate: 'executed' }] }],
    });
    expect(await journal()).toEqual([]);
  });

  it('is named in the confirmation of an equal payment, until its outcome is known [S44]', async () => {
    const repeatsOf = (at: number) => {
      const model = wallet.shown[at];
      return model?.kind === 'transactions' ? model.repeats : undefined;
    };
    const { transactionId } = await pay('7');
    await pay('8');
    expect([repeatsOf(0), repeatsOf(1)]).toEqual([undefined, undefined]);
    wallet.chain.onSend = (index) => take(index);
    await pay('7');
    expect(repeatsOf(2)).toEqual([{ transactionId, receiverId: 'bob.testnet', sentAt: expect.any(Number) }]);
    wallet.chain.outcomes.set(transactionId ?? '', outcomeOf(transactionId ?? ''));
    await resume(wallet.context);
    await pay('7');
    expect(repeatsOf(3)).toBeUndefined();
  });

  it('is named where another app asks for an equal payment: the first may have sent the user there', async () => {
    const store = new WalletStore(undefined, 'https://other.example');
    try {
      const { transactionId } = await pay('7');
      await store.setLastUser({ accountId: ALICE, deviceNumber: 1 });
      const other = { ...wallet.context, store, page: 'https://other.example' };
      await executeAction(other, ALICE, 'bob.testnet', [{ type: 'Transfer', amount: '7' }], {});
      expect(wallet.shown[1]).toMatchObject({ repeats: [{ transactionId, receiverId: 'bob.testnet' }] });
      expect(await store.journal.entries('batch')).toHaveLength(1);
    } finally {
      await store.close();
    }
  });
});

describe('a transaction that joins an approval', () => {
  const deletion: TransactionRequest = {
    receiverId: ALICE,
    actions: [{ type: 'DeleteKey', publicKey: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2' }],
  };

  it('is shown and signed with the rest, and handed over after the rest was sent', async () => {
    const sentBefore: number[] = [];
    const take = vi.fn(async (_signed: readonly SignedTransaction[]) => {
      sentBefore.push(executed.length);
    });
    const context = { ...wallet.context, joining: async () => ({ transactions: [deletion], take }) };
    const asked = vi.spyOn(navigator.credentials, 'get');
    const results = await signAndSendTransactions(context, ALICE, batchOf(2), {});
    expect(results).toHaveLength(2);
    expect(sentBefore).toEqual([2]);
    const [handedOver] = take.mock.calls[0]?.[0] ?? [];
    expect(handedOver?.transaction).toMatchObject({ nonce: '103', actions: deletion.actions });
    expect(nonces).toEqual([101, 102]);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(wallet.shown[0]).toMatchObject({ transactions: [{}, {}, deletion], ownDeletions: 1 });
    await vi.waitFor(() => expect(wallet.context.signers.live).toBe(1), { timeout: 10_000 });
  });

  it('does not change the results when it cannot be stored', async () => {
    const take = vi.fn(async () => {
      throw new LatchkeyError(STORAGE_FULL);
    });
    const context = { ...wallet.context, joining: async () => ({ transactions: [deletion], take }) };
    const results = await signAndSendTransactions(context, ALICE, batchOf(1), {});
    expect(results).toMatchObject([{ success: true }]);
  });
});

describe('turns for a key', () => {
  it('let single transactions run side by side, but none between those of a batch', async () => {
    const [first, second] = await Promise.all([takeTurn('a', 'k', 'shared'), takeTurn('a', 'k', 'shared')]);
    let ran = false;
    const batch = takeTurn('a', 'k', 'exclusive').then((end) => {
      ran = true;
      return end;
    });
    first?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ran).toBe(false);
    second?.();
    (await batch)();
  });

  it('end a wait after its limit, or when the caller aborts', async () => {
    const end = await takeTurn('b', 'k', 'exclusive');
    (await takeTurn('b', 'k', 'shared', { maxWaitMs: 50 }))();
    (await takeTurn('b', 'k', 'shared', { signal: AbortSignal.timeout(20) }))();
    end();
  });
});

describe('a key that needs no passkey', () => {
  it('signs with the next nonce, and again when that was overtaken', async () => {
    const signWith = vi.fn(
      async (nonce: string) => ({ hash: `hash ${nonce}`, borshBytes: new Uint8Array() }) as never,
    );
    let sends = 0;
    wallet.chain.onSend = async () => {
      sends += 1;
      if (sends > 1) return outcomeOf('done');
      wallet.chain.nonce = 300;
      throw refusal('InvalidNonce');
    };
    const run = { signal: new AbortController().signal };
    const result = await sendWithKey(wallet.context, {
      accountId: ALICE,
      publicKey: 'ed25519:app',
      sign: signWith,
      run,
    });
    expect(result).toMatchObject({ success: true, transactionId: 'done' });
    expect(signWith.mock.calls.map(([nonce]) => nonce)).toEqual(['101', '301']);
  });

  it('names the transaction in every error', async () => {
    wallet.chain.onSend = async () => {
      throw new LatchkeyError(NEAR_RPC_FAILED, { details: { kind: 'unreachable', notDelivered: true } });
    };
    const run = { signal: new AbortController().signal };
    const sign = async () => ({ hash: 'its hash', borshBytes: new Uint8Array() }) as never;
    await expect(
      sendWithKey(wallet.context, { accountId: ALICE, publicKey: 'k', sign, run }),
    ).rejects.toMatchObject({
      code: 'NEAR_RPC_FAILED',
      details: { transactionId: 'its hash', fate: 'not-sent' },
    });
  });
});

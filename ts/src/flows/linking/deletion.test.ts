import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LatchkeyError, NEAR_RPC_FAILED, TRANSACTION_FAILED } from '../../errors/core.js';
import type { NotedTransaction, TransactionOutcome, TransactionState } from '../../near/index.js';
import type { DeletionEntry } from '../../storage/records.js';
import type { FlowContext } from '../context.js';
import { advanceDeletion, watchDeletion } from './deletion.js';

const DELAY_MS = 20_000;
const KEY = 'ed25519:new';
const OWN = 'ed25519:own';

const sending: DeletionEntry = {
  kind: 'deletion',
  accountId: 'alice.testnet',
  publicKey: KEY,
  addKey: { id: 'add', signerKey: OWN, nonce: '11', blockHeight: '90' },
  mappingId: 'map',
  deleteKey: new Uint8Array([1, 2, 3]),
  createdAt: Date.now(),
  token: 't',
};
const linked: DeletionEntry = { ...sending, addedAtHeight: 100, dueAt: 0 };

const done = (blockHash?: string): TransactionOutcome =>
  ({
    final_execution_status: 'EXECUTED',
    status: { SuccessValue: '' },
    transaction_outcome: { block_hash: blockHash },
  }) as unknown as TransactionOutcome;
const failed = { ...done(), status: { Failure: { ActionError: {} } } } as unknown as TransactionOutcome;
const refused = (reason: string) =>
  new LatchkeyError(TRANSACTION_FAILED, { details: { kind: 'invalid_transaction', reason } });

/** The chain's answers; each test changes the ones it is about. */
function makeChain() {
  return {
    keys: [OWN, KEY],
    height: 200,
    /** What near/ knows of an AddKey that is in no block. */
    absent: 'refused' as TransactionState['name'],
    transactions: {} as Record<string, TransactionOutcome>,
    named: OWN,
    send: vi.fn(async (_bytes: Uint8Array, _wait: string) => done()),
  };
}

let chain: ReturnType<typeof makeChain>;
let update: ReturnType<typeof vi.fn>;
let drop: ReturnType<typeof vi.fn>;
let context: FlowContext;

beforeEach(() => {
  chain = makeChain();
  update = vi.fn();
  drop = vi.fn();
  context = {
    config: {
      contractId: 'registry.testnet',
      deviceLinking: { tempKeyDeleteDelayMs: DELAY_MS },
      logger: { warn: vi.fn() },
    },
    store: { journal: { update, drop } },
    closing: new AbortController().signal,
    rpc: {
      viewAccessKeyList: async () => ({
        keys: chain.keys.map((key) => ({
          public_key: key,
          access_key: { nonce: 1, permission: 'FullAccess' },
        })),
        block_height: chain.height,
      }),
      transactionState: async ({ transactionId }: NotedTransaction) => {
        const outcome = chain.transactions[transactionId];
        return outcome ? { name: 'final', outcome } : { name: chain.absent };
      },
      callFunctionJson: async () => [['id', { near_public_key: chain.named }]],
      transactionStatus: async (id: string) => chain.transactions[id] ?? null,
      block: async (reference?: object) => ({
        header: { height: reference && 'blockId' in reference ? 100 : chain.height++ },
      }),
      sendTransaction: chain.send,
    },
  } as unknown as FlowContext;
});

const advance = (entry: DeletionEntry) => advanceDeletion(context, entry);

describe('a linked key (core 4, core 9)', () => {
  it('waits until its time is over', async () => {
    expect(await advance({ ...linked, dueAt: Date.now() + 60_000 })).toBe('linked');
    expect(chain.send).not.toHaveBeenCalled();
  });

  it('sends the signed DeleteKey when its time is over', async () => {
    expect(await advance(linked)).toBe('sent');
    expect(chain.send).toHaveBeenCalledExactlyOnceWith(linked.deleteKey, 'INCLUDED_FINAL');
  });

  it('is checked every 4 s from when it was added, until it is gone', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('navigator', {
      locks: { request: async (_name: string, _options: object, work: () => Promise<void>) => work() },
    });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
    const standing = { ...linked, dueAt: Date.now() + DELAY_MS };
    const looks = vi.spyOn(context.rpc, 'viewAccessKeyList');
    const store = { journal: { ...context.store.journal, entry: async () => standing } };
    const closing = new AbortController();
    watchDeletion({ ...context, store, closing: closing.signal } as unknown as FlowContext, standing);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(looks).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(looks).toHaveBeenCalledTimes(2);
    chain.keys = [OWN];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toHaveBeenCalledTimes(3);
    expect(chain.send).not.toHaveBeenCalled();
  });

  it('is settled when it is gone', async () => {
    chain.keys = [OWN];
    expect(await advance(linked)).toBe('closed');
    expect(drop).toHaveBeenCalledWith(linked);
    expect(chain.send).not.toHaveBeenCalled();
  });

  it('stays unclear when the node lags behind the block that added the key', async () => {
    chain.keys = [OWN];
    chain.height = 99;
    expect(await advance(linked)).toBe('unclear');
    expect(drop).not.toHaveBeenCalled();
  });

  it('is not deleted when the registry names it as a device', async () => {
    chain.named = KEY;
    expect(await advance(linked)).toBe('closed');
    expect(chain.send).not.toHaveBeenCalled();
  });

  it.each(['InvalidNonce', 'Expired', 'InvalidAccessKeyError'])(
    'needs another DeleteKey signature after %s',
    async (reason) => {
      chain.send.mockRejectedValueOnce(refused(reason));
      expect(await advance(linked)).toBe('overtaken');
      expect(drop).not.toHaveBeenCalled();
    },
  );

  it('survives a congested shard: the same DeleteKey is sent until the chain takes it', async () => {
    const congested = { kind: 'busy', reason: 'ShardCongested', notDelivered: true };
    chain.send.mockRejectedValueOnce(new LatchkeyError(NEAR_RPC_FAILED, { details: congested }));
    expect(await advance(linked)).toBe('unclear');
    expect(await advance(linked)).toBe('sent');
    expect(chain.send.mock.calls.map(([bytes]) => bytes)).toEqual([linked.deleteKey, linked.deleteKey]);
    expect(drop).not.toHaveBeenCalled();
  });

  it('is tried again when the balance does not cover the gas, and when no node answers', async () => {
    chain.send.mockRejectedValueOnce(refused('NotEnoughBalance'));
    expect(await advance(linked)).toBe('unclear');
    chain.send.mockRejectedValueOnce(
      new LatchkeyError(NEAR_RPC_FAILED, { details: { kind: 'unreachable' } }),
    );
    expect(await advance(linked)).toBe('unclear');
    expect(drop).not.toHaveBeenCalled();
  });
});

describe('an interrupted link (core 9)', () => {
  it.each(['add', 'map'])('waits while the chain executes %s', async (which) => {
    const open = { status: 'Started' } as unknown as TransactionOutcome;
    chain.transactions = { add: done(), map: done(), [which]: open };
    expect(await advance(sending)).toBe('unclear');
    expect(chain.send).not.toHaveBeenCalled();
  });

  it('gets its whole time when the mapping was executed', async () => {
    chain.transactions = { add: done('hash'), map: done() };
    const before = Date.now();
    expect(await advance(sending)).toBe('linked');
    const [, change] = update.mock.calls[0] as [unknown, { addedAtHeight: number; dueAt: number }];
    expect(change.addedAtHeight).toBe(101);
    expect(change.dueAt).toBeGreaterThanOrEqual(before + DELAY_MS);
  });

  it.each([
    ['unknown', undefined],
    ['refused', failed],
  ])('loses its key immediately when the mapping is %s', async (_, map) => {
    chain.transactions = { add: done(), ...(map && { map }) };
    expect(await advance(sending)).toBe('sent');
  });

  it('keeps its key when only the second of two looks finds the mapping', async () => {
    chain.transactions = { add: done('hash') };
    const look = vi
      .spyOn(context.rpc, 'transactionStatus')
      .mockResolvedValueOnce(null)
      .mockResolvedValue(done());
    expect(await advance(sending)).toBe('linked');
    expect(look).toHaveBeenCalledTimes(2);
    expect(chain.send).not.toHaveBeenCalled();
  });

  it('keeps its key while the nodes show one block only, however often they do not find the mapping', async () => {
    chain.transactions = { add: done('hash') };
    vi.spyOn(context.rpc, 'block').mockResolvedValue({ header: { height: 200 } } as never);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let state: unknown;
    advance(sending).then((ended) => {
      state = ended;
    });
    while (state === undefined) await vi.advanceTimersByTimeAsync(500);
    expect(state).toBe('unclear');
    expect(update).not.toHaveBeenCalled();
    expect(chain.send).not.toHaveBeenCalled();
  });

  it('leaves alone a key that it did not add itself', async () => {
    chain.transactions = { add: failed };
    expect(await advance(sending)).toBe('closed');
    expect(chain.send).not.toHaveBeenCalled();
  });

  it('waits while the chain may still execute its AddKey', async () => {
    chain.absent = 'in-pool';
    chain.keys = [OWN];
    expect(await advance(sending)).toBe('unclear');
    expect(drop).not.toHaveBeenCalled();
  });

  it('asks by the nonce and the block of its AddKey, so that a refusal or an expiry is certain', async () => {
    const asked = vi.spyOn(context.rpc, 'transactionState');
    await advance(sending);
    expect(asked).toHaveBeenCalledWith({
      transactionId: 'add',
      signerId: sending.accountId,
      publicKey: OWN,
      nonce: 11n,
      blockHeight: 90,
    });
  });

  it.each(['refused', 'expired', 'unknown'] as const)(
    'is forgotten when its AddKey is %s and the key is not there',
    async (absent) => {
      Object.assign(chain, { absent, keys: [OWN] });
      expect(await advance(sending)).toBe('closed');
      expect(drop).toHaveBeenCalled();
    },
  );

  it.each(['refused', 'expired', 'unknown'] as const)(
    'is not forgotten when its AddKey is %s and the key is there',
    async (absent) => {
      Object.assign(chain, { absent });
      expect(await advance(sending)).toBe('unclear');
      expect(drop).not.toHaveBeenCalled();
      expect(chain.send).not.toHaveBeenCalled();
    },
  );
});

describe('an unclear link', () => {
  it('is looked up at growing intervals', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('navigator', {
      locks: { request: (_name: string, _options: unknown, work: () => Promise<void>) => work() },
    });
    chain.absent = 'in-pool';
    const closing = new AbortController();
    const asked = vi.spyOn(context.rpc, 'transactionState');
    Object.assign(context, { closing: closing.signal });
    Object.assign(context.store.journal, { entry: async () => ({ ...sending, createdAt: Date.now() }) });
    watchDeletion(context, sending);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked.mock.calls.length).toBeGreaterThanOrEqual(5);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(asked.mock.calls.length).toBeLessThan(80);
    closing.abort();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});

it('a DeleteKey that is signed again while the chain refuses the old one is sent too', async () => {
  vi.stubGlobal('navigator', {
    locks: { request: async (_name: string, _options: object, work: () => Promise<void>) => work() },
  });
  const anew = new Uint8Array([4, 5, 6]);
  let entry: DeletionEntry | undefined = linked;
  const closing = new AbortController();
  Object.assign(context, { closing: closing.signal });
  Object.assign(context.store.journal, { entry: async () => entry });
  chain.send.mockImplementation(async (bytes) => {
    if (bytes === anew) {
      closing.abort();
      return done();
    }
    entry = { ...linked, deleteKey: anew };
    watchDeletion(context, entry);
    throw refused('InvalidNonce');
  });
  watchDeletion(context, linked);
  await vi.waitFor(() => expect(chain.send).toHaveBeenCalledWith(anew, 'INCLUDED_FINAL'), {
    timeout: 10_000,
  });
  vi.unstubAllGlobals();
});

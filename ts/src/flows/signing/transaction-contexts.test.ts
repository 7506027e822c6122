import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import type { AccessKeyView, AccountView, RpcClient } from '../../near/index.js';
import { assertLane, type NonceRecords, TransactionContexts } from './transaction-contexts.js';

const ACCOUNT = 'alice.testnet';
const KEY = 'ed25519:key';

let nonceOnChain = 10;
const view = () =>
  ({ nonce: nonceOnChain, permission: 'FullAccess', block_height: 100, block_hash: 'hash' }) as AccessKeyView;
const viewAccessKey = vi.fn(async () => view());
const viewAccount = vi.fn(async (): Promise<AccountView | null> => ({ amount: '7' }) as AccountView);
const head = async () => ({ height: 120, hash: 'head' });
const make = (records?: NonceRecords) =>
  new TransactionContexts(
    { viewAccessKey, viewAccount, head } as unknown as RpcClient,
    () => undefined,
    records,
  );

/** The record of one key, which keeps this nonce as the next one. */
function recordsWith(next: bigint) {
  const state = { next };
  return {
    take: async (_key: string, atLeast: bigint, count: number, below?: bigint) => {
      const first =
        state.next > atLeast && (below === undefined || state.next < below) ? state.next : atLeast;
      state.next = first + BigInt(count);
      return first;
    },
    giveBack: async (_key: string, first: bigint, next: bigint) => {
      if (state.next === next) state.next = first;
    },
    next: async () => state.next,
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  nonceOnChain = 10;
  viewAccessKey.mockClear();
  viewAccount.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the lanes of a gas key', () => {
  const permission = { GasKeyFullAccess: { balance: '1', num_nonces: 2 } };
  const ofGasKey = () => {
    const viewGasKeyNonces = vi.fn(async () => ({ nonces: [40, 50], block_height: 100, block_hash: 'hash' }));
    const rpc = { viewAccessKey: async () => ({ ...view(), nonce: 0, permission }), viewGasKeyNonces };
    return new TransactionContexts(rpc as unknown as RpcClient, () => undefined);
  };

  it('have nonces of their own', async () => {
    const contexts = ofGasKey();
    await contexts.begin(ACCOUNT, KEY, 0);
    await contexts.begin(ACCOUNT, KEY, 1);
    expect((await contexts.reserve(ACCOUNT, KEY, 2, 1)).nonces).toEqual(['51', '52']);
    expect((await contexts.reserve(ACCOUNT, KEY, 1, 0)).nonces).toEqual(['41']);
    contexts.overtaken(ACCOUNT, KEY, 60n, 1);
    expect((await contexts.reserve(ACCOUNT, KEY, 1, 0)).nonces).toEqual(['42']);
    expect((await contexts.reserve(ACCOUNT, KEY, 1, 1)).nonces).toEqual(['61']);
  });

  it('are named where the key does not have the one that is asked for', async () => {
    await expect(ofGasKey().begin(ACCOUNT, KEY, 2)).rejects.toMatchObject({
      code: 'INVALID_ACTION',
      message: expect.stringContaining(`The key ${KEY} has the lanes 0 to 1, and the transaction has 2`),
    });
    expect(() => assertLane(KEY, view(), 0)).toThrow('is no gas key, and has no lanes');
    expect(() => assertLane(KEY, { ...view(), permission }, undefined)).toThrow('needs one of them');
    expect(() => assertLane(KEY, { ...view(), permission }, 1)).not.toThrow();
    expect(() => assertLane(KEY, view(), undefined)).not.toThrow();
  });
});

describe('transaction contexts (core 3, core 4)', () => {
  it('ask once for nonce and block together', async () => {
    const context = await make().begin(ACCOUNT, KEY);
    expect(context).toMatchObject({ blockHeight: '100', blockHash: 'hash' });
    expect(viewAccessKey).toHaveBeenCalledTimes(1);
  });

  it('ask once for several callers at the same time', async () => {
    const contexts = make();
    await Promise.all([contexts.begin(ACCOUNT, KEY), contexts.begin(ACCOUNT, KEY)]);
    expect(viewAccessKey).toHaveBeenCalledTimes(1);
  });

  it('keep a context for 5 s, a key for a minute and a block for 20 s', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await contexts.begin(ACCOUNT, KEY)).toMatchObject({ blockHash: 'hash' });
    await vi.advanceTimersByTimeAsync(1);
    expect(await contexts.begin(ACCOUNT, KEY)).toMatchObject({ blockHash: 'head', accessKey: { nonce: 10 } });
    expect(viewAccessKey).toHaveBeenCalledTimes(1);
    viewAccount.mockResolvedValueOnce(null);
    await vi.advanceTimersByTimeAsync(5_001);
    expect(await contexts.begin(ACCOUNT, KEY), 'of an account that is gone').toMatchObject({
      blockHash: 'hash',
    });
    expect(viewAccessKey).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(60_001);
    expect(await contexts.begin(ACCOUNT, KEY)).toMatchObject({ blockHash: 'hash' });
    expect(viewAccessKey).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(20_000);
    nonceOnChain = 20;
    expect((await contexts.atClick(ACCOUNT, KEY)).accessKey.nonce).toBe(10);
  });

  it('wait at the click for a block older than 20 s, and read a nonce older than 5 s again only during the prompt', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    await vi.advanceTimersByTimeAsync(5_001);
    nonceOnChain = 20;
    expect((await contexts.atClick(ACCOUNT, KEY)).accessKey.nonce).toBe(10);
    await vi.advanceTimersByTimeAsync(0);
    expect((await contexts.atSigning(ACCOUNT, KEY)).accessKey.nonce).toBe(20);
    await vi.advanceTimersByTimeAsync(20_001);
    nonceOnChain = 30;
    expect((await contexts.atClick(ACCOUNT, KEY)).accessKey.nonce).toBe(30);
  });

  it('use a context of 20 to 30 s when the chain cannot be reached, and none older', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    viewAccessKey.mockRejectedValue(new LatchkeyError(NEAR_RPC_FAILED));
    onTestFinished(() => void viewAccessKey.mockReset().mockImplementation(async () => view()));
    for (const waitMs of [20_001, 9_999]) {
      await vi.advanceTimersByTimeAsync(waitMs);
      expect((await contexts.atClick(ACCOUNT, KEY)).accessKey.nonce).toBe(10);
      expect((await contexts.atSigning(ACCOUNT, KEY)).accessKey.nonce).toBe(10);
    }
    await vi.advanceTimersByTimeAsync(1);
    await expect(contexts.atClick(ACCOUNT, KEY)).rejects.toMatchObject({ code: 'NEAR_RPC_FAILED' });
    await expect(contexts.atSigning(ACCOUNT, KEY)).rejects.toMatchObject({ code: 'NEAR_RPC_FAILED' });
  });

  it('renew a context in the background while a user decides, until stopped', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    const stop = contexts.keep(ACCOUNT, KEY);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(viewAccessKey).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(viewAccessKey).toHaveBeenCalledTimes(2);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(viewAccessKey).toHaveBeenCalledTimes(2);
  });

  it('prefetch once after a pause of 400 ms', async () => {
    const contexts = make();
    const done = Promise.all([contexts.prefetch(ACCOUNT, KEY), contexts.prefetch(ACCOUNT, KEY)]);
    await vi.advanceTimersByTimeAsync(399);
    expect(viewAccessKey).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(viewAccessKey).toHaveBeenCalledTimes(1);
    expect(await contexts.account(ACCOUNT)).toEqual({ amount: '7' });
    expect(viewAccount).toHaveBeenCalledTimes(1);
  });

  it('wait 3 s at most for a balance, and delay nothing when it cannot be read', async () => {
    viewAccount.mockReturnValueOnce(new Promise(() => undefined));
    const reading = make().account(ACCOUNT);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await reading).toBeUndefined();
    viewAccount.mockRejectedValueOnce(new LatchkeyError(NEAR_RPC_FAILED));
    expect(await make().account(ACCOUNT)).toBeUndefined();
  });

  it("give out each nonce once, above the chain's and above all earlier ones", async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    expect((await contexts.reserve(ACCOUNT, KEY, 2)).nonces).toEqual(['11', '12']);
    expect((await contexts.reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['13']);
    nonceOnChain = 40;
    await contexts.renew(ACCOUNT, KEY);
    expect((await contexts.reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['41']);
    nonceOnChain = 5;
    await contexts.renew(ACCOUNT, KEY);
    expect((await contexts.reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['42']);
  });

  it('start at the stored next nonce where it is above those of the chain and of this tab, and store the next one', async () => {
    const records = recordsWith(50n);
    const contexts = make(records);
    await contexts.begin(ACCOUNT, KEY);
    expect((await contexts.reserve(ACCOUNT, KEY, 2)).nonces).toEqual(['50', '51']);
    // Another tab, which shares the record alone.
    expect((await make(records).reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['52']);
    const last = await contexts.reserve(ACCOUNT, KEY, 1);
    expect(last.nonces).toEqual(['53']);
    await last.release();
    expect(await records.next()).toBe(53n);
    nonceOnChain = 60;
    await contexts.renew(ACCOUNT, KEY);
    expect((await contexts.reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['61']);
  });

  it('take unused nonces back, unless later ones are out', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    await (await contexts.reserve(ACCOUNT, KEY, 3)).release();
    const first = await contexts.reserve(ACCOUNT, KEY, 1);
    expect(first.nonces).toEqual(['11']);
    await contexts.reserve(ACCOUNT, KEY, 1);
    await first.release();
    expect((await contexts.reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['13']);
  });

  it('ignore nonces that the chain cannot accept at this height, so that a node that lied once does not disable the key', async () => {
    const contexts = make(recordsWith(0n));
    nonceOnChain = 9e15;
    await contexts.begin(ACCOUNT, KEY);
    await contexts.reserve(ACCOUNT, KEY, 1);
    nonceOnChain = 10;
    await contexts.renew(ACCOUNT, KEY);
    expect((await contexts.reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['11']);
    expect((await contexts.reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['12']);
  });

  it('do not report a read that a logout ended as failed', async () => {
    const reported = vi.fn();
    const rpc = {
      viewAccessKey: (_account: string, _key: string, { signal }: { readonly signal: AbortSignal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      viewAccount,
    };
    const contexts = new TransactionContexts(rpc as unknown as RpcClient, reported);
    const waiting = contexts.prefetch(ACCOUNT, KEY);
    await vi.advanceTimersByTimeAsync(400);
    contexts.clear();
    await waiting;
    expect(reported).not.toHaveBeenCalled();
  });

  it('start at 1 for a key that never signed', async () => {
    expect((await make().reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['1']);
  });

  it('report that the chain does not know the account, and ask again after a failure', async () => {
    const contexts = make();
    viewAccessKey.mockResolvedValueOnce(null as unknown as AccessKeyView);
    viewAccount.mockResolvedValueOnce(null);
    await expect(contexts.begin(ACCOUNT, KEY)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_ON_CHAIN' });
    await expect(contexts.begin(ACCOUNT, KEY)).resolves.toBeDefined();
  });

  it('start above the nonce that a refusal names, even if a reading lags behind it', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    contexts.overtaken(ACCOUNT, KEY, 30n);
    await contexts.renew(ACCOUNT, KEY);
    expect((await contexts.reserve(ACCOUNT, KEY, 2)).nonces).toEqual(['31', '32']);
  });

  it('ignore a named nonce that the chain itself would refuse, so that no node stops a key for good', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    contexts.overtaken(ACCOUNT, KEY, 101n * 1_000_000n);
    expect((await contexts.reserve(ACCOUNT, KEY, 1)).nonces).toEqual(['11']);
  });

  it('tell a key that was removed from an account that is gone', async () => {
    const none = null as unknown as AccessKeyView;
    viewAccessKey.mockResolvedValueOnce(none).mockResolvedValueOnce(none);
    await expect(make().begin(ACCOUNT, KEY)).rejects.toMatchObject({
      code: 'DEVICE_KEY_REMOVED',
      message: expect.stringContaining('The account is safe'),
    });
  });

  it('find the key of an account that is younger than the block of a node that lags', async () => {
    viewAccessKey.mockResolvedValueOnce(null as unknown as AccessKeyView);
    expect(await make().begin(ACCOUNT, KEY)).toMatchObject({ accessKey: { nonce: 10 } });
  });
});

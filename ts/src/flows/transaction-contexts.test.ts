import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError } from '../errors.js';
import type { AccessKeyView, RpcClient } from '../near/index.js';
import { TransactionContexts } from './transaction-contexts.js';

const ACCOUNT = 'alice.testnet';
const KEY = 'ed25519:key';

let nonceOnChain = 10;
const view = () =>
  ({ nonce: nonceOnChain, permission: 'FullAccess', block_height: 100, block_hash: 'hash' }) as AccessKeyView;
const viewAccessKey = vi.fn(async () => view());
const make = () => new TransactionContexts({ viewAccessKey } as unknown as RpcClient, () => undefined);

beforeEach(() => {
  vi.useFakeTimers();
  nonceOnChain = 10;
  viewAccessKey.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('transaction contexts', () => {
  it('asks once for nonce and block together', async () => {
    const context = await make().begin(ACCOUNT, KEY);
    expect(context).toMatchObject({ blockHeight: '100', blockHash: 'hash' });
    expect(viewAccessKey).toHaveBeenCalledTimes(1);
  });

  it('asks once for callers at the same time', async () => {
    const contexts = make();
    await Promise.all([contexts.begin(ACCOUNT, KEY), contexts.begin(ACCOUNT, KEY)]);
    expect(viewAccessKey).toHaveBeenCalledTimes(1);
  });

  it('keeps a nonce for 5 s and a block for 20 s', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    await vi.advanceTimersByTimeAsync(5_000);
    await contexts.begin(ACCOUNT, KEY);
    expect(viewAccessKey).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    await contexts.begin(ACCOUNT, KEY);
    expect(viewAccessKey).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(20_000);
    await contexts.atClick(ACCOUNT, KEY);
    expect(viewAccessKey).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    await contexts.atClick(ACCOUNT, KEY);
    expect(viewAccessKey).toHaveBeenCalledTimes(3);
  });

  it('renews it behind while a person decides, and stops when told', async () => {
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

  it('prefetches once after a pause of 400 ms', async () => {
    const contexts = make();
    const done = Promise.all([contexts.prefetch(ACCOUNT, KEY), contexts.prefetch(ACCOUNT, KEY)]);
    await vi.advanceTimersByTimeAsync(399);
    expect(viewAccessKey).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(viewAccessKey).toHaveBeenCalledTimes(1);
  });

  it('gives each nonce out once, above the chain and above every one given before', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    expect(contexts.reserve(ACCOUNT, KEY, 2).nonces).toEqual(['11', '12']);
    expect(contexts.reserve(ACCOUNT, KEY, 1).nonces).toEqual(['13']);
    nonceOnChain = 40;
    await contexts.renew(ACCOUNT, KEY);
    expect(contexts.reserve(ACCOUNT, KEY, 1).nonces).toEqual(['41']);
    nonceOnChain = 5;
    await contexts.renew(ACCOUNT, KEY);
    expect(contexts.reserve(ACCOUNT, KEY, 1).nonces).toEqual(['42']);
  });

  it('takes nonces back that were not used, unless later ones are out', async () => {
    const contexts = make();
    await contexts.begin(ACCOUNT, KEY);
    contexts.reserve(ACCOUNT, KEY, 3).release();
    const first = contexts.reserve(ACCOUNT, KEY, 1);
    expect(first.nonces).toEqual(['11']);
    contexts.reserve(ACCOUNT, KEY, 1);
    first.release();
    expect(contexts.reserve(ACCOUNT, KEY, 1).nonces).toEqual(['13']);
  });

  it('starts at 1 for a key that never signed', () => {
    expect(make().reserve(ACCOUNT, KEY, 1).nonces).toEqual(['1']);
  });

  it('says when the chain does not know the key, and asks again after a failure', async () => {
    const contexts = make();
    viewAccessKey.mockResolvedValueOnce(null as unknown as AccessKeyView);
    await expect(contexts.begin(ACCOUNT, KEY)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_ON_CHAIN' });
    viewAccessKey.mockRejectedValueOnce(
      new LatchkeyError('NEAR_RPC_FAILED', { details: { kind: 'unknown_account' } }),
    );
    await expect(contexts.begin(ACCOUNT, KEY)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_ON_CHAIN' });
    await expect(contexts.begin(ACCOUNT, KEY)).resolves.toBeDefined();
  });
});

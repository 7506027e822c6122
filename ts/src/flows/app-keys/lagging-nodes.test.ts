import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, NEAR_RPC_FAILED, TRANSACTION_FAILED } from '../../errors/core.js';
import { createRpcClient, type RpcClient, type TransactionOutcome } from '../../near/index.js';
import { LaggingChain } from '../../near/testing/lagging-chain.js';
import { appKeyName } from '../../storage/app-key-name.js';
import type { AppKeyEntry } from '../../storage/records.js';
import { skipWaits } from '../../testing/skip-waits.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { FlowContext } from '../context.js';
import { TransactionContexts } from '../signing/transaction-contexts.js';
import { callWithAppKey, getAppKeys, revokeAppKey } from './index.js';

skipWaits();

const ALICE = 'alice.testnet';
const GAME = 'game.testnet';
const APP_KEY: SealedKey = {
  publicKey: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2',
  encryptedData: 'sealed',
  iv: 'iv',
};
const PERMISSION = { FunctionCall: { allowance: null, receiver_id: GAME, method_names: [] } };
const CALL = { receiverId: GAME, methodName: 'move', args: {} };

// Node 20 has no navigator, and with it no locks: there is one tab.
beforeEach(() => vi.stubGlobal('navigator', {}));
afterEach(() => vi.unstubAllGlobals());

/** A logged-in wallet whose app key was just added; of the nodes behind its one address, all but one lag. */
function make(lags: readonly number[] = [8, 8, 0]) {
  const chain = new LaggingChain({ nodes: { 'https://rpc.example': lags } });
  chain.addKey(ALICE, 'ed25519:passkey');
  chain.head += 100;
  const sent: string[] = [];
  const refusals: unknown[] = [];
  const rpc: RpcClient = {
    ...createRpcClient({ urls: chain.urls, fetch: chain.fetch }),
    sendTransaction: async () => {
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      sent.push('sent');
      return {
        transactionId: 'id',
        final_execution_status: 'FINAL',
        status: { SuccessValue: '' },
      } as TransactionOutcome;
    },
  };
  const kept = new Map([[`${appKeyName(ALICE)}${GAME}:${APP_KEY.publicKey}`, APP_KEY]]);
  const pending: AppKeyEntry[] = [];
  const dropSealedKey = vi.fn(async (name: string) => void kept.delete(name));
  const store = {
    host: undefined,
    sealedKeys: {
      wrappingKey: async () => ({}),
      put: async (name: string, _device: number, sealed: SealedKey) => void kept.set(name, sealed),
      list: async () => [...kept].map(([name, sealed]) => ({ name, deviceNumber: 1, sealed })),
      drop: dropSealedKey,
    },
    journal: {
      entries: async (kind: string) => (kind === 'appKey' ? [...pending] : []),
      entry: async (kind: string) => (kind === 'appKey' ? pending[0] : undefined),
      drop: async (entry: AppKeyEntry) => void pending.splice(pending.indexOf(entry), 1),
    },
    user: async () => ({ nearAccountId: ALICE, deviceNumber: 1, clientNearPublicKey: 'ed25519:passkey' }),
    isOfHost: async () => true,
    lastUser: async () => ({ accountId: ALICE, deviceNumber: 1 }),
  };
  const signer = { call: async () => ({ hash: 'id', borshBytes: new Uint8Array() }), end: () => undefined };
  const context = {
    rpc,
    store,
    contexts: new TransactionContexts(rpc, () => undefined),
    signers: { acquire: async () => signer },
    vrf: { call: async () => ({ active: true, accountId: ALICE }) },
    logout: { until: (signal: AbortSignal) => signal },
    config: { logger: { warn: () => undefined, info: () => undefined } },
  } as unknown as FlowContext;
  return { chain, context, sent, refusals, dropSealedKey, kept, pending };
}

describe('an app key that was added a moment ago (core 7)', () => {
  it('is not called revoked by a node that lags', async () => {
    const { chain, context, sent } = make();
    chain.addKey(ALICE, APP_KEY.publicKey, PERMISSION);
    chain.head += 3;
    expect(await callWithAppKey(context, ALICE, CALL, {})).toMatchObject({ success: true });
    expect(sent).toHaveLength(1);
  });

  it('is not called revoked by a node that lags when it takes the transaction', async () => {
    const { chain, context, sent, refusals } = make([0]);
    chain.addKey(ALICE, APP_KEY.publicKey, PERMISSION);
    chain.head += 3;
    const info = { AccessKeyNotFound: { account_id: ALICE, public_key: APP_KEY.publicKey } };
    refusals.push(
      new LatchkeyError(TRANSACTION_FAILED, {
        values: { reason: 'InvalidAccessKeyError' },
        details: { kind: 'invalid_transaction', reason: 'InvalidAccessKeyError', info },
      }),
    );
    expect(await callWithAppKey(context, ALICE, CALL, {})).toMatchObject({ success: true });
    expect(sent).toHaveLength(1);
  });

  it('is listed as on the chain', async () => {
    const { chain, context } = make();
    chain.addKey(ALICE, APP_KEY.publicKey, PERMISSION);
    chain.head += 3;
    expect(await getAppKeys(context, ALICE)).toMatchObject([
      { publicKey: APP_KEY.publicKey, isHere: true, isOnChain: true },
    ]);
  });

  it('is listed although its page ended before it heard so', async () => {
    const { chain, context, kept, pending } = make();
    const [name] = kept.keys();
    kept.clear();
    pending.push({
      kind: 'appKey',
      accountId: ALICE,
      deviceNumber: 1,
      receiverId: GAME,
      sealed: APP_KEY,
      signedBy: 'ed25519:passkey',
      transaction: { hash: 'id', nonce: '1', blockHeight: 1, digest: '' },
      createdAt: 0,
    } as unknown as AppKeyEntry);
    chain.addKey(ALICE, APP_KEY.publicKey, PERMISSION);
    chain.head += 3;
    expect(await getAppKeys(context, ALICE)).toMatchObject([
      { publicKey: APP_KEY.publicKey, isHere: true, isOnChain: true },
    ]);
    expect([...kept.keys()]).toEqual([name]);
    expect(pending).toEqual([]);
  });

  it('is not reported as revoked, with nothing sent and the key dropped here', async () => {
    const { chain, context, dropSealedKey } = make();
    chain.addKey(ALICE, APP_KEY.publicKey, PERMISSION);
    chain.head += 3;
    // The revocation goes on to its confirmation, which has no confirmer here.
    expect(await revokeAppKey(context, ALICE, APP_KEY.publicKey, {})).toMatchObject({ success: false });
    expect(dropSealedKey).not.toHaveBeenCalled();
  });
});

describe('a call beyond the allowance that a node took with an earlier one (core 7)', () => {
  it('names the allowance, keeps its fate unknown, and is not signed again', async () => {
    const { chain, context, sent, refusals } = make([0]);
    chain.addKey(ALICE, APP_KEY.publicKey, PERMISSION);
    chain.head += 3;
    const info = { NotEnoughAllowance: { account_id: ALICE, public_key: APP_KEY.publicKey } };
    const refusal = new LatchkeyError(TRANSACTION_FAILED, {
      values: { reason: 'InvalidAccessKeyError' },
      details: { kind: 'invalid_transaction', reason: 'InvalidAccessKeyError', info },
    });
    refusals.push(
      new LatchkeyError(NEAR_RPC_FAILED, {
        values: { reason: 'not known' },
        details: { kind: 'outcome_unknown', transactionId: 'id', state: 'in-pool' },
        cause: refusal,
      }),
    );
    expect(await callWithAppKey(context, ALICE, CALL, {})).toMatchObject({
      success: false,
      errorCode: 'APP_KEY_ALLOWANCE',
      fate: 'unknown',
      transactionId: 'id',
    });
    expect(sent).toEqual([]);
  });
});

describe('an app key that is gone', () => {
  it('is called so after two looks at different blocks, and dropped', async () => {
    const { chain, context, dropSealedKey } = make([0]);
    expect(await callWithAppKey(context, ALICE, CALL, {})).toMatchObject({ errorCode: 'APP_KEY_GONE' });
    expect(new Set(chain.heights('view_access_key')).size).toBeGreaterThanOrEqual(2);
    expect(await getAppKeys(context, ALICE)).toMatchObject([{ isHere: true, isOnChain: false }]);
    expect(await revokeAppKey(context, ALICE, APP_KEY.publicKey, {})).toMatchObject({ success: true });
    expect(dropSealedKey).toHaveBeenCalledTimes(1);
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, TRANSACTION_FAILED } from '../../errors/core.js';
import { createRpcClient, type RpcClient, type TransactionOutcome } from '../../near/index.js';
import { hashOf, LaggingChain } from '../../near/testing/lagging-chain.js';
import { nextDeviceNumber } from '../../registry/linking.js';
import { sleep } from '../../sleep.js';
import type { LinkEntry } from '../../storage/records.js';
import { skipWaits } from '../../testing/skip-waits.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { FlowContext } from '../context.js';
import { heightOf } from './deletion.js';
import { detect, watchKey } from './detect.js';
import { startDevice2LinkingFlow } from './device2.js';
import { completeLink } from './device2-chain.js';
import { abandon } from './device2-join.js';
import { isTakeable, linkState } from './link-state.js';

skipWaits();

const ALICE = 'alice.testnet';
const sealedKey = (publicKey: string): SealedKey => ({ publicKey, encryptedData: 'sealed', iv: 'iv' });
const TEMPORARY = sealedKey('ed25519:temporary');
const OWN = sealedKey('ed25519:own');
const RECORD = {
  credential_public_key: [1],
  transports: [],
  registered: '1',
  device_number: 2,
  near_public_key: OWN.publicKey,
  vrf_public_keys: [[1], [2]],
};

const entry = {
  kind: 'link',
  accountId: ALICE,
  deviceNumber: 2,
  key: OWN,
  replaces: TEMPORARY,
  credentialId: 'Y3JlZGVudGlhbA',
  vrfPublicKeys: { bootstrap: 'AQ', deterministic: 'Ag' },
  challengeHeight: 1_000,
  request: {},
  createdAt: 0,
} as unknown as LinkEntry;

/** A linking with its sealed keys in the journal; of the nodes behind the one address, all but one lag. */
function make(lags: readonly number[] = [8, 8, 0], blocksPerRequest = 1) {
  const chain = new LaggingChain({ nodes: { 'https://rpc.example': lags }, blocksPerRequest });
  chain.addKey(ALICE, 'ed25519:first');
  chain.write(({ views }) => {
    views.set('get_authenticators_by_user', []);
    views.set('get_device_counter', 1);
    views.set('get_vrf_settings', { max_block_age: 10_000 });
  });
  chain.head += 100;
  const sendTransaction = vi.fn<RpcClient['sendTransaction']>();
  const rpc = { ...createRpcClient({ urls: chain.urls, fetch: chain.fetch }), sendTransaction };
  const dropEntry = vi.fn(async () => undefined);
  const store = {
    journal: { drop: dropEntry, entry: async () => entry, update: async () => undefined },
    sealedKeys: { wrappingKey: async () => ({}) },
  };
  const signer = { call: async () => ({ hash: 'id', borshBytes: new Uint8Array() }), end: () => undefined };
  const context = {
    rpc,
    store,
    signers: { acquire: async () => signer },
    config: {
      contractId: 'registry.testnet',
      deviceLinking: { tempKeyDeleteDelayMs: 90_000 },
      logger: { warn: () => undefined },
    },
    closing: new AbortController().signal,
  } as unknown as FlowContext;
  return { chain, context, dropEntry, sendTransaction };
}

afterEach(() => vi.unstubAllGlobals());

describe('a linking whose key was added a moment ago (core 4, core 7)', () => {
  it('is not dropped, with its sealed key, because a node lags', async () => {
    const { chain, context, dropEntry } = make([0, 12, 12, 12, 12, 12, 12]);
    chain.addKey(ALICE, TEMPORARY.publicKey);
    chain.head += 3;
    expect(await context.rpc.viewAccessKey(ALICE, TEMPORARY.publicKey)).not.toBeNull();
    await abandon(context, entry, new Error('the prompt failed'));
    expect(dropEntry).not.toHaveBeenCalled();
  });

  it('is not dropped because a node that lags refuses its transaction for an unknown key', async () => {
    const { chain, context, dropEntry, sendTransaction } = make([0]);
    chain.addKey(ALICE, TEMPORARY.publicKey);
    chain.head += 3;
    const info = { AccessKeyNotFound: { account_id: ALICE, public_key: TEMPORARY.publicKey } };
    sendTransaction.mockRejectedValue(
      new LatchkeyError(TRANSACTION_FAILED, {
        values: { reason: 'InvalidAccessKeyError' },
        details: { kind: 'invalid_transaction', reason: 'InvalidAccessKeyError', info },
      }),
    );
    const completed = completeLink(context, entry, new AbortController().signal);
    await expect(completed).rejects.toMatchObject({ code: 'LINK_PENDING' });
    expect(dropEntry).not.toHaveBeenCalled();
  });

  it('is found, and not told as removed, where the mapping is seen before the key', async () => {
    const { chain, context } = make([8, 0]);
    chain.addKey(ALICE, TEMPORARY.publicKey);
    chain.head += 3;
    chain.write(({ views }) => views.set('get_device_linking_account', [ALICE, 1]));
    chain.head += 3;
    const awaited = {
      publicKey: TEMPORARY.publicKey,
      accountId: ALICE,
      byDevice: true,
      expiresAt: Date.now() + 60_000,
    };
    const run = { emit: () => undefined, signal: new AbortController().signal };
    expect(await detect(context, awaited, run as never)).toMatchObject({ accountId: ALICE, deviceNumber: 2 });
  });

  it('is not aborted while its user is asked, because a node lags', async () => {
    const { chain, context } = make();
    const watch = watchKey(context, ALICE, TEMPORARY.publicKey);
    chain.addKey(ALICE, TEMPORARY.publicKey);
    chain.head += 3;
    while (chain.heights('view_access_key').length < 4) await sleep(1_000);
    expect(watch.signal.aborted).toBe(false);
    chain.deleteKey(ALICE, TEMPORARY.publicKey);
    chain.head += 20;
    while (!watch.signal.aborted) await sleep(1_000);
    expect(watch.signal.reason).toMatchObject({ code: 'LINK_KEY_GONE' });
    watch.stop();
  });

  it('is registered even when the keys are listed by a node behind the one that showed the record', async () => {
    const { chain, context } = make([8, 0]);
    chain.write(({ accounts, views }) => {
      accounts.get(ALICE)?.set(OWN.publicKey, 'FullAccess');
      views.set('get_authenticators_by_user', [[entry.credentialId, RECORD]]);
    });
    chain.head += 2;
    expect(await linkState(context, entry)).toBe('registered');
  });
});

const accepted = {
  transactionId: 'id',
  final_execution_status: 'FINAL',
  status: { SuccessValue: btoa(JSON.stringify({ verified: true })) },
} as unknown as TransactionOutcome;

/** The same chain, but the look at this number finds no keys in the list. */
function missingOnce(chain: LaggingChain, atLook: number): typeof fetch {
  let looks = 0;
  return async (input, init) => {
    const isList = String(init?.body).includes('view_access_key_list');
    if (isList) looks += 1;
    const response = await chain.fetch(input, init);
    if (!isList || looks !== atLook) return response;
    const { result, ...rest } = (await response.json()) as { result: object };
    return new Response(JSON.stringify({ ...rest, result: { ...result, keys: [] } }));
  };
}

describe('the number of a device that joins', () => {
  it.each([
    ['that joined the registry a moment ago', 0],
    ['whose last device joined a moment ago', 1],
  ])('is the next one of an account %s, although nodes that lag answer first', async (_, before) => {
    const { chain, context } = make([9, 9, 0]);
    chain.write(({ views }) => views.set('get_device_counter', before));
    chain.head += 100;
    chain.write(({ views }) => views.set('get_device_counter', before + 1));
    chain.head += 3;
    expect(await nextDeviceNumber(context, ALICE, new AbortController().signal)).toBe(before + 2);
  });

  it('is not taken for an old one because a node lags', async () => {
    const { chain, context } = make([9, 9, 9, 9, 0]);
    chain.write(({ views }) => views.set('get_device_counter', 2));
    chain.head += 3;
    expect(await isTakeable(context, { ...entry, deviceNumber: 3 })).toBe(true);
  });

  it('is an old one where the account has another device since', async () => {
    const { chain, context } = make([0], 5);
    chain.write(({ views }) => views.set('get_device_counter', 2));
    chain.head += 3;
    expect(await isTakeable(context, entry)).toBe(false);
  });
});

describe('a linking whose registration was executed', () => {
  const registering = {
    ...entry,
    replaces: null,
    request: { webauthn_registration: {} },
    registration: { hash: 'id', borshBytes: new Uint8Array() },
  } as unknown as LinkEntry;

  it('is not dropped because one look, the last of several, does not find its key', async () => {
    const { chain, context, dropEntry, sendTransaction } = make([0]);
    chain.addKey(ALICE, OWN.publicKey);
    chain.head += 3;
    const rpc = createRpcClient({ urls: chain.urls, fetch: missingOnce(chain, 8) });
    sendTransaction.mockResolvedValue(accepted);
    Object.assign(context, { rpc: { ...rpc, sendTransaction } });
    const completed = completeLink(context, registering, new AbortController().signal, 'added');
    await expect(completed).rejects.toMatchObject({ code: 'LINK_PENDING' });
    expect(dropEntry).not.toHaveBeenCalled();
  });

  it('is dropped when its key is gone from two blocks, and the chain refuses what it signs', async () => {
    const { chain, context, dropEntry, sendTransaction } = make([0]);
    chain.addKey(ALICE, OWN.publicKey);
    chain.deleteKey(ALICE, OWN.publicKey);
    chain.head += 3;
    sendTransaction.mockRejectedValue(
      new LatchkeyError(TRANSACTION_FAILED, {
        values: { reason: 'InvalidAccessKeyError' },
        details: { kind: 'invalid_transaction', reason: 'InvalidAccessKeyError' },
      }),
    );
    const completed = completeLink(context, registering, new AbortController().signal, 'added');
    await expect(completed).rejects.toMatchObject({ code: 'LINK_KEY_GONE' });
    expect(dropEntry).toHaveBeenCalledTimes(1);
    expect(new Set(chain.heights('view_access_key_list')).size).toBeGreaterThanOrEqual(2);
  });
});

describe('a linking whose passkey the registry shows with other keys', () => {
  const theirs = { ...RECORD, near_public_key: 'ed25519:theirs' };

  it('is not dropped for one look', async () => {
    const { chain, context, dropEntry } = make([0]);
    let looks = 0;
    chain.write(({ accounts, views }) => {
      accounts.get(ALICE)?.set(OWN.publicKey, 'FullAccess');
      views.set('get_authenticators_by_user', () => {
        looks += 1;
        return [[entry.credentialId, looks === 1 ? theirs : RECORD]];
      });
    });
    chain.head += 3;
    expect(await linkState(context, entry)).toBe('registered');
    expect(dropEntry).not.toHaveBeenCalled();
  });

  it('is dropped when two blocks show it', async () => {
    const { chain, context, dropEntry } = make([0]);
    chain.write(({ views }) => views.set('get_authenticators_by_user', [[entry.credentialId, theirs]]));
    chain.head += 3;
    const completed = completeLink(context, entry, new AbortController().signal);
    await expect(completed).rejects.toMatchObject({ code: 'REGISTRATION_FAILED' });
    expect(dropEntry).toHaveBeenCalledTimes(1);
    expect(new Set(chain.heights('call_function')).size).toBeGreaterThanOrEqual(2);
  });
});

describe('the key of a linking that is to be deleted', () => {
  it('is due from the block that added it, even if a node that lags does not know that block yet', async () => {
    const { chain, context } = make([8, 8, 0]);
    const added = chain.addKey(ALICE, TEMPORARY.publicKey);
    const outcome = { transaction_outcome: { block_hash: hashOf(added) } } as never;
    expect(await heightOf(context, outcome)).toBe(added + 1);
  });
});

describe('a linking whose keys are gone', () => {
  it('is dropped after looks at different blocks', async () => {
    const { chain, context, dropEntry } = make([0]);
    await abandon(context, entry, new Error('the prompt failed'));
    expect(dropEntry).toHaveBeenCalledTimes(1);
    expect(new Set(chain.heights('view_access_key_list')).size).toBeGreaterThan(2);
  });
});

describe('a device that joins a named account', () => {
  it('finds one that was made a moment ago, although it asks nodes that lag first', async () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('PublicKeyCredential', class {});
    const request = async (_name: string, _options: object, work: (lock: object) => unknown) => work({});
    vi.stubGlobal('navigator', { credentials: {}, locks: { request } });
    const { chain, context } = make();
    const reachedTheCounter = new Error('the account is there');
    chain.addKey('new.testnet', 'ed25519:first');
    chain.head += 3;
    const joining = {
      ...context,
      store: {
        journal: { entry: async () => Promise.reject(reachedTheCounter) },
        sealedKeys: { drop: async () => undefined },
      },
      vrf: { beside: () => ({ close: () => undefined }) },
      logout: { signal: new AbortController().signal, until: (signal: AbortSignal) => signal },
    } as unknown as FlowContext;
    const linking = startDevice2LinkingFlow(joining, { accountId: 'new.testnet' });
    await expect(linking).rejects.toMatchObject({ cause: reachedTheCounter });
  });
});

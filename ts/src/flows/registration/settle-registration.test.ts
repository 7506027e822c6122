import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, STORAGE_FULL } from '../../errors/wallet.js';
import { createRpcClient } from '../../near/index.js';
import { LaggingChain } from '../../near/testing/lagging-chain.js';
import type { RegistrationEntry } from '../../storage/records.js';
import { skipWaits } from '../../testing/skip-waits.js';
import type { FlowContext } from '../context.js';
import { resumeRegistrations, settleSoon } from './settle-registration.js';

skipWaits();

const KEY = 'ed25519:ours';
const CHALLENGE_HEIGHT = 1_000;
const MAX_BLOCK_AGE = 200;
const VRF_KEYS = { bootstrap: 'AQ', deterministic: 'Ag' };

const entry = {
  kind: 'registration',
  accountId: 'alice.w3a-v1.testnet',
  nearPublicKey: KEY,
  vrfPublicKeys: VRF_KEYS,
  credentialId: 'credential',
  challengeHeight: CHALLENGE_HEIGHT,
  records: { authenticator: { credentialPublicKey: Uint8Array.of(7) } },
} as RegistrationEntry;

const ourRecord = {
  device_number: 1,
  near_public_key: KEY,
  credential_public_key: Uint8Array.of(7),
  vrf_public_keys: [Uint8Array.of(1), Uint8Array.of(2)],
};
const ourKey = { public_key: KEY, access_key: { nonce: 1, permission: 'FullAccess' } };

interface Chain {
  keys?: unknown[] | Error;
  authenticators?: unknown[];
  height?: number;
  /** The block of the node that lists the keys. */
  readAt?: number;
}

function make(chain: Chain) {
  const store = {
    journal: { entries: vi.fn(async () => [entry]), drop: vi.fn(async () => undefined) },
    commitEntry: vi.fn(async () => undefined),
  };
  const rpc = {
    viewAccessKeyList: async () => {
      if (chain.keys instanceof Error) throw chain.keys;
      return { keys: chain.keys ?? [], block_height: chain.readAt ?? chain.height ?? CHALLENGE_HEIGHT };
    },
    callFunctionJson: async (_schema: unknown, _contract: string, method: string) =>
      method === 'get_vrf_settings' ? { max_block_age: MAX_BLOCK_AGE } : (chain.authenticators ?? []),
    block: async () => ({ header: { height: chain.height ?? CHALLENGE_HEIGHT } }),
  };
  const logger = { warn: () => undefined };
  const contexts = { learnFrom: () => undefined };
  const context = {
    store,
    rpc,
    contexts,
    rpId: 'app.example',
    config: { contractId: 'registry', logger },
  } as unknown as FlowContext;
  return { context, store, settle: () => settleSoon(context, entry, undefined, { once: true }) };
}

const ours: [string, unknown] = ['credential', ourRecord];
const LAST_HOPE = CHALLENGE_HEIGHT + MAX_BLOCK_AGE + 50;

describe('a registration whose outcome was unknown (core 4)', () => {
  it('is committed when the chain shows the account with our keys and our record', async () => {
    const { settle, store } = make({ keys: [ourKey], authenticators: [ours] });
    expect(await settle()).toBe('committed');
    expect(store.commitEntry).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Chain]>([
    ['another key', { keys: [{ ...ourKey, public_key: 'ed25519:theirs' }], authenticators: [ours] }],
    [
      'our key without full access',
      { keys: [{ ...ourKey, access_key: { nonce: 1, permission: {} } }], authenticators: [ours] },
    ],
    ['a second key', { keys: [ourKey, { ...ourKey, public_key: 'ed25519:theirs' }], authenticators: [ours] }],
    ['another credential', { keys: [ourKey], authenticators: [['other', ourRecord]] }],
    ['a second authenticator', { keys: [ourKey], authenticators: [ours, ['other', ourRecord]] }],
    [
      'another deterministic VRF key',
      {
        keys: [ourKey],
        authenticators: [
          ['credential', { ...ourRecord, vrf_public_keys: [Uint8Array.of(1), Uint8Array.of(9)] }],
        ],
      },
    ],
    [
      'another VRF key of the first prompt',
      {
        keys: [ourKey],
        authenticators: [
          ['credential', { ...ourRecord, vrf_public_keys: [Uint8Array.of(9), Uint8Array.of(2)] }],
        ],
      },
    ],
    [
      'a third VRF key',
      {
        keys: [ourKey],
        authenticators: [
          ['credential', { ...ourRecord, vrf_public_keys: [...ourRecord.vrf_public_keys, Uint8Array.of(9)] }],
        ],
      },
    ],
    [
      'another public key of our credential, which the attestation `none` lets a relay put there',
      {
        keys: [ourKey],
        authenticators: [['credential', { ...ourRecord, credential_public_key: Uint8Array.of(9) }]],
      },
    ],
    [
      'a record for another NEAR key',
      {
        keys: [ourKey],
        authenticators: [['credential', { ...ourRecord, near_public_key: 'ed25519:theirs' }]],
      },
    ],
  ])('is reported and not stored when the chain shows %s [S48]', async (_, chain) => {
    const { settle, store } = make(chain);
    expect(await settle()).toBe('mismatched');
    expect(store.commitEntry).not.toHaveBeenCalled();
    expect(store.journal.drop).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Chain]>([
    ['there is no account', { keys: [] }],
    ['the record is not there yet', { keys: [ourKey], authenticators: [] }],
  ])('stays while %s and the registry could still take it', async (_, chain) => {
    const { settle, store } = make({ ...chain, height: LAST_HOPE });
    expect(await settle()).toBe('pending');
    expect(store.journal.drop).not.toHaveBeenCalled();
  });

  it('is dropped once the final height has passed the last block that could hold it', async () => {
    const { settle, store } = make({ keys: [], height: LAST_HOPE + 1 });
    expect(await settle()).toBe('dropped');
    expect(store.journal.drop).toHaveBeenCalledTimes(1);
  });

  it('stays while the node that does not know the account lags behind that height', async () => {
    const { settle, store } = make({ keys: [], readAt: LAST_HOPE, height: LAST_HOPE + 1 });
    expect(await settle()).toBe('pending');
    expect(store.journal.drop).not.toHaveBeenCalled();
  });

  it('stays when the chain does not answer', async () => {
    const { settle, store } = make({ keys: new Error('offline'), height: LAST_HOPE + 1 });
    expect(await settle()).toBe('pending');
    expect(store.journal.drop).not.toHaveBeenCalled();
  });

  it('is looked up once more after that height, because the account may have appeared in between', async () => {
    const { context, store } = make({ authenticators: [ours], height: LAST_HOPE + 1 });
    let looks = 0;
    context.rpc.viewAccessKeyList = (async () => ({ keys: looks++ === 0 ? [] : [ourKey] })) as never;
    expect(await settleSoon(context, entry, undefined, { once: true })).toBe('committed');
    expect(store.journal.drop).not.toHaveBeenCalled();
  });

  it('is listed with its outcome at the next start', async () => {
    const { context } = make({ keys: [ourKey], authenticators: [ours] });
    expect(await resumeRegistrations(context)).toEqual({
      committed: [entry.accountId],
      dropped: [],
      pending: [],
      mismatched: [],
    });
  });

  it('is reported as a storage problem, not as an unclear chain, when its records cannot be stored', async () => {
    const { settle, context, store } = make({ keys: [ourKey], authenticators: [ours] });
    store.commitEntry.mockRejectedValue(new LatchkeyError(STORAGE_FULL));
    await expect(settle()).rejects.toMatchObject({
      code: 'REGISTRATION_NOT_STORED',
      message: expect.stringMatching(/was created, .* Free some disk space/),
      cause: { code: 'STORAGE_FULL' },
    });
    expect(await resumeRegistrations(context)).toMatchObject({
      committed: [],
      pending: [entry.accountId],
      problems: [
        { accountId: entry.accountId, errorCode: 'REGISTRATION_NOT_STORED', error: expect.any(String) },
      ],
    });
  });

  it('is reported as a storage problem when the entry of an account that will never exist cannot be closed', async () => {
    const { settle, store } = make({ keys: [], height: LAST_HOPE + 1 });
    store.journal.drop.mockRejectedValue(new LatchkeyError(STORAGE_FULL));
    await expect(settle()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  it('is reported as a mismatch even when its entry cannot be closed', async () => {
    const theirs = { ...ourKey, public_key: 'ed25519:theirs' };
    const { settle, store } = make({ keys: [theirs], authenticators: [ours] });
    store.journal.drop.mockRejectedValue(new LatchkeyError(STORAGE_FULL));
    expect(await settle()).toBe('mismatched');
  });
});

describe('the passkey of a registration that the chain does not show as ours', () => {
  const theirKey = { ...ourKey, public_key: 'ed25519:theirs' };
  const theirs: [string, unknown] = ['other', ourRecord];
  const signalled = vi.fn(async () => undefined);
  beforeEach(() => {
    signalled.mockClear();
    vi.stubGlobal('PublicKeyCredential', { signalUnknownCredential: signalled });
  });
  afterEach(() => vi.unstubAllGlobals());

  it.each<[string, Chain]>([
    ['there is no account', { height: LAST_HOPE + 1 }],
    ['the account is another’s', { keys: [theirKey], authenticators: [theirs] }],
  ])('is forgotten by the browser where %s', async (_, chain) => {
    await make(chain).settle();
    expect(signalled).toHaveBeenCalledExactlyOnceWith({ rpId: 'app.example', credentialId: 'credential' });
  });

  it.each<[string, Chain]>([
    ['the account has our key next to another', { keys: [theirKey, ourKey], authenticators: [theirs] }],
    ['the registry has it next to another', { keys: [theirKey], authenticators: [theirs, ours] }],
  ])('is kept where %s: it may open the account', async (_, chain) => {
    expect(await make(chain).settle()).toBe('mismatched');
    expect(signalled).not.toHaveBeenCalled();
  });
});

const stored = {
  ...ourRecord,
  credential_public_key: [7],
  transports: [],
  registered: '1',
  vrf_public_keys: [[1], [2]],
};
const stillOpen = { ...entry, credentialId: 'Y3JlZGVudGlhbA' };

/** Nodes of one address at the last block that can hold the registration; the account follows when `isThere`. */
function makeNodes(lags: readonly number[], isThere: boolean, blocksPerRequest = 1) {
  const chain = new LaggingChain({ nodes: { 'https://rpc.example': lags }, blocksPerRequest });
  chain.write(({ views }) => {
    views.set('get_vrf_settings', { max_block_age: MAX_BLOCK_AGE });
    views.set('get_authenticators_by_user', []);
  });
  chain.head = LAST_HOPE;
  if (isThere) {
    chain.write(({ accounts, views }) => {
      accounts.set(entry.accountId, new Map([[KEY, 'FullAccess']]));
      views.set('get_authenticators_by_user', [[stillOpen.credentialId, stored]]);
    });
  }
  chain.head += 3;
  const { context, store } = make({});
  const settle = (fetch = chain.fetch) => {
    const rpc = createRpcClient({ urls: chain.urls, fetch });
    return settleSoon({ ...context, rpc }, stillOpen, undefined, { once: true });
  };
  return { chain, settle, store };
}

describe('a registration that only the newest of three nodes shows whole', () => {
  it('is committed, not dropped as another one', async () => {
    const { settle, store } = makeNodes([0, 0, 0, 30], true);
    for (let turn = 0; turn < 4; turn += 1) expect(await settle()).toBe('committed');
    expect(store.journal.drop).not.toHaveBeenCalled();
  });
});

describe('a registration that the chain shows as another one', () => {
  /** The same chain, but the look at this number finds another's key and record. */
  function theirsOnce(chain: LaggingChain): typeof fetch {
    const asked = new Set<string>();
    const theirs = { ...stored, near_public_key: 'ed25519:theirs' };
    return async (input, init) => {
      const { params } = JSON.parse(String(init?.body));
      const response = await chain.fetch(input, init);
      const what = params.method_name ?? params.request_type;
      if (asked.has(what)) return response;
      asked.add(what);
      const { result, ...rest } = await response.json();
      const changed = {
        get_authenticators_by_user: {
          result: [...new TextEncoder().encode(JSON.stringify([[stillOpen.credentialId, theirs]]))],
        },
        view_access_key_list: { keys: [{ ...ourKey, public_key: 'ed25519:theirs' }] },
      }[what as string];
      return new Response(JSON.stringify({ ...rest, result: { ...result, ...changed } }));
    };
  }

  it('is not dropped for looks at one block', async () => {
    const { chain, settle, store } = makeNodes([0], true);
    expect(await settle(theirsOnce(chain))).toBe('committed');
    expect(store.journal.drop).not.toHaveBeenCalled();
  });

  it('is dropped when two blocks show it', async () => {
    const { chain, settle, store } = makeNodes([0], true);
    chain.addKey(entry.accountId, 'ed25519:theirs');
    chain.head += 3;
    expect(await settle()).toBe('mismatched');
    expect(store.journal.drop).toHaveBeenCalledTimes(1);
    expect(new Set(chain.heights('view_access_key_list')).size).toBeGreaterThanOrEqual(2);
  });
});

describe('a registration whose time is over', () => {
  it('is not dropped as another one because looks at one block do not find its record', async () => {
    const { chain, settle, store } = makeNodes([0], true);
    let looks = 0;
    const atOneBlock: typeof fetch = async (input, init) => {
      const { params } = JSON.parse(String(init?.body));
      const response = await chain.fetch(input, init);
      if (params.method_name !== 'get_authenticators_by_user' || looks >= 2) return response;
      looks += 1;
      const { result, ...rest } = await response.json();
      const found = { ...result, result: [...new TextEncoder().encode('[]')] };
      return new Response(JSON.stringify({ ...rest, result: found }));
    };
    expect(await settle(atOneBlock)).toBe('committed');
    expect(store.journal.drop).not.toHaveBeenCalled();
  });

  it('is dropped when its account is missing from two blocks', async () => {
    const { chain, settle, store } = makeNodes([0], false);
    expect(await settle()).toBe('dropped');
    expect(store.journal.drop).toHaveBeenCalledTimes(1);
    const late = chain.heights('view_access_key_list').filter((height) => height > LAST_HOPE);
    expect(new Set(late).size).toBeGreaterThanOrEqual(2);
  });

  it('stays while the nodes show one block only', async () => {
    const { settle, store } = makeNodes([0], false, 0);
    expect(await settle()).toBe('pending');
    expect(store.journal.drop).not.toHaveBeenCalled();
  });
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveConfig } from '../config.js';
import { LatchkeyError } from '../errors.js';
import type { RegistrationEntry } from '../storage/records.js';
import type { FlowContext } from './context.js';
import { registerPasskey } from './register.js';

const ALICE = 'alice.w3a-v1.testnet';
const KEY = 'ed25519:ours';
const HEIGHT = 1_000;
const PAST_HOPE = HEIGHT + 200 + 50 + 1;

const createPasskey = vi.hoisted(() => vi.fn());
vi.mock('../webauthn/passkeys.js', () => ({
  createPasskey,
  assertSecureContext: () => undefined,
  randomChallenge: () => new Uint8Array(32),
}));

const challenge = {
  vrfInput: 'AA',
  vrfOutput: 'A'.repeat(86),
  vrfProof: 'AA',
  vrfPublicKey: 'AQ',
  userId: ALICE,
  rpId: 'localhost',
  blockHeight: String(HEIGHT),
  blockHash: 'AA',
};
const ourRecord = {
  device_number: 1,
  near_public_key: KEY,
  vrf_public_keys: [Uint8Array.of(1), Uint8Array.of(2)],
};

/** A chain that shows what it is told to, a relay that answers what it is told to, and a journal. */
function make() {
  const chain = { height: HEIGHT, account: undefined as string | undefined };
  const journal = new Map<string, RegistrationEntry>();
  const store = {
    journalEntry: async (_kind: string, accountId: string) => journal.get(accountId),
    authenticators: async () => [],
    openEntry: async (entry: RegistrationEntry) => void journal.set(entry.accountId, entry),
    dropEntry: async ({ accountId }: RegistrationEntry) => void journal.delete(accountId),
    markRefused: async (entry: RegistrationEntry) =>
      void journal.set(entry.accountId, { ...entry, refused: true }),
    commitEntry: vi.fn(async ({ accountId }: RegistrationEntry) => void journal.delete(accountId)),
  };
  const rpc = {
    block: async () => ({ header: { height: chain.height, hash: 'hash' } }),
    viewAccount: async () => (chain.account ? {} : null),
    viewAccessKeyList: async () => ({
      keys: chain.account ? [{ public_key: chain.account, access_key: { permission: 'FullAccess' } }] : [],
    }),
    callFunction: async () => ({ bytes: new Uint8Array(), logs: [] }),
    callFunctionJson: async (_schema: unknown, _contract: string, method: string) =>
      method === 'get_vrf_settings'
        ? { max_block_age: 200 }
        : chain.account
          ? [['credential', ourRecord]]
          : [],
  };
  const worker: Record<string, unknown> = {
    generateKeypairBootstrap: { challenge },
    deriveKeypairFromPrf: { vrfPublicKey: 'Ag', encryptedVrfKeypair: {} },
    deriveAndEncrypt: { publicKey: KEY, encryptedPrivateKey: {} },
    confirmRegistrationCredential: { credentialPublicKey: new Uint8Array() },
    buildCheckCanRegister: new TextEncoder().encode('{"vrf_data":{}}'),
    judgeCheckCanRegister: { verified: true, userExists: false },
    encryptCurrentWithServerLock: { ciphertextVrfB64u: 'c', kek_s_b64u: 'k', serverKeyId: 'key' },
    unlockWithServerLock: { vrfPublicKey: 'Ag' },
    status: { active: true, accountId: ALICE },
  };
  const call = vi.fn(async (name: string) => worker[name]);
  const relay = { createAccountAndRegisterUser: vi.fn() };
  const context = {
    config: resolveConfig({
      relayer: { url: 'http://localhost:9' },
      logLevel: 'silent',
      confirmationConfig: { uiMode: 'skip' },
    }),
    rpId: 'localhost',
    rpc,
    relay,
    store,
    vrf: { call },
    signers: { acquire: async () => ({ call, end: () => undefined }) },
    pageSettings: { confirmation: {} },
    confirmer: () => null,
  } as unknown as FlowContext;
  return { context, chain, journal, store, worker, call, ask: relay.createAccountAndRegisterUser };
}

const refused = (status: number, reason = 'The relay says no.') =>
  new LatchkeyError('RELAY_REFUSED', { values: { reason }, details: { status } });

beforeEach(() => {
  vi.stubGlobal('navigator', {
    maxTouchPoints: 0,
    userAgent: 'test',
    locks: { request: (_name: string, _options: unknown, work: (lock: object) => unknown) => work({}) },
  });
  createPasskey.mockReset();
  createPasskey.mockImplementation(async () => ({
    registration: { id: 'credential', rawId: 'credential', response: { transports: ['internal'] } },
    prf: {
      kind: 'outputs',
      outputs: { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) },
    },
  }));
});

describe('a registration that the relay refuses', () => {
  it("tells the relay's sentence, and keeps the keys: the relay may send it all the same", async () => {
    const { context, journal, chain, store, ask } = make();
    ask.mockRejectedValueOnce(refused(400));
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'ATOMIC_REGISTRATION_FAILED',
      error: 'Atomic registration failed: The relay says no.',
    });
    expect(journal.get(ALICE)).toMatchObject({ nearPublicKey: KEY, refused: true });

    chain.account = KEY;
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      success: true,
      clientNearPublicKey: KEY,
    });
    expect(store.commitEntry).toHaveBeenCalledTimes(1);
    expect([createPasskey.mock.calls.length, ask.mock.calls.length]).toEqual([1, 1]);
  });

  it('is asked for again with the same request and no second passkey', async () => {
    const { context, journal, chain, ask } = make();
    ask.mockRejectedValueOnce(refused(429, 'Too many.'));
    await registerPasskey(context, ALICE, {});
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true, transactionId: 'hash' });
    expect(createPasskey).toHaveBeenCalledTimes(1);
    expect(ask.mock.calls[1]?.[0]).toEqual(ask.mock.calls[0]?.[0]);
    expect(ask.mock.calls[0]?.[0]).toMatchObject({ new_account_id: ALICE, new_public_key: KEY });
    expect(journal.size).toBe(0);
  });

  it.each([
    ['ends logged in when it comes to an account later', 'Ag', 'unlockWithServerLock'],
    ["leaves no session with a key that is not the account's", 'of another', 'logout'],
  ])('%s', async (_, vrfPublicKey, lastCall) => {
    const { context, chain, worker, call, ask } = make();
    worker.unlockWithServerLock = { vrfPublicKey };
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    chain.account = KEY;
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(call.mock.calls.at(-1)?.[0]).toBe(lastCall);
  });

  it('may be made with a new passkey when the registry can take the old one no more', async () => {
    const { context, chain, ask } = make();
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    chain.height = PAST_HOPE;
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(createPasskey).toHaveBeenCalledTimes(2);
  });

  it('is reported when the account has other keys all the same', async () => {
    const { context, chain, ask } = make();
    ask.mockImplementationOnce(async () => {
      chain.account = 'ed25519:theirs';
      throw refused(400);
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ errorCode: 'REGISTRATION_MISMATCH' });
  });

  it('because another person took the name is told so', async () => {
    const { context, chain, journal, ask } = make();
    ask.mockImplementationOnce(async () => {
      chain.account = 'ed25519:theirs';
      throw refused(409);
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ errorCode: 'ACCOUNT_EXISTS' });
    expect(journal.size).toBe(0);
  });
});

describe('a registration whose answer is lost', () => {
  it('stays open, and neither the relay is asked nor a passkey made again', async () => {
    const { context, journal, ask } = make();
    const host = new AbortController();
    ask.mockImplementationOnce(async () => {
      host.abort();
      throw new LatchkeyError('RELAY_UNREACHABLE');
    });
    const lost = await registerPasskey(context, ALICE, { signal: host.signal });
    expect(lost).toMatchObject({ success: false, errorCode: 'REGISTRATION_PENDING', pending: true });
    expect(journal.get(ALICE)?.refused).toBeUndefined();
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ errorCode: 'REGISTRATION_PENDING' });
    expect([createPasskey.mock.calls.length, ask.mock.calls.length]).toEqual([1, 1]);
  });

  it('is written down before the relay is asked, with nothing secret in clear', async () => {
    const { context, journal, ask } = make();
    let written = '';
    ask.mockImplementationOnce(async () => {
      written = JSON.stringify(journal.get(ALICE));
      throw refused(400);
    });
    await registerPasskey(context, ALICE, {});
    expect(JSON.parse(written)).toMatchObject({
      accountId: ALICE,
      nearPublicKey: KEY,
      credentialId: 'credential',
      challengeHeight: HEIGHT,
    });
    for (const byte of [1, 2]) {
      expect(written).not.toContain(Array(32).fill(byte).join(','));
      expect(written).not.toContain(Buffer.alloc(32, byte).toString('base64url'));
    }
  });
});

describe('a registration whose records cannot be stored', () => {
  it('is told as such, and is stored at the next try without the relay or a passkey', async () => {
    const { context, chain, store, journal, ask } = make();
    ask.mockImplementation(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    store.commitEntry.mockRejectedValueOnce(new LatchkeyError('STORAGE_FULL'));
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      pending: true,
      errorCode: 'REGISTRATION_NOT_STORED',
      error: expect.stringMatching(
        /^The account alice\.w3a-v1\.testnet was created, .* Free some disk space/,
      ),
    });
    expect(journal.has(ALICE)).toBe(true);
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(journal.size).toBe(0);
    expect([createPasskey.mock.calls.length, ask.mock.calls.length]).toEqual([1, 1]);
  });
});

describe('an account name', () => {
  it.each([
    ['', 'Account ID must be a non-empty string'],
    ['alice', 'Account ID must contain at least one dot (e.g., username.testnet)'],
    [
      'Alice.w3a-v1.testnet',
      'Username can only contain lowercase letters, numbers, underscores, and hyphens',
    ],
    [
      'a--b.w3a-v1.testnet',
      'Account ID can only have underscores and hyphens between two letters or numbers',
    ],
    ['alice.testnet', 'New accounts end in .w3a-v1.testnet, with one name before it'],
    ['a.b.w3a-v1.testnet', 'New accounts end in .w3a-v1.testnet, with one name before it'],
    ['alice.evilw3a-v1.testnet', 'New accounts end in .w3a-v1.testnet, with one name before it'],
    [`${'a'.repeat(44)}.w3a-v1.testnet`, 'Account ID must be at most 58 characters to be registered'],
  ])('is refused before anything is asked: %j', async (accountId, reason) => {
    const { context, ask, call } = make();
    expect(await registerPasskey(context, accountId, {})).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACCOUNT_ID',
      error: `Invalid NEAR account ID: ${reason}`,
    });
    expect([createPasskey, ask, call].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  });
});

describe('a registration inside a frame', () => {
  it('makes no passkey without a click, whatever a configuration says', async () => {
    vi.stubGlobal('top', {});
    const { context, ask } = make();
    try {
      const options = { confirmationConfig: { uiMode: 'skip' } } as const;
      expect(await registerPasskey(context, ALICE, options)).toMatchObject({
        success: false,
        errorCode: 'CLICK_REQUIRED',
      });
    } finally {
      vi.unstubAllGlobals();
    }
    expect([createPasskey, ask].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError } from '../errors.js';
import type { FlowContext } from './context.js';
import { loginPasskey } from './login.js';

const ALICE = 'alice.w3a-v1.testnet';
const lock = { ciphertextVrfB64u: 'c', kek_s_b64u: 'k', serverKeyId: 'first', updatedAt: 0 };
const authenticator = {
  nearAccountId: ALICE,
  deviceNumber: 1,
  credentialId: 'AAAA',
  transports: ['internal'],
  vrfPublicKey: 'vrf',
};

const assertPasskey = vi.hoisted(() => vi.fn());
vi.mock('../webauthn/passkeys.js', () => ({
  assertPasskey,
  assertSecureContext: () => undefined,
  randomChallenge: () => new Uint8Array(32),
}));

function make({
  user = {},
  keyId = 'first',
  p = 'p',
}: {
  user?: object | null;
  keyId?: string;
  p?: string;
} = {}) {
  const record = user && {
    nearAccountId: ALICE,
    deviceNumber: 1,
    clientNearPublicKey: 'ed25519:key',
    encryptedVrfKeypair: { encryptedVrfDataB64u: 'v', chacha20NonceB64u: 'n' },
    serverEncryptedVrfKeypair: lock,
    ...user,
  };
  const workerCalls: string[] = [];
  const failing = new Map<string, LatchkeyError>();
  const answers: Record<string, object> = {
    unlockWithServerLock: { vrfPublicKey: 'vrf' },
    encryptCurrentWithServerLock: { ...lock, serverKeyId: keyId },
    status: { active: true, accountId: ALICE },
  };
  const store = {
    journalEntry: async () => undefined,
    user: async () => record ?? undefined,
    authenticators: vi.fn(async () => [authenticator]),
    updateUser: vi.fn(async () => undefined),
    setLastUser: vi.fn(async () => undefined),
  };
  const viewAccessKey = vi.fn(async (): Promise<unknown> => ({ nonce: 1, block_height: 1, block_hash: 'h' }));
  const relay = { keyInfo: vi.fn(async () => ({ currentKeyId: keyId, p_b64u: p })) };
  const context = {
    config: { shamir3pass: { p: 'p' }, logger: { info: () => undefined, warn: () => undefined } },
    rpId: 'localhost',
    rpc: { viewAccessKey },
    relay,
    store,
    contexts: { learn: vi.fn() },
    vrf: {
      call: async (name: string) => {
        workerCalls.push(name);
        const failure = failing.get(name);
        if (failure) throw failure;
        return answers[name] ?? {};
      },
    },
  } as unknown as FlowContext;
  return { context, store, workerCalls, failing, answers, relay, viewAccessKey };
}

beforeEach(() => {
  assertPasskey.mockReset();
  assertPasskey.mockImplementation(async () => ({
    prf: {
      kind: 'outputs',
      outputs: { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) },
    },
  }));
});

describe('login', () => {
  it.each([
    ['alice', 'Account ID must contain at least one dot (e.g., username.testnet)'],
    ['alice..testnet', 'Domain part cannot be empty'],
    ['alice.com', 'Invalid NEAR account ID suffix. Expected account to end with one of: testnet, near'],
  ])('says what is wrong with the name %j', async (accountId, reason) => {
    const { context, workerCalls, viewAccessKey } = make();
    expect(await loginPasskey(context, accountId, {})).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACCOUNT_ID',
      error: `Invalid NEAR account ID: ${reason}`,
    });
    expect([workerCalls, viewAccessKey.mock.calls]).toEqual([[], []]);
  });

  it('is silent by the server lock, with one question to the chain', async () => {
    const { context, workerCalls, relay, viewAccessKey } = make();
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: true,
      unlockedBy: 'server-lock',
    });
    expect(assertPasskey).not.toHaveBeenCalled();
    expect(workerCalls).toEqual(['unlockWithServerLock']);
    expect([relay.keyInfo.mock.calls.length, viewAccessKey.mock.calls.length]).toEqual([1, 1]);
  });

  it("locks the keypair anew when the relay's key has changed", async () => {
    const { context, workerCalls, store } = make({ keyId: 'second' });
    await loginPasskey(context, ALICE, {});
    expect(workerCalls).toEqual(['unlockWithServerLock', 'encryptCurrentWithServerLock', 'status']);
    expect(store.updateUser).toHaveBeenCalledWith(ALICE, 1, {
      serverEncryptedVrfKeypair: expect.objectContaining({ serverKeyId: 'second' }),
    });
  });

  it('asks for the passkey when the relay is down, and leaves the lock as it is', async () => {
    const { context, failing, relay, workerCalls } = make();
    failing.set('unlockWithServerLock', new LatchkeyError('RELAY_UNREACHABLE'));
    relay.keyInfo.mockRejectedValue(new LatchkeyError('RELAY_UNREACHABLE'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
    expect(assertPasskey).toHaveBeenCalledTimes(1);
    expect(workerCalls).toEqual(['unlockWithServerLock', 'unlock']);
  });

  it('asks for the passkey when the lock does not open, and locks anew so that the next login is silent', async () => {
    const { context, failing, store, workerCalls } = make();
    failing.set('unlockWithServerLock', new LatchkeyError('CRYPTO_FAILED'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
    expect(workerCalls).toEqual(['unlockWithServerLock', 'unlock', 'encryptCurrentWithServerLock', 'status']);
    expect(store.updateUser).toHaveBeenCalledWith(ALICE, 1, {
      serverEncryptedVrfKeypair: expect.objectContaining({ serverKeyId: 'first' }),
    });
  });

  it("asks for the passkey when the lock opens another account's key", async () => {
    const { context, answers } = make();
    answers.unlockWithServerLock = { vrfPublicKey: 'of another account' };
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
  });

  it("stores no lock of another account's key, one that logged in meanwhile", async () => {
    const { context, answers, store } = make({ keyId: 'second' });
    answers.status = { active: true, accountId: 'bob.w3a-v1.testnet' };
    await loginPasskey(context, ALICE, {});
    expect(store.updateUser).not.toHaveBeenCalledWith(
      ALICE,
      1,
      expect.objectContaining({ serverEncryptedVrfKeypair: expect.anything() }),
    );
  });

  it('does not take the lock of a relay that works in another group', async () => {
    const { context, workerCalls } = make({ p: 'another', keyId: 'second' });
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
    expect(workerCalls).not.toContain('encryptCurrentWithServerLock');
  });

  it('goes on without the key id when only key-info fails', async () => {
    const { context, relay } = make();
    relay.keyInfo.mockRejectedValue(new LatchkeyError('RELAY_UNREACHABLE'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: true,
      unlockedBy: 'server-lock',
    });
  });

  it('uses only the passkeys of this device', async () => {
    const { context, store } = make({ user: { serverEncryptedVrfKeypair: null } });
    store.authenticators.mockResolvedValue([authenticator, { ...authenticator, deviceNumber: 2 }]);
    await loginPasskey(context, ALICE, {});
    expect(assertPasskey.mock.calls[0]?.[0].allow).toEqual([authenticator]);
  });

  it('names a cancelled prompt, prompts once, and leaves no session', async () => {
    const { context, workerCalls } = make({ user: { serverEncryptedVrfKeypair: null } });
    assertPasskey.mockRejectedValue(new LatchkeyError('CANCELLED'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'LOGIN_CANCELLED',
      error: "Login was cancelled. Please try again when you're ready to authenticate.",
    });
    expect(assertPasskey).toHaveBeenCalledTimes(1);
    expect(workerCalls).toEqual(['logout']);
  });

  it('names an authenticator without PRF', async () => {
    const { context } = make({ user: { serverEncryptedVrfKeypair: null } });
    assertPasskey.mockResolvedValue({ prf: { kind: 'none' } });
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'PRF_MISSING',
      error: expect.stringMatching(
        /^Login failed because the browser did not return the required passkey PRF/,
      ),
    });
  });

  it('ends with one clear sentence when the chain does not know the account', async () => {
    const { context, viewAccessKey, workerCalls } = make();
    viewAccessKey.mockResolvedValue(null);
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'ACCOUNT_NOT_ON_CHAIN',
      error: expect.stringContaining(ALICE),
    });
    expect(workerCalls.at(-1)).toBe('logout');
  });

  it('leaves no session behind when it cannot be noted on this device', async () => {
    const { context, store, workerCalls } = make();
    store.updateUser.mockRejectedValueOnce(new LatchkeyError('STORAGE_FULL'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'STORAGE_FULL',
    });
    expect(workerCalls.at(-1)).toBe('logout');
  });

  it('does not need the chain to answer', async () => {
    const { context, viewAccessKey } = make();
    viewAccessKey.mockRejectedValue(new LatchkeyError('NEAR_RPC_FAILED'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true });
  });

  it.each([
    [null, 'NO_LOCAL_ACCOUNT'],
    [{ clientNearPublicKey: '' }, 'NO_PUBLIC_KEY'],
    [{ encryptedVrfKeypair: undefined }, 'NO_VRF_CREDENTIALS'],
  ])('needs what was stored (%o)', async (user, errorCode) => {
    expect(await loginPasskey(make({ user }).context, ALICE, {})).toMatchObject({
      success: false,
      errorCode,
    });
  });
});

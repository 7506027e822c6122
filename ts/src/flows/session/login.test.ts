import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError } from '../../errors/index.js';
import { createRpcClient } from '../../near/index.js';
import { LaggingChain } from '../../near/testing/lagging-chain.js';
import type { FlowContext } from '../context.js';
import { cancelling } from '../testing/cancelling.js';
import { deferred } from '../testing/deferred.js';
import { loginPasskey } from './login.js';
import { LogoutSignal } from './logout-signal.js';
import { logout } from './session.js';

const ALICE = 'alice.w3a-v1.testnet';
const BOB = 'bob.w3a-v1.testnet';
const lock = { ciphertextVrfB64u: 'c', kek_s_b64u: 'k', serverKeyId: 'first', updatedAt: 0 };
const authenticator = {
  nearAccountId: ALICE,
  deviceNumber: 1,
  credentialId: 'AAAA',
  transports: ['internal'],
  vrfPublicKey: 'vrf',
};

const assertPasskey = vi.hoisted(() => vi.fn());
vi.mock('../../webauthn/passkeys.js', () => ({
  assertPasskey,
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
  };
  /** The account whose key the worker holds. */
  const session: { of: string | undefined } = { of: undefined };
  const store = {
    journalEntry: vi.fn(async (): Promise<undefined> => undefined),
    user: async () => record ?? undefined,
    users: async () => [],
    pageSettings: async () => ({}),
    isOfHost: async () => true,
    userOnDevice: async () => record ?? undefined,
    authenticatorsOnDevice: vi.fn(async () => [authenticator]),
    updateUser: vi.fn(async () => undefined),
    setLastUser: vi.fn(async () => undefined),
  };
  const viewAccessKey = vi.fn(
    async (_account: string, _key: string, _options: { signal: AbortSignal }): Promise<unknown> => ({
      nonce: 1,
      block_height: 1,
      block_hash: 'h',
    }),
  );
  const viewAccount = vi.fn(async (): Promise<unknown> => null);
  const relay = { keyInfo: vi.fn(async () => ({ currentKeyId: keyId, p_b64u: p })) };
  const warn = vi.fn();
  const context = {
    config: { shamir3pass: { p: 'p' }, logger: { info: () => undefined, warn } },
    rpId: 'localhost',
    rpc: { viewAccessKey, viewAccount },
    relay,
    store,
    contexts: { learn: vi.fn(), clear: vi.fn() },
    logout: new LogoutSignal(),
    confirmer: () => null,
    vrf: {
      call: async (name: string, [accountId]: readonly string[]) => {
        if (name === 'status') {
          return (
            answers.status ?? {
              active: session.of !== undefined,
              accountId: session.of,
              vrfPublicKey: session.of,
            }
          );
        }
        workerCalls.push(name);
        const failure = failing.get(name);
        if (failure) throw failure;
        if (name === 'logout') session.of = undefined;
        if (name === 'unlock' || name === 'unlockWithServerLock') session.of = accountId;
        return answers[name] ?? {};
      },
    },
  } as unknown as FlowContext;
  return { context, store, workerCalls, failing, answers, relay, viewAccessKey, viewAccount, session, warn };
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

vi.mock('../../webauthn/device-check.js', () => ({ assertDevice: async () => undefined }));

describe('login', () => {
  it.each([
    ['alice', 'Account ID must contain at least one dot (e.g., username.testnet)'],
    ['alice..testnet', 'Domain part cannot be empty'],
    ['Alice.tg', 'Username can only contain lowercase letters, numbers, underscores, and hyphens'],
  ])('says what is wrong with the name %j', async (accountId, reason) => {
    const { context, workerCalls, viewAccessKey } = make();
    expect(await loginPasskey(context, accountId, {})).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACCOUNT_ID',
      error: `Invalid NEAR account ID: ${reason}`,
    });
    expect([workerCalls, viewAccessKey.mock.calls]).toEqual([[], []]);
  });

  it('is silent through the server lock, with one question to the chain', async () => {
    const { context, workerCalls, relay, viewAccessKey } = make();
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: true,
      unlockedBy: 'server-lock',
    });
    expect(assertPasskey).not.toHaveBeenCalled();
    expect(workerCalls).toEqual(['unlockWithServerLock']);
    expect([relay.keyInfo.mock.calls.length, viewAccessKey.mock.calls.length]).toEqual([1, 1]);
  });

  it.each([
    [
      'through the server lock',
      {},
      ['3 vrf-unlock progress', '3 vrf-unlock success', '4 login-complete success'],
    ],
    [
      'with the passkey',
      { serverEncryptedVrfKeypair: null },
      [
        '2 webauthn-assertion progress',
        '2 webauthn-assertion success',
        '3 vrf-unlock progress',
        '3 vrf-unlock success',
        '4 login-complete success',
      ],
    ],
    ['that fails', { clientNearPublicKey: '' }, ['0 login-error error']],
  ])('%s reports its steps as they happen', async (_, user, after) => {
    const { context } = make({ user });
    const events: string[] = [];
    await loginPasskey(context, ALICE, {
      onEvent: ({ step, phase, status }) => events.push(`${step} ${phase} ${status}`),
    });
    expect(events.filter((event) => !event.startsWith('1 preparation'))).toEqual(after);
    expect(events[0]).toBe('1 preparation progress');
  });

  it("locks the keypair again when the relay's key has changed", async () => {
    const { context, workerCalls, store } = make({ keyId: 'second' });
    await loginPasskey(context, ALICE, {});
    expect(workerCalls).toEqual(['unlockWithServerLock', 'encryptCurrentWithServerLock']);
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

  it('asks for the passkey when the lock does not open, and locks again so that the next login is silent', async () => {
    const { context, failing, store, workerCalls } = make();
    failing.set('unlockWithServerLock', new LatchkeyError('CRYPTO_FAILED'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
    expect(workerCalls).toEqual(['unlockWithServerLock', 'unlock', 'encryptCurrentWithServerLock']);
    expect(store.updateUser).toHaveBeenCalledWith(ALICE, 1, {
      serverEncryptedVrfKeypair: expect.objectContaining({ serverKeyId: 'first' }),
    });
  });

  it("asks for the passkey when the lock opens another account's key", async () => {
    const { context, answers } = make();
    answers.unlockWithServerLock = { vrfPublicKey: 'of another account' };
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
  });

  it('stores no lock of the key of another account that logged in meanwhile', async () => {
    const { context, answers, store } = make({ keyId: 'second' });
    answers.status = { active: true, accountId: BOB };
    await loginPasskey(context, ALICE, {});
    expect(store.updateUser).not.toHaveBeenCalledWith(
      ALICE,
      1,
      expect.objectContaining({ serverEncryptedVrfKeypair: expect.anything() }),
    );
  });

  it('does not accept the lock of a relay that works in another group', async () => {
    const { context, workerCalls } = make({ p: 'another', keyId: 'second' });
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
    expect(workerCalls).not.toContain('encryptCurrentWithServerLock');
  });

  it('continues without the key id when only key-info fails', async () => {
    const { context, relay } = make();
    relay.keyInfo.mockRejectedValue(new LatchkeyError('RELAY_UNREACHABLE'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: true,
      unlockedBy: 'server-lock',
    });
  });

  it('uses only the passkeys of this device', async () => {
    const { context, store } = make({ user: { serverEncryptedVrfKeypair: null } });
    store.authenticatorsOnDevice.mockResolvedValue([authenticator, { ...authenticator, deviceNumber: 2 }]);
    await loginPasskey(context, ALICE, {});
    expect(assertPasskey.mock.calls[0]?.[0].allow).toEqual([authenticator]);
  });

  it('names a cancelled prompt, prompts once, and leaves no session', async () => {
    const { context, session } = make({ user: { serverEncryptedVrfKeypair: null } });
    assertPasskey.mockRejectedValue(new LatchkeyError('CANCELLED'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'LOGIN_CANCELLED',
      error: "Login was cancelled. Please try again when you're ready to authenticate.",
    });
    expect(assertPasskey).toHaveBeenCalledTimes(1);
    expect(session.of).toBeUndefined();
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
    const { context, viewAccessKey, session } = make();
    viewAccessKey.mockResolvedValue(null);
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'ACCOUNT_NOT_ON_CHAIN',
      error: expect.stringContaining(ALICE),
    });
    expect(session.of).toBeUndefined();
  });

  it('says that the key of this device was removed, and opens no session, when the account is there', async () => {
    const { context, viewAccessKey, viewAccount, session } = make();
    viewAccessKey.mockResolvedValue(null);
    viewAccount.mockResolvedValue({ amount: '1' });
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'DEVICE_KEY_REMOVED',
      error: `The key of this device was removed from ${ALICE}. The account is safe. Link this device again from another one.`,
    });
    expect(session.of).toBeUndefined();
  });

  it('leaves no session behind when the device cannot record it', async () => {
    const { context, store, session } = make();
    store.updateUser.mockRejectedValueOnce(new LatchkeyError('STORAGE_FULL'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'STORAGE_FULL',
    });
    expect(session.of).toBeUndefined();
  });

  it.each([
    ['the relay removes its lock', {}, 'unlockWithServerLock'],
    ['the passkey prompt is open', { serverEncryptedVrfKeypair: null }, 'prompt'],
    ['the account is being stored as the last one used', {}, 'setLastUser'],
  ])('is ended by a logout while %s', async (_, user, point) => {
    const { context, store, session } = make({ user });
    const reached = deferred<undefined>();
    const go = deferred<undefined>();
    const held = async (): Promise<void> => {
      reached.resolve(undefined);
      await go.promise;
    };
    const { call } = context.vrf;
    context.vrf.call = (async (name: string, ...rest: unknown[]) => {
      if (name === point) await held();
      return (call as unknown as (...all: unknown[]) => unknown)(name, ...rest);
    }) as never;
    const asked = assertPasskey.getMockImplementation();
    assertPasskey.mockImplementation(async (...request) => {
      if (point === 'prompt') await held();
      return asked?.(...request);
    });
    if (point === 'setLastUser') store.setLastUser.mockImplementation(held as never);

    const login = loginPasskey(context, ALICE, {});
    await reached.promise;
    await logout(context);
    go.resolve(undefined);
    expect(await login).toMatchObject({ success: false, errorCode: 'LOGIN_CANCELLED' });
    expect(session.of).toBeUndefined();
  });

  it('warns of nothing when a logout ends its look at the chain', async () => {
    const { context, viewAccessKey, warn } = make();
    const asked = deferred<undefined>();
    viewAccessKey.mockImplementation(async (_account, _key, { signal }) => {
      asked.resolve(undefined);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new LatchkeyError('CANCELLED'))),
      );
    });
    const login = loginPasskey(context, ALICE, {});
    await asked.promise;
    await logout(context);
    expect(await login).toMatchObject({ success: false, errorCode: 'LOGIN_CANCELLED' });
    expect(warn.mock.calls).toEqual([]);
  });

  it('that a logout ends keeps the session of an account that logged in meanwhile', async () => {
    const { context, session } = make({ user: { serverEncryptedVrfKeypair: null } });
    assertPasskey.mockImplementation(async () => {
      await logout(context);
      session.of = BOB;
      throw new LatchkeyError('CANCELLED');
    });
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: false });
    expect(session.of).toBe(BOB);
  });

  it('that begins after a logout is not affected by it', async () => {
    const { context } = make();
    await logout(context);
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true });
  });

  it('requires two nodes to agree where that is configured, and ends when they disagree', async () => {
    const { context, viewAccessKey, session } = make();
    viewAccessKey.mockRejectedValue(new LatchkeyError('RPC_DISAGREEMENT'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ errorCode: 'RPC_DISAGREEMENT' });
    expect(viewAccessKey).toHaveBeenCalledWith(
      ALICE,
      'ed25519:key',
      expect.objectContaining({ agreed: true }),
    );
    expect(session.of).toBeUndefined();
  });

  it('succeeds when the chain does not answer', async () => {
    const { context, viewAccessKey, warn } = make();
    viewAccessKey.mockRejectedValue(new LatchkeyError('NEAR_RPC_FAILED'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(warn).toHaveBeenCalledOnce();
  });

  it.each([
    ['after the lock was removed', {}, undefined],
    ['after the prompt', { serverEncryptedVrfKeypair: null }, undefined],
    ['before it replaces the session of another account', {}, BOB],
  ])('shows what it waits for on a frozen chain, %s, and Cancel ends it', async (_, user, before) => {
    const { context, viewAccessKey, session } = make({ user });
    const confirmer = cancelling();
    context.confirmer = () => confirmer;
    viewAccessKey.mockImplementation(() => new Promise(() => undefined));
    session.of = before;
    const shown: unknown[] = [];
    const result = await loginPasskey(context, ALICE, {
      onEvent: ({ phase, data }) => data?.waiting && shown.push(phase),
    });
    expect(result).toMatchObject({ success: false, errorCode: 'LOGIN_CANCELLED' });
    expect([confirmer.waits.length, shown]).toEqual([1, ['preparation']]);
    expect(session.of).toBe(before);
  });

  it('shows what it waits for while an earlier registration of the account is looked up', async () => {
    const { context, store, session } = make();
    const confirmer = cancelling();
    context.confirmer = () => confirmer;
    store.journalEntry.mockImplementation(() => new Promise(() => undefined));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ errorCode: 'LOGIN_CANCELLED' });
    expect(confirmer.waits).toHaveLength(1);
    expect(session.of).toBeUndefined();
  });

  it.each([
    [null, 'NO_LOCAL_ACCOUNT'],
    [{ clientNearPublicKey: '' }, 'NO_PUBLIC_KEY'],
    [{ encryptedVrfKeypair: undefined }, 'NO_VRF_CREDENTIALS'],
  ])('fails when a stored record is incomplete (%o)', async (user, errorCode) => {
    expect(await loginPasskey(make({ user }).context, ALICE, {})).toMatchObject({
      success: false,
      errorCode,
    });
  });

  it.each([
    [null, `User data not found for ${ALICE} in IndexedDB. Please register an account.`],
    [{ clientNearPublicKey: '' }, `No NEAR public key found for ${ALICE}. Please register an account.`],
    [
      { encryptedVrfKeypair: undefined },
      `No VRF credentials found for ${ALICE}. Please register an account.`,
    ],
  ])('says which record is missing (%o)', async (user, error) => {
    expect(await loginPasskey(make({ user }).context, ALICE, {})).toMatchObject({ error });
  });

  it('says that this device has no passkey of the account', async () => {
    const { context, store } = make();
    store.authenticatorsOnDevice.mockResolvedValue([]);
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'NO_AUTHENTICATORS',
      error: `No authenticators found for account ${ALICE}. Please register.`,
    });
  });

  it('says so when the keypair does not open', async () => {
    const { context, failing } = make({ user: { serverEncryptedVrfKeypair: null } });
    failing.set('unlock', new LatchkeyError('CRYPTO_FAILED', { message: 'decryption failed' }));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'VRF_UNLOCK_FAILED',
      error: 'Failed to unlock VRF keypair',
    });
  });

  it('reports an unexpected error in one sentence', async () => {
    const { context, store } = make();
    store.setLastUser.mockRejectedValueOnce(new TypeError('a bug'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'UNKNOWN',
      error: 'Login failed due to an unknown error. Please check your connection and try again.',
    });
  });
});

describe('a login while another account is logged in', () => {
  type Made = ReturnType<typeof make>;
  const failures: readonly [what: string, user: object, given: (made: Made) => unknown][] = [
    [
      'whose prompt is cancelled',
      { serverEncryptedVrfKeypair: null },
      () => assertPasskey.mockRejectedValue(new LatchkeyError('CANCELLED')),
    ],
    [
      'by an authenticator without PRF',
      { serverEncryptedVrfKeypair: null },
      () => assertPasskey.mockResolvedValue({ prf: { kind: 'none' } }),
    ],
    [
      'whose keypair does not open',
      { serverEncryptedVrfKeypair: null },
      ({ failing }) => failing.set('unlock', new LatchkeyError('CRYPTO_FAILED')),
    ],
    [
      'by passkey, of an account that the chain does not know',
      { serverEncryptedVrfKeypair: null },
      ({ viewAccessKey }) => viewAccessKey.mockResolvedValue(null),
    ],
    [
      'through the server lock, to an account that the chain does not know',
      {},
      ({ viewAccessKey }) => viewAccessKey.mockResolvedValue(null),
    ],
  ];
  it.each(failures)('keeps that session when it fails: a login %s', async (_, user, given) => {
    const made = make({ user });
    made.session.of = BOB;
    given(made);
    expect(await loginPasskey(made.context, ALICE, {})).toMatchObject({ success: false });
    expect(made.session.of).toBe(BOB);
  });

  it.each([
    ['through the server lock', {}],
    ['with the passkey', { serverEncryptedVrfKeypair: null }],
  ])('replaces that session when it succeeds %s', async (_, user) => {
    const { context, session } = make({ user });
    session.of = BOB;
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(session.of).toBe(ALICE);
  });

  it('of the same account keeps its session when the user cancels the prompt', async () => {
    const { context, session } = make({ user: { serverEncryptedVrfKeypair: null } });
    session.of = ALICE;
    assertPasskey.mockRejectedValue(new LatchkeyError('CANCELLED'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: false });
    expect(session.of).toBe(ALICE);
  });
});

describe('a login a moment after the registration', () => {
  const nodes = { 'https://rpc.example': [8, 8, 0] };

  it('succeeds though nodes that lag do not know the account yet', async () => {
    const { context } = make();
    const chain = new LaggingChain({ nodes });
    chain.head += 100;
    chain.addKey(ALICE, 'ed25519:key');
    chain.head += 3;
    const rpc = createRpcClient({ urls: chain.urls, fetch: chain.fetch });
    expect(await loginPasskey({ ...context, rpc }, ALICE, {})).toMatchObject({ success: true });
    expect(chain.asked.length).toBeGreaterThan(1);
  });

  it('is refused where the account is on no node', async () => {
    const { context } = make();
    const chain = new LaggingChain({ nodes });
    chain.head += 100;
    const rpc = createRpcClient({ urls: chain.urls, fetch: chain.fetch });
    expect(await loginPasskey({ ...context, rpc }, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'ACCOUNT_NOT_ON_CHAIN',
    });
  });
});

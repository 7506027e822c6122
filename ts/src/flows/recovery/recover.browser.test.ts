import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountRecoveryFlow } from '../../account-recovery-flow.js';
import { LatchkeyError } from '../../errors/index.js';
import { STEPS } from '../../events.js';
import type { EncryptedKeyRecord } from '../../storage/records.js';
import { deleteDatabases, entry } from '../../storage/testing/databases.js';
import type { RecoveryRequest } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { logout } from '../session/session.js';
import { type Recoverable, type RegisteredPasskey, recoverable } from '../testing/recoverable.js';
import { discoverRecoverableAccounts, recoverAccountFlow } from './recover.js';

const ALICE = 'alice.w3a-v1.testnet';
const BOB = 'bob.w3a-v1.testnet';

let authenticator: VirtualAuthenticator;
let wallet: Recoverable;

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = recoverable();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await wallet.close();
  await deleteDatabases();
  await authenticator.remove();
});

const prompts = () => vi.spyOn(CredentialsContainer.prototype, 'get');
const recover = (request: RecoveryRequest = {}) => recoverAccountFlow(wallet.context, request);

async function stored() {
  const { store } = wallet.context;
  const [users, authenticators, key, last] = await Promise.all([
    store.users(),
    store.authenticators(ALICE),
    store.encryptedKey(ALICE, 1),
    store.lastUser(),
  ]);
  return { users, authenticators, key, last };
}

async function expectNothingStored() {
  expect(await stored()).toEqual({ users: [], authenticators: [], key: undefined, last: undefined });
  expect(await wallet.context.vrf.call('status', [])).toMatchObject({ active: false });
}

describe('recovery from a passkey', () => {
  it('by name takes one prompt, and ends with the records stored and the session unlocked', async () => {
    const { registration, publicKey, vrfPublicKey, record } = await wallet.register(ALICE);
    const asked = prompts();
    const steps: string[] = [];
    const result = await recover({
      accountId: ALICE,
      options: { onEvent: ({ step, phase, status }) => steps.push(`${step} ${phase} ${status}`) },
    });
    expect(result).toEqual({
      success: true,
      accountId: ALICE,
      publicKey,
      message: `Account ${ALICE} recovered successfully!`,
      loginState: expect.objectContaining({
        isLoggedIn: true,
        nearAccountId: ALICE,
        publicKey,
        vrfActive: true,
        userData: expect.objectContaining({ deviceNumber: 1, registeredAt: 1700000000000 }),
      }),
    });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(asked.mock.calls[0]?.[0]?.publicKey).toMatchObject({
      userVerification: 'required',
      allowCredentials: [{ transports: ['internal', 'hybrid', 'usb', 'ble'] }],
    });
    const { users, authenticators, key, last } = await stored();
    expect(users).toEqual([
      expect.objectContaining({
        nearAccountId: ALICE,
        deviceNumber: 1,
        clientNearPublicKey: publicKey,
        passkeyCredential: { id: registration.id, rawId: registration.rawId },
        lastLogin: expect.any(Number),
      }),
    ]);
    expect(authenticators).toEqual([
      expect.objectContaining({
        credentialId: registration.id,
        credentialPublicKey: Uint8Array.from(record.credential_public_key),
        transports: ['internal'],
        name: 'Passkey',
        registered: '2023-11-14T22:13:20.000Z',
        vrfPublicKey,
      }),
    ]);
    expect(key).toMatchObject({ nearAccountId: ALICE, deviceNumber: 1 });
    expect(last).toEqual({ accountId: ALICE, deviceNumber: 1 });
    expect(steps).toEqual([
      '1 preparation progress',
      '1 preparation success',
      '2 webauthn-authentication progress',
      '2 webauthn-authentication success',
      '3 sync-authenticators-onchain progress',
      '3 sync-authenticators-onchain success',
      '4 authenticator-saved success',
      '5 account-recovery-complete success',
    ]);
    expect(wallet.chain.calls).toEqual(['get_authenticators_by_user', 'view_access_key']);
  });

  it.each([undefined, '', '  '])(
    'with a blank name (%j) takes two prompts: one to choose, one for the keys',
    async (accountId) => {
      const { publicKey } = await wallet.register(ALICE);
      const asked = prompts();
      expect(await recover({ accountId })).toMatchObject({ success: true, accountId: ALICE, publicKey });
      const [choose, ask] = asked.mock.calls.map(([options]) => options?.publicKey);
      expect(asked).toHaveBeenCalledTimes(2);
      expect(choose).toMatchObject({ userVerification: 'required' });
      expect(choose).not.toHaveProperty('allowCredentials');
      expect(choose).not.toHaveProperty('extensions');
      expect(ask?.allowCredentials).toHaveLength(1);
      expect(new Uint8Array(choose?.challenge as ArrayBuffer)).toHaveLength(32);
      expect(choose?.challenge).not.toEqual(ask?.challenge);
    },
  );

  it("with device 2's passkey gives device 2 back, with its own key", async () => {
    await wallet.register(ALICE);
    await authenticator.replace({});
    const second = await wallet.register(ALICE, 2);
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: true, publicKey: second.publicKey });
    const { users, authenticators, key } = await stored();
    expect(users.map(({ deviceNumber }) => deviceNumber)).toEqual([2]);
    expect(authenticators).toEqual([expect.objectContaining({ deviceNumber: 2, name: 'device 2' })]);
    expect(key).toBeUndefined();
    expect(await wallet.context.store.encryptedKey(ALICE, 2)).toBeDefined();
  });

  it('keeps the transports that the registry records and the browser knows', async () => {
    const { record } = await wallet.register(ALICE);
    record.transports = ['smoke-signals', 'usb', 'internal', 'nfc'];
    await recover({ accountId: ALICE });
    expect((await stored()).authenticators).toMatchObject([{ transports: ['internal', 'usb'] }]);
    record.transports = ['nfc'];
    await recover({ accountId: ALICE });
    expect((await stored()).authenticators).toMatchObject([{ transports: ['internal'] }]);
  });

  it("replaces damaged and outdated keys with the derived ones, and keeps the user's preferences", async () => {
    await wallet.register(ALICE);
    const { store } = wallet.context;
    const stale = entry(ALICE, 1, 'gone', 'gone').records;
    await store.storeDevice(stale, {
      preferences: { useRelayer: true, useNetwork: 'testnet', theme: 'light' },
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: true });
    const first = await stored();
    expect(first.authenticators).toHaveLength(1);
    expect(first.users).toMatchObject([{ preferences: { useRelayer: true, theme: 'light' } }]);
    expect(first.key?.encryptedData).not.toBe('cipher');

    // The same passkey again: it replaces what was damaged since.
    await store.updateUser(ALICE, 1, { clientNearPublicKey: '', encryptedVrfKeypair: undefined as never });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: true });
    const second = await stored();
    expect(second.users).toMatchObject([{ clientNearPublicKey: first.users[0]?.clientNearPublicKey }]);
    expect(second.users[0]?.encryptedVrfKeypair.encryptedVrfDataB64u).toMatch(/^[\w-]+$/);
  });

  it("leaves the account's records on this browser unchanged when it fails", async () => {
    await wallet.register(ALICE);
    await recover({ accountId: ALICE });
    const before = await stored();
    wallet.chain.keys.clear();
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false });
    expect(await stored()).toEqual(before);
  });

  it('removes both keys again when the second database refuses', async () => {
    await wallet.register(ALICE);
    const { store } = wallet.context;
    const put = IDBObjectStore.prototype.put;
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...of
    ) {
      if (this.name === 'users') throw new DOMException('no room', 'QuotaExceededError');
      return put.apply(this, of);
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false, errorCode: 'STORAGE_FULL' });
    full.mockRestore();
    await expectNothingStored();

    const older: EncryptedKeyRecord = entry(ALICE).records.encryptedKey;
    await store.storeDevice(entry(ALICE).records);
    full.mockRestore();
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...of) {
      if (this.name === 'users') throw new DOMException('no room', 'QuotaExceededError');
      return put.apply(this, of);
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false, errorCode: 'STORAGE_FULL' });
    expect(await store.encryptedKey(ALICE, 1)).toEqual(older);
  });

  it('leaves no secret behind: it wipes the outputs or hands them over', async () => {
    await wallet.register(ALICE);
    const outputs: Uint8Array[] = [];
    const { getClientExtensionResults } = PublicKeyCredential.prototype;
    vi.spyOn(PublicKeyCredential.prototype, 'getClientExtensionResults').mockImplementation(function (
      this: PublicKeyCredential,
    ) {
      const results = getClientExtensionResults.call(this);
      const { first, second } = results.prf?.results ?? {};
      outputs.push(new Uint8Array(first as ArrayBuffer), new Uint8Array(second as ArrayBuffer));
      return results;
    });
    await recover({ accountId: ALICE });
    wallet.chain.authenticators.get(ALICE)?.forEach(([, record]) => {
      record.device_number = 3;
    });
    await recover({ accountId: ALICE });
    expect(outputs).toHaveLength(4);
    // A transferred buffer is empty here.
    expect(outputs.every((bytes) => bytes.length === 0 || bytes.every((byte) => byte === 0))).toBe(true);
  });
});

describe('recovery stores nothing and refuses', () => {
  type Made = { alice: RegisteredPasskey; bob: RegisteredPasskey };
  const [aliceRecords, bobRecords] = [
    () => wallet.chain.authenticators.get(ALICE) ?? [],
    () => wallet.chain.authenticators.get(BOB) ?? [],
  ];

  it.each<[string, string, string, (made: Made) => unknown]>([
    [
      'a passkey of another account that the registry lists under this one',
      'PASSKEY_OF_ANOTHER_ACCOUNT',
      `Recovery failed: Selected passkey belongs to ${BOB}, not ${ALICE}`,
      () => wallet.chain.authenticators.set(ALICE, bobRecords()),
    ],
    [
      'a key that is not on the account',
      'PASSKEY_NOT_OF_ACCOUNT',
      `Recovery failed: Account ${ALICE} was not created with this passkey`,
      ({ alice }) => wallet.chain.keys.delete(`${ALICE}|${alice.publicKey}`),
    ],
    [
      'a key without full access',
      'PASSKEY_NOT_OF_ACCOUNT',
      `Recovery failed: Account ${ALICE} was not created with this passkey`,
      ({ alice }) => wallet.chain.keys.set(`${ALICE}|${alice.publicKey}`, { FunctionCall: {} }),
    ],
    [
      'a record of another access key',
      'REGISTRY_RECORD_MISMATCH',
      'another access key is recorded',
      ({ alice, bob }) => {
        alice.record.near_public_key = bob.publicKey;
      },
    ],
    [
      'a record of other VRF keys',
      'REGISTRY_RECORD_MISMATCH',
      'other VRF keys are recorded',
      ({ alice, bob }) => {
        alice.record.vrf_public_keys = bob.record.vrf_public_keys;
      },
    ],
    [
      'a record of another device',
      'REGISTRY_RECORD_MISMATCH',
      'it is of device 1, the record of device 2',
      ({ alice }) => {
        alice.record.device_number = 2;
      },
    ],
    [
      'a record of another public key',
      'REGISTRY_RECORD_MISMATCH',
      'its signature was not made with the public key recorded',
      ({ alice, bob }) => {
        alice.record.credential_public_key = bob.record.credential_public_key;
      },
    ],
    [
      'an account when the chain answers malformed data',
      'UNKNOWN',
      'Recovery failed',
      () => {
        wallet.chain.authenticators.set(ALICE, [['not base64url!', aliceRecords()[0]?.[1] as never]]);
      },
    ],
    [
      'an account when the chain is unreachable',
      'NEAR_RPC_FAILED',
      'Recovery failed: RPC request failed: the connection was refused',
      () => {
        wallet.chain.failure = new LatchkeyError('NEAR_RPC_FAILED', {
          values: { reason: 'the connection was refused' },
        });
      },
    ],
  ])('%s', async (_, errorCode, text, change) => {
    const made = { alice: await wallet.register(ALICE), bob: await wallet.register(BOB) };
    change(made);
    const asked = prompts();
    const result = await recover({ accountId: ALICE });
    expect(result).toMatchObject({ success: false, errorCode, accountId: ALICE, publicKey: null });
    expect(result.error).toContain(text);
    expect(result.message).toContain(text);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(1);
    await expectNothingStored();
  });

  it.each([
    ['alice', 'Account ID must contain at least one dot (e.g., username.testnet)'],
    ['Alice.testnet', 'Username can only contain lowercase letters, numbers, underscores, and hyphens'],
  ])('the name %j, before any prompt or request', async (accountId, reason) => {
    const asked = prompts();
    expect(await recover({ accountId })).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACCOUNT_ID',
      error: `Recovery failed: Invalid NEAR account ID: ${reason}`,
    });
    expect([asked.mock.calls, wallet.chain.calls]).toEqual([[], []]);
  });

  it('an account that the registry does not know, before any prompt', async () => {
    const asked = prompts();
    expect(await recover({ accountId: BOB })).toEqual({
      success: false,
      errorCode: 'NO_RECOVERABLE_ACCOUNTS',
      error: 'No recoverable accounts found',
      accountId: BOB,
      publicKey: null,
      message: `No recoverable accounts found. The registry knows no passkey of ${BOB}. Check how the name is spelled.`,
    });
    expect(asked).not.toHaveBeenCalled();
  });

  it('a passkey that belongs to no account of the wallet', async () => {
    await navigator.credentials.create({
      publicKey: {
        rp: { id: location.hostname, name: 'another program' },
        user: { id: new TextEncoder().encode('somebody'), name: 'somebody', displayName: 'somebody' },
        challenge: new Uint8Array(32),
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required' },
      },
    });
    const asked = prompts();
    expect(await recover()).toMatchObject({
      success: false,
      errorCode: 'NO_RECOVERABLE_ACCOUNTS',
      error: 'No recoverable accounts found',
      accountId: null,
      message: expect.stringContaining('Choose another one.'),
    });
    expect(asked).toHaveBeenCalledTimes(1);
    await expectNothingStored();
  });

  it('a passkey that the registry does not know or no longer knows, without a second prompt', async () => {
    const { registration } = await wallet.register(ALICE);
    const [first] = aliceRecords();
    wallet.chain.authenticators.set(ALICE, [['AAAA', first?.[1] as never]]);
    const asked = prompts();
    expect(await recover()).toMatchObject({
      success: false,
      accountId: ALICE,
      errorCode: 'AUTHENTICATOR_NOT_FOUND',
      error: 'Recovery failed: Could not find authenticator for credential',
    });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(await recover({ accountId: ALICE, credentialId: registration.id })).toMatchObject({
      errorCode: 'AUTHENTICATOR_NOT_FOUND',
    });
    await expectNothingStored();
  });

  it.each([
    ['no outputs', () => undefined],
    ['one output', (prf: AuthenticationExtensionsPRFOutputs) => ({ results: { first: prf.results?.first } })],
  ])('a passkey with %s', async (_, change) => {
    await wallet.register(ALICE);
    const { getClientExtensionResults } = PublicKeyCredential.prototype;
    vi.spyOn(PublicKeyCredential.prototype, 'getClientExtensionResults').mockImplementation(function (
      this: PublicKeyCredential,
    ) {
      const { prf = {}, ...rest } = getClientExtensionResults.call(this);
      return { ...rest, prf: change(prf) } as AuthenticationExtensionsClientOutputs;
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({
      errorCode: 'PRF_MISSING',
      error: expect.stringMatching(
        /^Recovery failed because the browser did not return the required passkey PRF results/,
      ),
    });
    await expectNothingStored();
  });

  it('an authenticator without PRF', async () => {
    await authenticator.replace({ hasPrf: false });
    await wallet.register(ALICE);
    expect(await recover({ accountId: ALICE })).toMatchObject({ errorCode: 'PRF_MISSING' });
    await expectNothingStored();
  });
});

describe('a recovery prompt that fails', () => {
  const advice = expect.stringContaining('this browser has none for this site');
  it.each([
    [new DOMException('no', 'NotAllowedError'), 'CANCELLED', 'Touch ID was cancelled or timed out.', advice],
    [
      new DOMException('The operation either timed out or was not allowed.', 'NotAllowedError'),
      'CANCELLED',
      'Touch ID was cancelled or timed out.',
      advice,
    ],
    [new DOMException('no', 'AbortError'), 'CANCELLED', 'Authentication was cancelled.', undefined],
    [
      new DOMException('no', 'SecurityError'),
      'WEBAUTHN_FAILED',
      'Security error. Make sure you are on a secure site (HTTPS).',
      undefined,
    ],
    [
      new DOMException('no', 'InvalidStateError'),
      'AUTHENTICATOR_NOT_FOUND',
      'No matching passkey found for this account.',
      undefined,
    ],
    [
      new DOMException('no room', 'UnknownError'),
      'WEBAUTHN_FAILED',
      'Recovery failed: The passkey request failed: no room',
      undefined,
    ],
  ])("is reported in recovery's words: %s", async (thrown, errorCode, error, message) => {
    await wallet.register(ALICE);
    const asked = prompts().mockRejectedValue(thrown);
    for (const accountId of [ALICE, undefined]) {
      asked.mockClear();
      const errors: string[] = [];
      const events: string[] = [];
      const result = await recover({
        accountId,
        options: {
          onError: (failed) => errors.push(failed.message),
          onEvent: (event) => event.status === 'error' && events.push(event.message),
        },
      });
      expect(result).toMatchObject({ success: false, errorCode, error, message: message ?? error });
      expect([errors, events]).toEqual([[error], [error]]);
      expect(asked).toHaveBeenCalledTimes(1);
    }
    await expectNothingStored();
  });

  it('stores nothing when it is the second one of a discovery, and recovery can start again', async () => {
    await wallet.register(ALICE);
    const get = CredentialsContainer.prototype.get;
    let count = 0;
    const asked = prompts().mockImplementation(async function (this: CredentialsContainer, options) {
      count += 1;
      if (count === 2) throw new DOMException('no', 'NotAllowedError');
      return get.call(this, options);
    });
    expect(await recover()).toMatchObject({ success: false, accountId: ALICE, errorCode: 'CANCELLED' });
    expect(asked).toHaveBeenCalledTimes(2);
    await expectNothingStored();
    expect(await recover()).toMatchObject({ success: true });
  });

  it("times out by the wallet's own timer", async () => {
    await wallet.register(ALICE);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    prompts().mockImplementation(() => {
      queueMicrotask(() => vi.advanceTimersByTime(60_000));
      return new Promise(() => undefined);
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({
      errorCode: 'CANCELLED',
      error: 'Touch ID timed out. Please try again.',
      message: expect.stringContaining('this browser has none'),
    });
    vi.useRealTimers();
  });

  it("ends when the host aborts, before or during the prompt, and at the host's time limit", async () => {
    await wallet.register(ALICE);
    await authenticator.replace({ automaticPresenceSimulation: false });
    const host = new AbortController();
    const running = recover({ accountId: ALICE, options: { signal: host.signal } });
    setTimeout(() => host.abort(), 50);
    const cancelled = { errorCode: 'CANCELLED', error: 'Authentication was cancelled.' };
    expect(await running).toMatchObject(cancelled);
    expect(await recover({ accountId: ALICE, options: { signal: host.signal } })).toMatchObject(cancelled);
    expect(await recover({ accountId: ALICE, options: { signal: AbortSignal.timeout(30) } })).toMatchObject({
      errorCode: 'CANCELLED',
      error: 'Touch ID timed out. Please try again.',
    });
    await expectNothingStored();
  });
});

describe('a session of another account', () => {
  it('survives every failed recovery', async () => {
    await wallet.register(BOB);
    await recover({ accountId: BOB });
    const { record } = await wallet.register(ALICE);
    const asked = prompts().mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false });
    asked.mockRestore();
    record.device_number = 2;
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false });
    record.device_number = 1;
    record.near_public_key = 'ed25519:other';
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false });
    expect(await wallet.context.vrf.call('status', [])).toMatchObject({ active: true, accountId: BOB });
  });

  it('is replaced by a successful recovery', async () => {
    await wallet.register(BOB);
    await recover({ accountId: BOB });
    const { vrfPublicKey } = await wallet.register(ALICE);
    const changed = vi.fn();
    wallet.context.vrf.onSessionChange = changed;
    expect(await recover({ accountId: ALICE })).toMatchObject({ loginState: { isLoggedIn: true } });
    expect(await wallet.context.vrf.call('status', [])).toMatchObject({ accountId: ALICE, vrfPublicKey });
    expect(changed).toHaveBeenCalled();
  });
});

describe('a logout while a recovery runs', () => {
  it.each(['view_access_key', 'get_authenticators_by_user'])(
    'ends it, and nothing is stored (at %s)',
    async (name) => {
      await wallet.register(ALICE);
      const { context, chain } = wallet;
      const push = chain.calls.push.bind(chain.calls);
      vi.spyOn(chain.calls, 'push').mockImplementation((...calls) => {
        if (calls.includes(name)) void logout(context);
        return push(...calls);
      });
      expect(await recover({ accountId: ALICE })).toMatchObject({
        success: false,
        errorCode: 'CANCELLED',
        error: 'Authentication was cancelled.',
      });
      await expectNothingStored();
    },
  );
});

describe('the session of a login that follows a logout while a recovery runs', () => {
  it("survives the recovery's end", async () => {
    await wallet.register(ALICE);
    const { context, chain } = wallet;
    let opened: Promise<unknown> | undefined;
    const push = chain.calls.push.bind(chain.calls);
    vi.spyOn(chain.calls, 'push').mockImplementation((...calls) => {
      if (calls.includes('view_access_key')) {
        void logout(context);
        opened = context.vrf.call('deriveKeypairFromPrf', [BOB, new Uint8Array(32).fill(7), true]);
      }
      return push(...calls);
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    await opened;
    expect(await context.vrf.call('status', [])).toMatchObject({ active: true, accountId: BOB });
  });
});

describe('a registration that this browser began', () => {
  const begun = ({ registration, publicKey, vrfPublicKey }: RegisteredPasskey) => ({
    ...entry(ALICE, 1, registration.id, registration.id),
    nearPublicKey: publicKey,
    vrfPublicKeys: { bootstrap: 'A'.repeat(43), deterministic: vrfPublicKey },
    challengeHeight: 1000,
  });

  it('is settled first when its account exists by now, and the account is recovered', async () => {
    const { store } = wallet.context;
    await store.openEntry(begun(await wallet.register(ALICE)));
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: true });
    expect(await store.journal('registration')).toEqual([]);
    expect((await stored()).key?.encryptedData).not.toBe('cipher');
  });

  it('stays pending while the registry has no record of it', async () => {
    const { store } = wallet.context;
    await store.openEntry(begun(await wallet.register(ALICE)));
    wallet.chain.authenticators.clear();
    const asked = prompts();
    expect(await recover({ accountId: ALICE })).toMatchObject({
      success: false,
      errorCode: 'REGISTRATION_PENDING',
    });
    expect(asked).not.toHaveBeenCalled();
    expect(await store.journal('registration')).toHaveLength(1);
  });
});

describe('AccountRecoveryFlow over a wallet', () => {
  it.each([
    [ALICE, 1],
    [undefined, 2],
  ])('asked for %s takes %i prompts, in the calls that promise them', async (accountId, count) => {
    const { publicKey } = await wallet.register(ALICE);
    const { context } = wallet;
    const flow = new AccountRecoveryFlow({
      discoverRecoverableAccounts: (typed, options = {}) =>
        discoverRecoverableAccounts(context, typed, options),
      recoverAccountFlow: (request) => recoverAccountFlow(context, request ?? {}),
    });
    const asked = prompts();
    const [found] = await flow.discover(accountId);
    expect(found).toMatchObject({ accountId: ALICE, publicKey });
    expect(asked).toHaveBeenCalledTimes(count - 1);
    expect(flow.getState().phase).toBe('ready');

    asked.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
    expect(await flow.recover()).toMatchObject({ success: false });
    expect(flow.getState()).toMatchObject({
      phase: 'error',
      error: { code: 'CANCELLED', message: 'Touch ID was cancelled or timed out.' },
    });
    expect(await flow.recover(found)).toMatchObject({ success: true, publicKey });
    expect(flow.getState().phase).toBe('complete');
    expect(asked).toHaveBeenCalledTimes(count + 1);
    flow.reset();
    expect(flow.getState()).toEqual({ phase: 'idle', accounts: [] });
  });
});

describe('discovery', () => {
  it("lists an account's passkeys without a prompt", async () => {
    const first = await wallet.register(ALICE);
    await authenticator.replace({});
    const second = await wallet.register(ALICE, 2);
    const asked = prompts();
    expect(await discoverRecoverableAccounts(wallet.context, ALICE, {})).toEqual([
      {
        credentialId: first.registration.id,
        accountId: ALICE,
        publicKey: first.publicKey,
        displayName: 'alice',
      },
      {
        credentialId: second.registration.id,
        accountId: ALICE,
        publicKey: second.publicKey,
        displayName: 'alice (device 2)',
      },
    ]);
    expect(asked).not.toHaveBeenCalled();
  });

  it('is refused before its prompt when the page may not ask for a passkey', async () => {
    const { featurePolicy } = document as unknown as {
      featurePolicy: { allowsFeature(name: string): boolean };
    };
    const allows = vi.spyOn(featurePolicy, 'allowsFeature').mockReturnValue(false);
    const asked = prompts();
    for (const typed of [undefined, ALICE]) {
      await expect(discoverRecoverableAccounts(wallet.context, typed, {})).rejects.toMatchObject({
        code: 'PASSKEYS_FORBIDDEN_HERE',
      });
    }
    expect(asked).not.toHaveBeenCalled();
    allows.mockRestore();
  });

  it("returns the chosen passkey, and rejects in recovery's words", async () => {
    const { registration } = await wallet.register(ALICE);
    const asked = prompts();
    const phases: string[] = [];
    const onEvent = ({ phase }: { phase: string }) => phases.push(phase);
    expect(await discoverRecoverableAccounts(wallet.context, undefined, { onEvent })).toMatchObject([
      { credentialId: registration.id, accountId: ALICE },
    ]);
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    await expect(discoverRecoverableAccounts(wallet.context, '', { onEvent })).rejects.toMatchObject({
      code: 'CANCELLED',
      message: 'Touch ID was cancelled or timed out.',
    });
    expect(phases.at(-1)).toBe('account-recovery-error');
    expect(phases.every((phase) => phase in STEPS.recovery)).toBe(true);
  });
});

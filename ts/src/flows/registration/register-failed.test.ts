import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CANCELLED,
  CRYPTO_FAILED,
  LatchkeyError,
  NEAR_RPC_FAILED,
  PASSKEY_EXISTS,
  RELAY_UNREACHABLE,
  STORAGE_FULL,
  STORAGE_INTERRUPTED,
} from '../../errors/wallet.js';
import { OUR_METADATA } from '../../registry/testing/our-registry.js';
import type { RegistrationEntry } from '../../storage/records.js';
import type { RegistrationOptions } from '../../types.js';
import { platformRegistration, verifiedAnswer } from '../testing/answers.js';
import {
  ALICE,
  assertPasskey,
  challenge,
  createPasskey,
  HEIGHT,
  KEY,
  make,
  ourRecord,
  PAST_HOPE,
  prepare,
  refused,
} from '../testing/registering.js';
import { signalUnknownCredential as signalled } from '../testing/stub-browser.js';
import { registerPasskey } from './register.js';

beforeEach(prepare);

describe('a registration that the relay refuses (core 8)', () => {
  it("reports the relay's sentence and keeps the keys, since the relay may still send it", async () => {
    const { context, journal, chain, store, ask } = make();
    ask.mockRejectedValueOnce(refused(400));
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'ATOMIC_REGISTRATION_FAILED',
      error: 'Atomic registration failed: The relay says no.',
    });
    expect(journal.get(ALICE)).toMatchObject({ nearPublicKey: KEY });

    chain.account = KEY;
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      success: true,
      clientNearPublicKey: KEY,
    });
    expect(store.commitEntry).toHaveBeenCalledTimes(1);
    expect([createPasskey.mock.calls.length, ask.mock.calls.length]).toEqual([1, 1]);
  });

  it('is sent again as the same request, without a second passkey', async () => {
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
    ['ends logged in when it creates the account later', 'Ag', 'unlockWithServerLock'],
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

  it('ends logged in when the next try creates the account, and says so as any other', async () => {
    const { context, chain, session, ask } = make();
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(session.of).toBe(ALICE);
  });

  it('tells of an account that an earlier try had made after all', async () => {
    const { context, chain, ask } = make();
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    chain.account = KEY;
    const ends: unknown[] = [];
    const onEvent: RegistrationOptions['onEvent'] = ({ phase, status, message }) =>
      ends.push([phase, status, message]);
    await registerPasskey(context, ALICE, { onEvent });
    const text = 'An earlier registration had succeeded after all';
    expect(ends.at(-1)).toEqual(['registration-complete', 'success', text]);
  });

  it.each([
    [
      'the passkey has no lock',
      (made: ReturnType<typeof make>) => {
        const entry = made.journal.get(ALICE) as RegistrationEntry;
        const user = { ...entry.records.user, serverEncryptedVrfKeypair: null };
        made.journal.set(ALICE, { ...entry, records: { ...entry.records, user } });
      },
    ],
    [
      'the app uses none',
      (made: ReturnType<typeof make>) => {
        Object.assign(made.context.config, { shamir3pass: null });
      },
    ],
  ])('asks no relay for a lock where %s', async (_, change) => {
    const made = make();
    const { context, chain, call, session, ask } = made;
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    change(made);
    chain.account = KEY;
    call.mockClear();
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(call).not.toHaveBeenCalled();
    expect(session.of).toBeUndefined();
  });

  it('may use a new passkey once the registry can no longer take the old one', async () => {
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

  it('is reported as a mismatch when the account exists with other keys [S85]', async () => {
    const { context, chain, ask } = make();
    ask.mockImplementationOnce(async () => {
      chain.account = 'ed25519:theirs';
      throw refused(400);
    });
    const mismatch = {
      errorCode: 'REGISTRATION_MISMATCH',
      error: expect.stringContaining(`account ${ALICE} was created with other keys`),
    };
    expect(await registerPasskey(context, ALICE, {})).toMatchObject(mismatch);
  });

  it('is reported as a mismatch too when a later visit finds the other keys [S85]', async () => {
    const { context, chain, ask } = make();
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    chain.account = 'ed25519:theirs';
    const result = await registerPasskey(context, ALICE, {});
    expect(result).toMatchObject({ errorCode: 'REGISTRATION_MISMATCH' });
    expect(result.error).toContain('report the relay http://localhost:9');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('reports that another user took the name', async () => {
    const { context, chain, journal, ask } = make();
    ask.mockImplementationOnce(async () => {
      chain.account = 'ed25519:theirs';
      throw refused(409);
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'ACCOUNT_EXISTS',
      error: `Account ${ALICE} already exists. Please choose a different account ID.`,
    });
    expect(journal.size).toBe(0);
  });
});

describe('a registration that the relay confirms', () => {
  it('has failed when the account is not there once the registry can no longer take it', async () => {
    const { context, chain, journal, ask } = make();
    ask.mockImplementationOnce(async () => {
      chain.height = PAST_HOPE;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'ATOMIC_REGISTRATION_FAILED',
      error: 'Atomic registration failed: the account was not created',
    });
    expect(journal.size).toBe(0);
  });

  it('is a mismatch when the account has other keys [S85]', async () => {
    const { context, chain, ask } = make();
    ask.mockImplementationOnce(async () => {
      chain.account = 'ed25519:theirs';
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ errorCode: 'REGISTRATION_MISMATCH' });
  });
});

describe('a registration whose answer is lost', () => {
  it('stays open, and the next try sends the same request without a second passkey', async () => {
    const { context, chain, journal, ask } = make();
    const host = new AbortController();
    ask.mockImplementationOnce(async () => {
      host.abort();
      throw new LatchkeyError(RELAY_UNREACHABLE);
    });
    const lost = await registerPasskey(context, ALICE, { signal: host.signal });
    expect(lost).toMatchObject({ success: false, errorCode: 'REGISTRATION_PENDING', pending: true });
    expect(journal.has(ALICE)).toBe(true);
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true, transactionId: 'hash' });
    expect([createPasskey.mock.calls.length, ask.mock.calls.length]).toEqual([1, 2]);
    expect(ask.mock.calls[1]?.[0]).toEqual(ask.mock.calls[0]?.[0]);
    expect(journal.size).toBe(0);
  });

  it('is journaled before the relay gets it, with no secret in clear', async () => {
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

describe('a failed registration names in one sentence (core 5, core 8)', () => {
  const failing = (name: string, message: string) => (call: ReturnType<typeof make>['call']) => {
    const answer = call.getMockImplementation();
    call.mockImplementation(async (asked: string) => {
      if (asked === name) throw new LatchkeyError(CRYPTO_FAILED, { message });
      return answer?.(asked);
    });
  };

  it.each([
    ['generateKeypairBootstrap', 'VRF bootstrap keypair generation failed: no entropy'],
    ['deriveKeypairFromPrf', 'VRF keypair derivation failed: no entropy'],
  ])('the failure of the VRF worker in %s', async (name, error) => {
    const { context, call } = make();
    failing(name, 'no entropy')(call);
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: false, error });
  });

  it.each([
    [
      'bootstrap keypair without its public key',
      { generateKeypairBootstrap: { challenge: { ...challenge, vrfPublicKey: '' } } },
      'VRF bootstrap keypair generation failed: VRF public key missing in bootstrap response',
    ],
    [
      'bootstrap keypair without a challenge',
      { generateKeypairBootstrap: {} },
      'VRF bootstrap keypair generation failed: VRF public key missing in bootstrap response',
    ],
    [
      'keypair that was not derived',
      { deriveKeypairFromPrf: undefined },
      'VRF keypair derivation failed: VRF public key not found in response',
    ],
    [
      'derived keypair without its public key',
      { deriveKeypairFromPrf: { encryptedVrfKeypair: {} } },
      'VRF keypair derivation failed: VRF public key not found in response',
    ],
    [
      'derived keypair that is not encrypted',
      { deriveKeypairFromPrf: { vrfPublicKey: 'Ag' } },
      'VRF keypair derivation failed: Encrypted VRF keypair not found in response - this is required for registration',
    ],
  ])('a %s', async (_, answers, error) => {
    const { context, worker, ask } = make();
    Object.assign(worker, answers);
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: false, error });
    expect(ask).not.toHaveBeenCalled();
  });

  it('PRF outputs that were already handed over', async () => {
    const { context } = make();
    createPasskey.mockResolvedValueOnce({
      registration: platformRegistration('credential'),
      prf: { kind: 'outputs', outputs: { first: new Uint8Array(), second: new Uint8Array(32).fill(2) } },
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      error: 'VRF keypair derivation failed: ChaCha20 PRF output not found in WebAuthn credentials',
    });
  });

  it('a registry with state of another version', async () => {
    const { context, ask } = make();
    const unreadable = () => {
      throw new LatchkeyError(NEAR_RPC_FAILED, {
        values: { reason: 'Smart contract panicked: Cannot deserialize the contract state.' },
        details: { kind: 'contract' },
      });
    };
    context.rpc.callFunction = async () => unreadable();
    context.rpc.callFunctionJson = async (_schema, _contract, method) =>
      method === 'contract_source_metadata' ? OUR_METADATA : unreadable();
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'CONTRACT_STATE_FAILED',
      error:
        'Contract state deserialization failed. This may be due to a contract upgrade. ' +
        'Please try again or contact support.',
    });
    expect(ask).not.toHaveBeenCalled();
  });

  it.each([
    [
      'speaks a later version',
      { standards: [{ standard: 'latchkey-registry', version: '3.1.0' }] },
      'it speaks version 3.1.0 of the interface, and this wallet version 2',
    ],
    [
      'is from before version 2',
      { standards: [{ standard: 'latchkey-registry', version: '1.0.0' }] },
      'it speaks version 1.0.0 of the interface, and this wallet version 2',
    ],
    ['is another contract', {}, 'it names no interface and has no settings that can be read'],
  ])('a registry that %s, before the prompt', async (_, metadata, reason) => {
    const { context } = make();
    context.rpc.callFunctionJson = async (_schema, _contract, method) =>
      method === 'contract_source_metadata' ? metadata : {};
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'REGISTRY_UNKNOWN',
      error: `w3a-v1.testnet is not a registry that this wallet can use: ${reason}. Check contractId, or update the wallet.`,
    });
    expect(createPasskey).not.toHaveBeenCalled();
  });

  it('a registry that accepts no passkey of an http page, before the prompt', async () => {
    vi.stubGlobal('location', { protocol: 'http:' });
    const { context } = make();
    context.rpc.callFunctionJson = async (_schema, _contract, method) =>
      method === 'get_vrf_settings' ? { max_block_age: 200 } : {};
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'REGISTRY_LACKS',
      error:
        'The registry w3a-v1.testnet lacks passkeys of http pages. ' +
        'Serve this page over https, or deploy your own registry.',
    });
    expect(createPasskey).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });

  it('a registry that refuses', async () => {
    const { context, chain, ask } = make();
    chain.verdict = { verified: false, user_exists: false };
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'REGISTRATION_CHECK_FAILED',
      error: 'Web3Authn contract registration check failed: the registry did not accept the passkey',
    });
    expect(ask).not.toHaveBeenCalled();
  });

  it('a registry that cannot be reached', async () => {
    const { context, ask } = make();
    context.rpc.callFunction = async () => {
      throw new LatchkeyError(NEAR_RPC_FAILED, {
        values: { reason: '502 Bad Gateway' },
        details: { kind: 'http', status: 502 },
      });
    };
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'REGISTRATION_CHECK_UNANSWERED',
      error: 'Registration check failed: RPC request failed: 502 Bad Gateway',
    });
    expect(ask).not.toHaveBeenCalled();
  });

  it('an account that exists', async () => {
    const { context, chain } = make();
    chain.account = 'ed25519:theirs';
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      error: `Account ${ALICE} already exists. Please choose a different account ID.`,
    });
    expect(createPasskey).not.toHaveBeenCalled();
  });

  it('an account that the registry knows of', async () => {
    const { context, chain, ask } = make();
    chain.verdict = { verified: true, user_exists: true };
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'ACCOUNT_EXISTS',
      error: `Account ${ALICE} already exists. Please choose a different account ID.`,
    });
    expect(ask).not.toHaveBeenCalled();
  });

  it('a passkey that exists', async () => {
    const { context } = make();
    createPasskey.mockRejectedValueOnce(new LatchkeyError(PASSKEY_EXISTS, { values: { account: ALICE } }));
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      error: `A passkey for '${ALICE}' already exists. Please try logging in instead.`,
    });
  });

  it('a passkey that the registry has of an account which a node calls missing: the authenticator refuses it', async () => {
    const { context } = make();
    const { rpc } = context;
    const answer = rpc.callFunctionJson;
    const theirs = [['theirs', { ...ourRecord, transports: ['internal'] }]];
    vi.spyOn(rpc, 'callFunctionJson').mockImplementation(async (schema, contract, method, ...rest) =>
      method === 'get_authenticators_by_user' ? (theirs as never) : answer(schema, contract, method, ...rest),
    );
    createPasskey.mockImplementationOnce(async ({ exclude }) => {
      expect(exclude).toEqual([{ credentialId: 'theirs', transports: ['internal'] }]);
      throw new LatchkeyError(PASSKEY_EXISTS, { values: { account: ALICE } });
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ errorCode: 'PASSKEY_EXISTS' });
  });

  it('a user who cancels the confirmation', async () => {
    const { context } = make();
    const confirmed = {
      ...context,
      confirmer: () => ({ show: async () => 'cancel' as const }),
    };
    const heard: unknown[] = [];
    const result = await registerPasskey(confirmed, ALICE, {
      confirmationConfig: { uiMode: 'modal', behavior: 'requireClick' },
      onError: (error) => heard.push(error),
    });
    expect(result).toMatchObject({
      errorCode: 'REGISTRATION_CANCELLED',
      error: "Registration was cancelled. Please try again when you're ready to set up your passkey.",
    });
    expect(heard).toMatchObject([{ cause: { cause: { message: 'User cancelled registration' } } }]);
  });

  it('a missing confirmation UI', async () => {
    const { context } = make();
    expect(await registerPasskey(context, ALICE, { confirmationConfig: { uiMode: 'modal' } })).toMatchObject({
      errorCode: 'NO_CONFIRMER',
      error: expect.stringContaining('No confirm UI'),
    });
  });

  it('an authenticator that did not check its user, whose passkey the browser forgets', async () => {
    const { context, worker, ask } = make();
    worker.confirmRegistrationCredential = { credentialPublicKey: new Uint8Array(), userVerified: false };
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ errorCode: 'USER_NOT_VERIFIED' });
    expect(signalled).toHaveBeenCalledWith({ rpId: 'localhost', credentialId: 'credential' });
    expect(ask).not.toHaveBeenCalled();
  });

  it('an authenticator that does not find its passkeys by itself', async () => {
    const { context, ask } = make();
    const outputs = { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) };
    const registration = { id: 'credential', response: {} };
    createPasskey.mockResolvedValueOnce({
      registration,
      prf: { kind: 'outputs', outputs },
      isDiscoverable: false,
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'PASSKEY_NOT_DISCOVERABLE',
    });
    expect(outputs.first.every((byte) => byte === 0)).toBe(true);
    expect(signalled).toHaveBeenCalledWith({ rpId: 'localhost', credentialId: 'credential' });
    expect(ask).not.toHaveBeenCalled();
  });

  it('an authenticator without PRF', async () => {
    const { context } = make();
    const registration = { id: 'credential', response: {} };
    createPasskey.mockResolvedValueOnce({ registration, prf: { kind: 'none' } });
    assertPasskey.mockResolvedValueOnce({
      authentication: verifiedAnswer('credential'),
      prf: { kind: 'none' },
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      error: expect.stringMatching(/^Registration failed because the browser did not return the required/),
    });
  });

  it('an unexpected error', async () => {
    const { context } = make();
    createPasskey.mockRejectedValueOnce(new TypeError('a bug'));
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      error: 'Registration failed due to an unknown error. Please check your connection and try again.',
    });
  });
});

describe('a registration whose records cannot be stored', () => {
  it('says that they are not stored, and stores them at the next try without the relay or a passkey', async () => {
    const { context, chain, store, journal, ask } = make();
    ask.mockImplementation(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    store.commitEntry.mockRejectedValueOnce(new LatchkeyError(STORAGE_FULL));
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

describe('an invalid account name (core 5)', () => {
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
    [`${'a'.repeat(44)}.w3a-v1.testnet`, 'Account ID must be at most 51 characters to be registered'],
  ])('is refused before any prompt or request: %j', async (accountId, reason) => {
    const { context, ask, call } = make();
    expect(await registerPasskey(context, accountId, {})).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACCOUNT_ID',
      error: `Invalid NEAR account ID: ${reason}`,
    });
    expect([createPasskey, ask, call].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  });
});

describe('the passkey of a registration that failed (core 4)', () => {
  const unknown = { rpId: 'localhost', credentialId: 'credential' };

  it.each<[how: string, spoil: (made: ReturnType<typeof make>) => void]>([
    ['the keys could not be derived', ({ worker }) => Object.assign(worker, { deriveKeypairFromPrf: {} })],
    [
      'the registry refused it',
      ({ chain }) => Object.assign(chain, { verdict: { verified: false, user_exists: false } }),
    ],
    ['the registry did not answer', ({ chain }) => Object.assign(chain, { verdict: 'nothing' })],
    [
      'another tab had opened an entry',
      ({ store }) => Object.assign(store.journal, { open: async () => false }),
    ],
  ])('is forgotten by the browser where %s: the relay never heard of it', async (_, spoil) => {
    const made = make();
    spoil(made);
    expect(await registerPasskey(made.context, ALICE, {})).toMatchObject({ success: false });
    expect(made.ask).not.toHaveBeenCalled();
    expect(signalled).toHaveBeenCalledExactlyOnceWith(unknown);
  });

  it('is forgotten once the registry can no longer take it, and not before [S35]', async () => {
    const { context, chain, ask } = make();
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    expect(signalled).not.toHaveBeenCalled();
    chain.height = PAST_HOPE;
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(signalled).toHaveBeenCalledExactlyOnceWith(unknown);
  });

  it.each<[how: string, spoil: (made: ReturnType<typeof make>) => void]>([
    ['its outcome is not known', ({ ask }) => ask.mockRejectedValueOnce(refused(400))],
    [
      'the registry holds it although the account has another key',
      ({ ask, chain }) =>
        ask.mockImplementationOnce(async () => {
          chain.account = 'ed25519:theirs';
          throw refused(400);
        }),
    ],
    [
      'its journal entry may have been written',
      ({ store }) =>
        Object.assign(store.journal, {
          open: () => Promise.reject(new LatchkeyError(STORAGE_INTERRUPTED)),
        }),
    ],
  ])('is kept by the browser where %s [S35]', async (_, spoil) => {
    const made = make();
    spoil(made);
    expect(await registerPasskey(made.context, ALICE, {})).toMatchObject({ success: false });
    expect(createPasskey).toHaveBeenCalledTimes(1);
    expect(signalled).not.toHaveBeenCalled();
  });

  it('that no prompt made is not mentioned to the browser', async () => {
    const { context } = make();
    createPasskey.mockRejectedValueOnce(new LatchkeyError(CANCELLED));
    await registerPasskey(context, ALICE, {});
    expect(signalled).not.toHaveBeenCalled();
  });
});

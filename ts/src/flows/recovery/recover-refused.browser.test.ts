import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import type { RecoveryResult } from '../../types.js';
import type { RegisteredPasskey } from '../testing/recoverable.js';
import {
  ALICE,
  authenticator,
  BOB,
  begin,
  end,
  expectNothingStored,
  prompts,
  recover,
  wallet,
} from '../testing/recovering.js';

beforeEach(begin);
afterEach(end);

describe('recovery stores nothing and refuses (core 5, core 8)', () => {
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
      'a key that is no longer on the account',
      'DEVICE_KEY_REMOVED',
      `Recovery failed: The key of this device was removed from ${ALICE}`,
      ({ alice, bob }) => {
        wallet.chain.keys.delete(`${ALICE}|${alice.publicKey}`);
        wallet.chain.keys.set(`${ALICE}|${bob.publicKey}`, 'FullAccess');
      },
    ],
    [
      'a key without full access',
      'PASSKEY_NOT_OF_ACCOUNT',
      `Recovery failed: Account ${ALICE} was not created with this passkey`,
      ({ alice }) => wallet.chain.keys.set(`${ALICE}|${alice.publicKey}`, { FunctionCall: {} }),
    ],
    [
      'a key that is neither on the account nor recorded',
      'PASSKEY_DIFFERS',
      `Recovery failed: This time the passkey of ${ALICE} answered in another way than before`,
      ({ alice, bob }) => {
        alice.record.near_public_key = bob.publicKey;
        wallet.chain.keys.delete(`${ALICE}|${alice.publicKey}`);
      },
    ],
    [
      'a key that is not on the account, where other VRF keys are recorded and no access key',
      'PASSKEY_DIFFERS',
      `Recovery failed: This time the passkey of ${ALICE} answered in another way than before`,
      ({ alice, bob }) => {
        Object.assign(alice.record, { near_public_key: null });
        alice.record.vrf_public_keys = bob.record.vrf_public_keys;
        wallet.chain.keys.delete(`${ALICE}|${alice.publicKey}`);
      },
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
        wallet.chain.failure = new LatchkeyError(NEAR_RPC_FAILED, {
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
      errorValues: {},
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
        user: { id: new TextEncoder().encode('Some Body'), name: 'somebody', displayName: 'somebody' },
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

  it("names the host's time limit, whichever step it ends", async () => {
    await wallet.register(ALICE);
    const steps = new Set<string>();
    const endAt = (step: string | undefined): Promise<RecoveryResult> => {
      const host = new AbortController();
      return recover({
        accountId: ALICE,
        options: {
          signal: host.signal,
          onEvent: ({ phase, status }) => {
            if (step === undefined && status === 'progress') steps.add(phase);
            if (phase === step) host.abort(new DOMException('', 'TimeoutError'));
          },
        },
      });
    };
    await expect(endAt(undefined)).resolves.toMatchObject({ success: true });
    expect(steps.size).toBeGreaterThan(2);
    for (const step of steps)
      expect(await endAt(step), step).toMatchObject({
        errorCode: 'CANCELLED',
        error: 'Touch ID timed out. Please try again.',
      });
  });
});

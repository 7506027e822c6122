import { beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { HOST_NOT_IN_REGISTRY } from '../../errors/frame.js';
import { CANCELLED, LatchkeyError, RELAY_UNREACHABLE, RPC_DISAGREEMENT } from '../../errors/wallet.js';
import type { RegistrationOptions } from '../../types.js';
import { logout } from '../session/session.js';
import { PLATFORM_MODEL, platformRegistration } from '../testing/answers.js';
import { loseBlockAtClick } from '../testing/losing-block.js';
import { ALICE, BOB, createPasskey, HEIGHT, KEY, make, prepare, refused } from '../testing/registering.js';
import { registerPasskey } from './register.js';

beforeEach(prepare);

describe('a registration (core 3, core 4, core 7, core 9)', () => {
  it('reports its steps as they happen, and its result', async () => {
    const { context, chain, ask } = make();
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    const events: unknown[] = [];
    const result = await registerPasskey(context, ALICE, {
      onEvent: ({ step, phase, status, message, data }) =>
        events.push([step, `${phase} ${status}`, message, ...(data ? [data] : [])]),
    });
    expect(events).toEqual([
      [1, 'webauthn-verification progress', 'Checking the account name'],
      [1, 'webauthn-verification success', 'Passkey made', { credentialId: 'credential' }],
      [2, 'key-generation progress', 'Deriving keys from the passkey'],
      [2, 'key-generation success', 'Keys derived', { publicKey: KEY }],
      [6, 'contract-registration progress', 'Checking whether the account can be created'],
      [3, 'access-key-addition progress', 'Creating the account'],
      [4, 'account-verification progress', 'Comparing the account with the keys of this device'],
      [3, 'access-key-addition success', 'The account was created', { transactionId: 'hash' }],
      [6, 'contract-registration success', 'The passkey is registered'],
      [4, 'account-verification success', 'The account holds exactly the keys of this device'],
      [5, 'database-storage progress', 'Storing the encrypted keys on this device'],
      [5, 'database-storage success', 'Keys stored on this device'],
      [7, 'registration-complete success', `${ALICE} is registered`],
    ]);
    expect(result).toEqual({
      success: true,
      nearAccountId: ALICE,
      clientNearPublicKey: KEY,
      transactionId: 'hash',
      vrfRegistration: {
        success: true,
        vrfPublicKey: 'Ag',
        encryptedVrfKeypair: {},
        contractVerified: true,
      },
    });
  });

  it('hands the outputs of the passkey to the workers, and keeps no copy', async () => {
    const { context, call, ask } = make();
    const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const registration = platformRegistration('credential');
    createPasskey.mockResolvedValueOnce({
      registration,
      prf: { kind: 'outputs', outputs: { first, second } },
    });
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    const called = (name: string) => call.mock.calls.find(([method]) => method === name)?.slice(1);
    const signal = expect.any(AbortSignal);
    const input = { userId: ALICE, rpId: 'localhost', blockHeight: '1000', blockHash: 'hash' };
    expect(called('generateKeypairBootstrap')).toEqual([
      [{ ...input, intentDigest: expect.stringMatching(/^[\w-]{43}$/) }],
      { signal },
    ]);
    const expectedChallenge = expect.stringMatching(/^[\w-]{43}$/);
    expect(called('confirmRegistrationCredential')).toEqual([
      [{ credential: registration, expectedChallenge, rpId: 'localhost' }],
      { signal },
    ]);
    const [args, options] = called('deriveAndEncrypt') as [unknown[], { transfer: unknown[] }];
    expect([args[0], args[1], args[2], options]).toEqual([
      ALICE,
      first,
      second,
      { signal, transfer: expect.anything() },
    ]);
    expect(options.transfer).toEqual([first.buffer, second.buffer]);
    const [[account, copy, isForSession], moved] = called('deriveKeypairFromPrf') as [
      [string, Uint8Array, boolean],
      { transfer: unknown[] },
    ];
    expect([account, isForSession, moved.transfer]).toEqual([ALICE, true, [copy.buffer]]);
    expect(copy).not.toBe(first);
    // No worker has taken them here, so the page wipes all three.
    expect([first, second, copy]).toEqual(Array(3).fill(new Uint8Array(32)));
  });

  it('notes what it is about to send, so that the next visit can finish it', async () => {
    const { context, journal, ask } = make();
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    const at = expect.any(Number);
    const device = { nearAccountId: ALICE, deviceNumber: 1 };
    expect(journal.get(ALICE)).toMatchObject({
      kind: 'registration',
      accountId: ALICE,
      nearPublicKey: KEY,
      vrfPublicKeys: { bootstrap: 'AQ', deterministic: 'Ag' },
      credentialId: 'credential',
      challengeHeight: HEIGHT,
      createdAt: at,
      request: {
        new_account_id: ALICE,
        new_public_key: KEY,
        device_number: 1,
        deterministic_vrf_public_key: [2],
      },
      records: {
        user: {
          ...device,
          registeredAt: at,
          lastLogin: null,
          lastUpdated: at,
          clientNearPublicKey: KEY,
          passkeyCredential: { id: 'credential', rawId: 'credential' },
          passkeyAttachment: 'platform',
          serverEncryptedVrfKeypair: { serverKeyId: 'key', updatedAt: at },
        },
        authenticator: {
          ...device,
          credentialId: 'credential',
          transports: ['internal'],
          name: 'Passkey',
          vrfPublicKey: 'Ag',
          aaguid: PLATFORM_MODEL,
        },
        encryptedKey: { ...device, timestamp: at },
      },
    });
  });

  it('is without a lock of the relay where the app configures none', async () => {
    const { context, journal, call, ask } = make();
    Object.assign(context.config, { shamir3pass: null });
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    expect(journal.get(ALICE)?.records.user.serverEncryptedVrfKeypair).toBeNull();
    expect(call.mock.calls.map(([name]) => name)).not.toContain('encryptCurrentWithServerLock');
  });

  it.each<[string, Error, boolean, string]>([
    ['and the relay cannot be reached', new LatchkeyError(RELAY_UNREACHABLE), false, 'RELAY_UNREACHABLE'],
    [
      'while the relay can be reached',
      new LatchkeyError(RELAY_UNREACHABLE),
      true,
      'ATOMIC_REGISTRATION_FAILED',
    ],
    ['for another reason', new Error('no lock'), false, 'ATOMIC_REGISTRATION_FAILED'],
  ])('goes on without a lock unless the lock fails, %s', async (_, failure, isReachable, errorCode) => {
    const { context, worker, ask } = make();
    Object.defineProperty(worker, 'encryptCurrentWithServerLock', {
      get: () => {
        throw failure;
      },
    });
    Object.assign(context.relay, { isReachable: async () => isReachable });
    ask.mockRejectedValueOnce(refused(400));
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: false, errorCode });
    expect(ask).toHaveBeenCalledTimes(errorCode === 'RELAY_UNREACHABLE' ? 0 : 1);
  });

  it('leaves the name to another tab that registers it', async () => {
    const { context, ask } = make();
    const request = vi.fn(async (_name: string, _options: object, work: (lock: null) => unknown) =>
      work(null),
    );
    vi.stubGlobal('navigator', { ...navigator, locks: { request } });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'REGISTRATION_PENDING',
      error: expect.stringContaining(ALICE),
      pending: true,
    });
    expect(request).toHaveBeenCalledWith(
      `latchkey:register:${ALICE}`,
      { ifAvailable: true },
      expect.anything(),
    );
    expect([createPasskey, ask].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  it('is not over for its user while nodes disagree about its account', async () => {
    const { context, ask } = make();
    ask.mockImplementationOnce(async () => {
      context.rpc.viewAccessKeyList = () => Promise.reject(new LatchkeyError(RPC_DISAGREEMENT));
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'RPC_DISAGREEMENT',
      pending: true,
    });
  });

  it('believes only nodes that agree on whether the account exists', async () => {
    const { context, ask } = make();
    const viewAccount = vi.spyOn(context.rpc, 'viewAccount');
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    expect(viewAccount).toHaveBeenCalledWith(ALICE, { agreed: true, signal: expect.any(AbortSignal) });
  });

  it('passes the voucher of each try to the relay, and stores none', async () => {
    const { context, journal, ask } = make();
    const stored: unknown[] = [];
    const tryWith = async (options: RegistrationOptions) => {
      const host = new AbortController();
      ask.mockImplementationOnce(async () => {
        stored.push(...journal.values());
        host.abort();
        throw new LatchkeyError(RELAY_UNREACHABLE);
      });
      await registerPasskey(context, ALICE, { ...options, signal: host.signal });
      return ask.mock.calls.at(-1)?.[0] as Readonly<Record<string, unknown>>;
    };
    const { signup_voucher: first, ...request } = await tryWith({ signupVoucher: 'v1.first.one' });
    expect([first, request.new_account_id]).toEqual(['v1.first.one', ALICE]);
    expect(await tryWith({ signupVoucher: 'v1.second.one' })).toEqual({
      ...request,
      signup_voucher: 'v1.second.one',
    });
    expect(await tryWith({})).toEqual(request);
    expect(JSON.stringify(stored)).toContain(ALICE);
    expect(JSON.stringify(stored)).not.toContain('.one');
  });

  it('reads the block at the click three times, and offers another try of its confirmation', async () => {
    const { context, chain, ask } = make();
    const shown = loseBlockAtClick(context);
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    const byClick = { uiMode: 'modal', behavior: 'requireClick' } as const;
    expect(await registerPasskey(context, ALICE, { confirmationConfig: byClick })).toMatchObject({
      success: true,
    });
    expect(shown).toMatchObject([{}, { retry: 'failed', error: 'VRF refresh failed' }]);
  });

  it('makes no passkey where the registry would refuse the page around the wallet', async () => {
    const { context } = make();
    const assertHost = () => Promise.reject(new LatchkeyError(HOST_NOT_IN_REGISTRY));
    const result = await registerPasskey({ ...context, assertHost }, ALICE, {});
    expect(result).toMatchObject({ success: false, errorCode: 'HOST_NOT_IN_REGISTRY' });
    expect(createPasskey).not.toHaveBeenCalled();
  });

  it('reports a failure as its last step, and clears its session', async () => {
    const { context, chain, call, session } = make();
    chain.account = undefined;
    createPasskey.mockRejectedValueOnce(new LatchkeyError(CANCELLED));
    const events: string[] = [];
    await registerPasskey(context, ALICE, {
      onEvent: ({ step, phase, status, error }) => events.push(`${step} ${phase} ${status} ${error?.code}`),
    });
    expect(events.at(-1)).toBe('0 registration-error error REGISTRATION_CANCELLED');
    expect(call.mock.calls.at(-1)?.[0]).toBe('close');
    expect(session.of).toBeUndefined();
  });
});

describe('the session of another account (core 4)', () => {
  it("stays while a registration runs, and is replaced before the registration's last event [S2]", async () => {
    const { context, chain, session, ask } = make();
    session.of = BOB;
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    const seen: unknown[] = [];
    await registerPasskey(context, ALICE, {
      onEvent: ({ phase, status }) => seen.push([`${phase} ${status}`, session.of]),
    });
    expect(seen.at(-1)).toEqual(['registration-complete success', ALICE]);
    expect(new Set(seen.slice(0, -1).map((entry) => (entry as string[])[1]))).toEqual(new Set([BOB]));
  });

  it.each([
    ['at its prompt', () => createPasskey.mockRejectedValueOnce(new LatchkeyError(CANCELLED))],
    ['at the relay', (ask: Mock) => ask.mockRejectedValueOnce(refused(400))],
  ])('stays when a registration ends %s', async (_, end) => {
    const { context, session, ask } = make();
    session.of = BOB;
    end(ask);
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: false });
    expect(session.of).toBe(BOB);
  });
});

describe('a logout during a registration', () => {
  it('lets the registration finish, but without a session', async () => {
    const { context, chain, session, ask } = make();
    ask.mockImplementationOnce(async () => {
      await logout(context);
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(session.of).toBeUndefined();
  });

  it.each([
    ['succeeds', true],
    ['fails', false],
  ])('keeps the session of a login that follows it when the registration %s', async (_, success) => {
    const { context, chain, session, ask } = make();
    ask.mockImplementationOnce(async () => {
      await logout(context);
      session.of = BOB;
      if (!success) throw refused(400);
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success });
    expect(session.of).toBe(BOB);
  });

  it('ends the registration during its passkey prompt, and keeps the session of an account that logged in meanwhile', async () => {
    const { context, session, call, ask } = make();
    const made = createPasskey.getMockImplementation();
    createPasskey.mockImplementationOnce(async (...request) => {
      await logout(context);
      session.of = BOB;
      return made?.(...request);
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'REGISTRATION_CANCELLED',
    });
    expect(session.of).toBe(BOB);
    expect(ask).not.toHaveBeenCalled();
    expect(call.mock.calls.map(([name]) => name)).not.toContain('deriveKeypairFromPrf');
  });

  it('opens no session with the passkey of an earlier try', async () => {
    const { context, chain, session, ask } = make();
    ask.mockRejectedValueOnce(refused(400));
    await registerPasskey(context, ALICE, {});
    session.of = undefined;
    ask.mockImplementationOnce(async () => {
      await logout(context);
      session.of = BOB;
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect(session.of).toBe(BOB);
  });
});

describe('a registration inside a frame (core 4)', () => {
  it('makes no passkey without a click, whatever the configuration says', async () => {
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

import { beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { HOST_NOT_IN_REGISTRY } from '../../errors/frame.js';
import { CANCELLED, LatchkeyError, RELAY_UNREACHABLE } from '../../errors/wallet.js';
import type { RegistrationOptions } from '../../types.js';
import { logout } from '../session/session.js';
import { loseBlockAtClick } from '../testing/losing-block.js';
import { ALICE, BOB, createPasskey, KEY, make, prepare, refused } from '../testing/registering.js';
import { registerPasskey } from './register.js';

beforeEach(prepare);

describe('a registration (core 3, core 4, core 7, core 9)', () => {
  it('reports its steps as they happen, and its result', async () => {
    const { context, chain, ask } = make();
    ask.mockImplementationOnce(async () => {
      chain.account = KEY;
      return { transactionHash: 'hash' };
    });
    const events: string[] = [];
    const result = await registerPasskey(context, ALICE, {
      onEvent: ({ step, phase, status }) => events.push(`${step} ${phase} ${status}`),
    });
    expect(events).toEqual([
      '1 webauthn-verification progress',
      '1 webauthn-verification success',
      '2 key-generation progress',
      '2 key-generation success',
      '6 contract-registration progress',
      '3 access-key-addition progress',
      '4 account-verification progress',
      '3 access-key-addition success',
      '6 contract-registration success',
      '4 account-verification success',
      '5 database-storage progress',
      '5 database-storage success',
      '7 registration-complete success',
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

import { beforeEach, describe, expect, it } from 'vitest';
import {
  CANCELLED,
  CRYPTO_FAILED,
  LatchkeyError,
  NEAR_RPC_FAILED,
  RPC_DISAGREEMENT,
} from '../../errors/wallet.js';
import { createRpcClient } from '../../near/index.js';
import { LaggingChain } from '../../near/testing/lagging-chain.js';
import { skipWaits } from '../../testing/skip-waits.js';
import { verifiedAnswer } from '../testing/answers.js';
import { cancelling } from '../testing/cancelling.js';
import { deferred } from '../testing/deferred.js';
import { ALICE, assertPasskey, authenticator, BOB, make, prepare } from '../testing/logging-in.js';
import { loginPasskey } from './login.js';
import { logout } from './session.js';

skipWaits();

beforeEach(prepare);

describe('login (core 4)', () => {
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

  it('uses only the passkeys of this device', async () => {
    const { context, store } = make({ user: { serverEncryptedVrfKeypair: null } });
    store.authenticatorsOnDevice.mockResolvedValue([authenticator, { ...authenticator, deviceNumber: 2 }]);
    await loginPasskey(context, ALICE, {});
    expect(assertPasskey.mock.calls[0]?.[0].allow).toEqual([authenticator]);
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
        signal.addEventListener('abort', () => reject(new LatchkeyError(CANCELLED))),
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
      throw new LatchkeyError(CANCELLED);
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
    viewAccessKey.mockRejectedValue(new LatchkeyError(RPC_DISAGREEMENT));
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
    viewAccessKey.mockRejectedValue(new LatchkeyError(NEAR_RPC_FAILED));
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
    store.journal.entry.mockImplementation(() => new Promise(() => undefined));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ errorCode: 'LOGIN_CANCELLED' });
    expect(confirmer.waits).toHaveLength(1);
    expect(session.of).toBeUndefined();
  });
});

it('a login by passkey keeps what the passkey says of itself', async () => {
  const { context, store } = make({ user: { serverEncryptedVrfKeypair: null, passkeyProven: true } });
  expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
  expect(store.updateUser).toHaveBeenCalledWith(ALICE, 1, {
    passkeyBackup: 'device-bound',
    verifiesUnnamed: false,
    passkeyProven: true,
  });
});

describe('a login while another account is logged in', () => {
  type Made = ReturnType<typeof make>;
  const failures: readonly [what: string, user: object, given: (made: Made) => unknown][] = [
    [
      'whose prompt is cancelled',
      { serverEncryptedVrfKeypair: null },
      () => assertPasskey.mockRejectedValue(new LatchkeyError(CANCELLED)),
    ],
    [
      'by an authenticator without PRF',
      { serverEncryptedVrfKeypair: null },
      () =>
        assertPasskey.mockResolvedValue({
          authentication: verifiedAnswer(authenticator.credentialId),
          prf: { kind: 'none' },
        }),
    ],
    [
      'whose keypair does not open',
      { serverEncryptedVrfKeypair: null },
      ({ failing }) => failing.set('unlock', new LatchkeyError(CRYPTO_FAILED)),
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
    assertPasskey.mockRejectedValue(new LatchkeyError(CANCELLED));
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

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Confirmer, ConfirmModel } from '../../confirm/port.js';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import { deleteDatabases } from '../../storage/testing/databases.js';
import type { SignNep413Params } from '../../types.js';
import { addVirtualAuthenticator } from '../../webauthn/testing/virtual-authenticator.js';
import { signAndSendTransactions } from '../signing/sign-and-send.js';
import { signNEP413Message } from '../signing/sign-nep413.js';
import { deferred } from '../testing/deferred.js';
import { ALICE, type SignedIn, signIn } from '../testing/signed-in.js';
import { getLoginState, getRecentLogins, logout, logoutIfForgotten } from './session.js';

let authenticator: { remove(): Promise<void> };
let wallet: SignedIn;

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
});
afterEach(async () => {
  await wallet.close();
  await deleteDatabases();
  await authenticator.remove();
});

const transactions = [{ receiverId: 'bob.testnet', actions: [{ type: 'Transfer' as const, amount: '1' }] }];

describe('the login state (core 3, core 4, core 6)', () => {
  it('reports how long the session has been unlocked, in every state', async () => {
    const before = performance.now();
    wallet = await signIn();
    const { context } = wallet;
    const first = await getLoginState(context);
    expect(first).toMatchObject({ isLoggedIn: true, vrfActive: true, nearAccountId: ALICE });
    expect(first.vrfSessionDuration).toBeGreaterThanOrEqual(0);
    expect(first.vrfSessionDuration).toBeLessThanOrEqual(performance.now() - before + 1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const later = (await getLoginState(context, ALICE)).vrfSessionDuration ?? 0;
    expect(later - (first.vrfSessionDuration ?? 0)).toBeGreaterThanOrEqual(50);

    const other = await getLoginState(context, 'bob.w3a-v1.testnet');
    expect(other).toEqual({
      isLoggedIn: false,
      nearAccountId: null,
      publicKey: null,
      vrfActive: false,
      userData: null,
    });

    // A new account's bootstrap key belongs to no session.
    await context.vrf.call('generateKeypairBootstrap', [
      { userId: 'new.testnet', rpId: 'localhost', blockHeight: '1', blockHash: '1'.repeat(32) },
    ]);
    const replaced = await getLoginState(context);
    expect(replaced).toMatchObject({ isLoggedIn: false, vrfActive: false, nearAccountId: ALICE });
    expect('vrfSessionDuration' in replaced).toBe(false);
  });

  it('is logged out, without a duration, after a logout and after the worker ended', async () => {
    for (const lose of [() => logout(wallet.context), () => wallet.context.vrf.close()]) {
      wallet = await signIn();
      await lose();
      const state = await getLoginState(wallet.context);
      expect(state).toMatchObject({ isLoggedIn: false, vrfActive: false, nearAccountId: ALICE });
      expect('vrfSessionDuration' in state).toBe(false);
      await wallet.close();
      await deleteDatabases();
    }
  });

  it('comes with the accounts known here, the one used last first', async () => {
    wallet = await signIn();
    expect(await getRecentLogins(wallet.context)).toEqual({
      accountIds: [ALICE],
      lastUsedAccountId: { nearAccountId: ALICE, deviceNumber: 1 },
    });
    await wallet.context.store.close();
    await deleteDatabases();
    expect(await getRecentLogins(wallet.context)).toEqual({ accountIds: [], lastUsedAccountId: null });
  });

  it("is logged out when the account's records are gone", async () => {
    wallet = await signIn();
    await logoutIfForgotten(wallet.context);
    expect(await getLoginState(wallet.context)).toMatchObject({ isLoggedIn: true });
    await wallet.context.store.close();
    await deleteDatabases();
    await logoutIfForgotten(wallet.context);
    expect(await wallet.context.vrf.call('status', [])).toMatchObject({ active: false });
  });
});

describe('a failed signature names in one sentence (core 7, core 8, core 9)', () => {
  const sign = () => signAndSendTransactions(wallet.context, ALICE, transactions, {});
  /** A confirmer that runs `happens` before it confirms. */
  const while_ = (happens: () => unknown): Confirmer => ({
    show: async () => {
      await happens();
      return 'confirm';
    },
  });

  it('a session that ended while the user read', async () => {
    wallet = await signIn(while_(() => wallet.context.vrf.close()));
    expect(await sign()).toMatchObject([
      { error: 'VRF challenge generation failed: VRF keypair not unlocked - please login first' },
    ]);
  });

  it('a chain that stopped answering while the user read', async () => {
    const askedAt: number[] = [];
    const shown: ConfirmModel[] = [];
    wallet = await signIn({
      show: async (model) => {
        shown.push(model);
        if (shown.length === 1) {
          wallet.context.contexts.clear();
          wallet.context.rpc.viewAccessKey = async () => {
            askedAt.push(performance.now());
            throw new LatchkeyError(NEAR_RPC_FAILED, { details: { kind: 'unreachable' } });
          };
        }
        return shown.length === 3 ? 'cancel' : 'confirm';
      },
    });
    expect(await sign()).toMatchObject([{ errorCode: 'CANCELLED' }]);
    const again = { retry: 'failed', behavior: 'requireClick', error: 'VRF refresh failed' };
    expect(shown.slice(1)).toMatchObject([again, again]);
    // Three attempts at each click, 150 and then 300 ms apart.
    const [first = 0, second = 0, third = 0, ...more] = askedAt;
    expect(more).toHaveLength(3);
    expect(second - first).toBeGreaterThanOrEqual(145);
    expect(third - second).toBeGreaterThanOrEqual(295);
  });

  it('a worker that did not answer in time, with another try', async () => {
    const shown: ConfirmModel[] = [];
    wallet = await signIn({
      show: async (model) => {
        shown.push(model);
        return 'confirm';
      },
    });
    const { vrf } = wallet.context;
    const call = vrf.call.bind(vrf);
    vrf.call = (name, args, options) => {
      if (name !== 'generateChallenge' || shown.length !== 1) return call(name, args, options);
      // The worker has other proofs to make before this one, so that it cannot be in time.
      for (let ahead = 0; ahead < 30; ahead += 1) call(name, args, options).catch(() => undefined);
      return call(name, args, { ...options, timeoutMs: 1 });
    };
    expect(await sign()).toMatchObject([{ success: true }]);
    expect(shown.slice(1)).toMatchObject([{ retry: 'timeout', error: 'Timed out after 60s, try again' }]);
  });

  it('a key that is not on this device', async () => {
    wallet = await signIn();
    wallet.context.store.encryptedKey = async () => undefined;
    expect(await sign()).toMatchObject([{ error: `No encrypted key found for account ${ALICE}` }]);
  });

  it('a missing message', async () => {
    wallet = await signIn();
    const params = { recipient: 'bob.testnet' } as unknown as SignNep413Params;
    expect(await signNEP413Message(wallet.context, ALICE, params, {})).toMatchObject({
      errorCode: 'MISSING_PAYLOAD',
      error: 'NEP-413 signing failed: Invalid secure confirm request - missing payload',
    });
  });

  it('an account whose records are gone', async () => {
    wallet = await signIn();
    wallet.context.store.user = async () => undefined;
    expect(await sign()).toMatchObject([{ error: `User data not found for ${ALICE}` }]);
  });
});

describe('a logout', () => {
  it.each(['a transaction', 'a message'])(
    'ends a signature of %s that waits for its click, and nothing is signed',
    async (what) => {
      const shown = deferred<AbortSignal>();
      const waiting: Confirmer = {
        show: (_model, signal) => {
          shown.resolve(signal);
          return new Promise(() => undefined);
        },
      };
      wallet = await signIn(waiting);
      const { context, chain } = wallet;
      const signing =
        what === 'a message'
          ? signNEP413Message(context, ALICE, { message: 'hi', recipient: 'bob.testnet' }, {})
          : signAndSendTransactions(context, ALICE, transactions, {}).then(([result]) => result);
      const signal = await shown.promise;
      await logout(context);
      expect(await signing).toMatchObject({ success: false, errorCode: 'CANCELLED' });
      expect(signal.aborted).toBe(true);
      expect(chain.sent).toEqual([]);
    },
  );

  it('lets an approved transaction finish once the passkey has answered', async () => {
    wallet = await signIn();
    const { context, chain } = wallet;
    const verified = deferred<boolean>();
    chain.verified = verified.promise;
    const sending = signAndSendTransactions(context, ALICE, transactions, {});
    await expect.poll(() => chain.calls).toContain('verify_authentication_response');
    await logout(context);
    verified.resolve(true);
    expect(await sending).toMatchObject([{ success: true }]);
    expect(chain.sent).toHaveLength(1);
  });
});

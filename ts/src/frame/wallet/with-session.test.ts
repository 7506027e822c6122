import { describe, expect, it } from 'vitest';
import { CANCELLED, LatchkeyError } from '../../errors/core.js';
import type { LoginResult } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { withSession } from './with-session.js';

const failed = (errorCode: LoginResult['errorCode'], error: string): LoginResult => ({
  success: false,
  error,
  ...(errorCode && { errorCode }),
  nearAccountId: null,
  loggedInNearAccountId: null,
  clientNearPublicKey: null,
});
const opened: LoginResult = { ...failed(undefined, ''), success: true };

/** An account that was used through the page before, unless `isNew`. */
function setUp(logins: LoginResult[], decision: 'confirm' | 'cancel' = 'confirm', isNew = false) {
  const calls: string[] = [];
  let isLoggedIn = logins.length === 0;
  const wallet = {
    getLoginState: async (accountId: string) => ({ isLoggedIn, nearAccountId: isNew ? null : accountId }),
    loginPasskey: async (accountId: string) => {
      calls.push(`login ${accountId}`);
      const result = logins.shift() ?? opened;
      isLoggedIn = result.success;
      return result;
    },
    signNEP413Message: async () => {
      calls.push('sign');
      return 'signed';
    },
  } as unknown as Wallet;
  const count = (what: string) => () => void calls.push(what);
  const patience = {
    asking: <T>(ask: (signal: AbortSignal) => Promise<T>) => ask(new AbortController().signal),
    refused: count('refused'),
    withdrawn: count('withdrawn'),
  };
  const ask = async (_account: string, error: Error | undefined, signal: AbortSignal) => {
    calls.push(error === undefined ? 'ask' : `ask: ${error.message}`);
    await new Promise((resolve) => setTimeout(resolve));
    return signal.aborted ? 'cancel' : decision;
  };
  const served = withSession(wallet, ask, patience);
  const sign = (signal?: AbortSignal) =>
    served.signNEP413Message({
      nearAccountId: 'alice.testnet',
      params: { message: 'm', recipient: 'r' },
      ...(signal && { options: { signal } }),
    });
  return { calls, sign };
}

describe('signing in a window that was just opened', () => {
  it('needs no login where the session is open', async () => {
    const { calls, sign } = setUp([]);
    expect(await sign()).toBe('signed');
    expect(calls).toEqual(['sign']);
  });

  it('opens the session first', async () => {
    const { calls, sign } = setUp([opened]);
    await sign();
    expect(calls).toEqual(['login alice.testnet', 'sign']);
  });

  it('offers a login that failed again, by a click, and says why', async () => {
    const { calls, sign } = setUp([failed('LOGIN_CANCELLED', 'no click'), opened]);
    await sign();
    expect(calls).toEqual(['login alice.testnet', 'ask: no click', 'login alice.testnet', 'sign']);
  });

  it('ends with CANCELLED when the user declines, and nothing is signed', async () => {
    const { calls, sign } = setUp([failed('LOGIN_CANCELLED', 'no')], 'cancel');
    await expect(sign()).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(calls).not.toContain('sign');
  });

  it.each([
    ['that this browser knows', opened, undefined],
    ['that this browser does not know', failed('NO_LOCAL_ACCOUNT', 'unknown'), 'NO_LOCAL_ACCOUNT'],
  ])('asks first for an account that was never used through the page, %s [S22]', async (_, login, code) => {
    const declined = setUp([login], 'cancel', true);
    await expect(declined.sign()).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(declined.calls).toEqual(['ask', 'refused']);

    const withdrawn = setUp([login], 'confirm', true);
    const ending = new AbortController();
    const signed = withdrawn.sign(ending.signal);
    ending.abort(new LatchkeyError(CANCELLED));
    await expect(signed).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(withdrawn.calls.includes('login alice.testnet')).toBe(false);

    const agreed = setUp([login], 'confirm', true);
    const end = await agreed.sign().catch(({ code }) => code);
    expect(end).toBe(code ?? 'signed');
    expect(agreed.calls).toEqual(['ask', 'login alice.testnet', code ? 'refused' : 'sign']);
  });

  it('asks one question at a time', async () => {
    const { calls, sign } = setUp([opened], 'confirm', true);
    await Promise.all([sign(), sign()]);
    expect(calls.filter((call) => call !== 'sign')).toEqual(['ask', 'login alice.testnet']);
  });
});

import { describe, expect, it } from 'vitest';
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

function setUp(logins: LoginResult[], decision: 'confirm' | 'cancel' = 'confirm') {
  const calls: string[] = [];
  const wallet = {
    getLoginState: async () => ({ isLoggedIn: logins.length === 0 }),
    loginPasskey: async (accountId: string) => {
      calls.push(`login ${accountId}`);
      return logins.shift() ?? opened;
    },
    signNEP413Message: async () => {
      calls.push('sign');
      return 'signed';
    },
  } as unknown as Wallet;
  const served = withSession(wallet, async (_account, error) => {
    calls.push(`ask: ${error}`);
    return decision;
  });
  const sign = () =>
    served.signNEP413Message({ nearAccountId: 'alice.testnet', params: { message: 'm', recipient: 'r' } });
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

  it('offers nothing for an account that this browser does not know', async () => {
    const { calls, sign } = setUp([failed('NO_LOCAL_ACCOUNT', 'unknown')]);
    await expect(sign()).rejects.toMatchObject({ code: 'NO_LOCAL_ACCOUNT' });
    expect(calls).toEqual(['login alice.testnet']);
  });
});

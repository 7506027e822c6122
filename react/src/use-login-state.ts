'use client';
import type { LoginState } from 'latchkey';
import { useMemo } from 'react';
import { usePasskeyContext } from './context.js';

export interface CurrentLogin {
  /** Whether a user is logged in; false until that has been read. */
  isLoggedIn: boolean;
  /** The account of the user who is logged in, else null. */
  accountId: string | null;
  /** All that is known: the device's number and key, and the stored preferences. */
  loginState: LoginState;
  /** True once the wallet has started and the login state has been read. */
  ready: boolean;
  /** Reads it again, for the given account or the last used one. */
  refresh: (nearAccountId?: string) => Promise<LoginState>;
}

/** The user who is logged in. Follows logins and logouts, in other tabs of this origin too. */
export function useLoginState(): CurrentLogin {
  const { loginState, ready, refreshLoginState: refresh } = usePasskeyContext();
  const { isLoggedIn, nearAccountId } = loginState;
  const accountId = isLoggedIn ? nearAccountId : null;
  return useMemo(
    () => ({ isLoggedIn, accountId, loginState, ready, refresh }),
    [isLoggedIn, accountId, loginState, ready, refresh],
  );
}

'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { outcomeText, thrownText } from '../texts/error-text.js';
import { useLoginState } from '../use-login-state.js';

export interface PasskeyCheckState {
  /** The account of the user who is logged in, whose passkey is not proven yet; else null. */
  accountId: string | null;
  /** Asks for the passkey once more. Resolves with whether it is proven now. */
  check: () => Promise<boolean>;
  /** Whether the passkey is asked now; another call then does nothing. */
  isChecking: boolean;
  /** Why the last check failed, as a sentence for the user; empty if it did not, or if the user left it. */
  problem: string;
}

/** Whether to check the passkey of the user who is logged in before money comes in (`LoginState.userData.passkeyProven`). */
export function usePasskeyCheck(): PasskeyCheckState {
  const { passkeyManager, refreshLoginState } = usePasskeyContext();
  const { accountId, loginState } = useLoginState();
  const [isChecking, setIsChecking] = useState(false);
  const [problem, setProblem] = useState('');
  const running = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said of another account goes
  useEffect(() => setProblem(''), [accountId]);

  const check = useCallback(async () => {
    if (accountId === null || running.current) return false;
    running.current = true;
    setIsChecking(true);
    setProblem('');
    try {
      const { success, ...failed } = await passkeyManager.checkPasskey(accountId);
      if (!success && failed.errorCode !== 'CANCELLED') setProblem(outcomeText(failed));
      await refreshLoginState(accountId);
      return success;
    } catch (error) {
      setProblem(thrownText(error));
      return false;
    } finally {
      running.current = false;
      setIsChecking(false);
    }
  }, [passkeyManager, accountId, refreshLoginState]);

  const isDue = loginState.userData?.passkeyProven === false;
  return { accountId: isDue ? accountId : null, check, isChecking, problem };
}

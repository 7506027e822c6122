'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { errorText, type Failure, outcomeFailure, thrownFailure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
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
  /** The same with its code and its exact words. */
  failure: Failure | undefined;
}

/** Whether to check the passkey of the user who is logged in before money comes in (`LoginState.userData.passkeyProven`). */
export function usePasskeyCheck(): PasskeyCheckState {
  const { passkeyManager, refreshLoginState } = usePasskeyContext();
  const { accountId, loginState } = useLoginState();
  const [isChecking, setIsChecking] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  // Its words change once the headlines are loaded.
  useTexts();
  const running = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said of another account goes
  useEffect(() => setFailure(undefined), [accountId]);

  const check = useCallback(async () => {
    if (accountId === null || running.current) return false;
    running.current = true;
    setIsChecking(true);
    setFailure(undefined);
    try {
      const { success, ...failed } = await passkeyManager.checkPasskey(accountId);
      if (!success && failed.errorCode !== 'CANCELLED') setFailure(outcomeFailure(failed));
      await refreshLoginState(accountId);
      return success;
    } catch (error) {
      setFailure(thrownFailure(error));
      return false;
    } finally {
      running.current = false;
      setIsChecking(false);
    }
  }, [passkeyManager, accountId, refreshLoginState]);

  const isDue = loginState.userData?.passkeyProven === false;
  return {
    accountId: isDue ? accountId : null,
    check,
    isChecking,
    problem: failure ? errorText(failure) : '',
    failure,
  };
}

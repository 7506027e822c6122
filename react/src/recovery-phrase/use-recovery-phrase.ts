'use client';
import type { ActionResult, RestoredAccount } from 'latchkey';
import { useCallback, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { errorText, type Failure, outcomeFailure, thrownFailure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';

export interface RecoveryPhrase {
  /** Whether this wallet may show words: it runs in a frame, or the configuration allows key export. */
  isAllowed: boolean;
  /** Makes a phrase for this account, and adds its key. Resolves with whether it was added. */
  make: (accountId: string) => Promise<boolean>;
  /** Opens an account with its phrase; without a name, the viewer asks for it. Resolves with the account once it is logged in. */
  restore: (accountId?: string) => Promise<string | undefined>;
  /** Whether one of the two runs; a second call then does nothing. */
  isOpen: boolean;
  /** Why the last one failed, as a sentence for the user; empty if it did not, or if the user left it. */
  problem: string;
  /** The same with its code and its exact words. */
  failure: Failure | undefined;
  /** The user has read the problem. */
  dismiss: () => void;
}

/** The recovery phrase of an account: make one, or open the account with it. */
export function useRecoveryPhrase(): RecoveryPhrase {
  const { passkeyManager, theme, refreshLoginState } = usePasskeyContext();
  const { iframeWallet, keyExport } = passkeyManager.config;
  const [isOpen, setIsOpen] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  // Its words change once the headlines are loaded.
  useTexts();
  const running = useRef(false);

  const run = useCallback(
    async <R extends ActionResult | RestoredAccount>(call: () => Promise<R>): Promise<R | undefined> => {
      if (running.current) return undefined;
      running.current = true;
      setIsOpen(true);
      setFailure(undefined);
      try {
        const result = await call();
        if (!result.success && result.errorCode !== 'CANCELLED') setFailure(outcomeFailure(result));
        return result;
      } catch (error) {
        setFailure(thrownFailure(error));
        return undefined;
      } finally {
        running.current = false;
        setIsOpen(false);
      }
    },
    [],
  );
  const make = useCallback(
    async (nearAccountId: string) => {
      const options = { confirmationConfig: { theme } };
      return (await run(() => passkeyManager.addRecoveryKey({ nearAccountId, options })))?.success === true;
    },
    [passkeyManager, theme, run],
  );
  const restore = useCallback(
    async (nearAccountId?: string) => {
      const options = { confirmationConfig: { theme } };
      const restored = await run(async () => {
        const asked = { ...(nearAccountId !== undefined && { nearAccountId }), options };
        const result = await passkeyManager.recoverWithPhrase(asked);
        if (!result.success || result.isLoggedIn || result.nearAccountId === null) return result;
        // It continued an earlier try, which needed no passkey.
        const { success, error, errorCode, errorValues } = await passkeyManager.loginPasskey(
          result.nearAccountId,
        );
        return {
          ...result,
          success,
          ...(error && { error }),
          ...(errorCode && { errorCode }),
          ...(errorValues && { errorValues }),
        };
      });
      if (!restored?.success || restored.nearAccountId === null) return undefined;
      await refreshLoginState(restored.nearAccountId);
      return restored.nearAccountId;
    },
    [passkeyManager, theme, run, refreshLoginState],
  );
  const dismiss = useCallback(() => setFailure(undefined), []);
  return {
    isAllowed: iframeWallet !== null || keyExport.sameOrigin,
    make,
    restore,
    isOpen,
    problem: failure ? errorText(failure) : '',
    failure,
    dismiss,
  };
}

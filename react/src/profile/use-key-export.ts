'use client';
import { useCallback, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { errorText, type Failure, outcomeFailure, thrownFailure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';

export interface KeyExport {
  /** Opens the wallet's viewer of the private key. Does nothing while it is open. */
  exportKeys: () => Promise<void>;
  /** Whether the viewer is open. */
  isOpen: boolean;
  /** Why the last export failed, as a sentence for the user; empty if it did not. */
  problem: string;
  /** The same with its code and its exact words. */
  failure: Failure | undefined;
  /** The user has read the problem. */
  dismiss: () => void;
}

/** The key export of an account. A viewer that the user closes is no failure. */
export function useKeyExport(accountId: string | null): KeyExport {
  const { passkeyManager, theme } = usePasskeyContext();
  const [isOpen, setIsOpen] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  // Its words change once the headlines are loaded.
  useTexts();
  const running = useRef(false);

  const exportKeys = useCallback(async () => {
    if (running.current || accountId === null) return;
    running.current = true;
    setIsOpen(true);
    setFailure(undefined);
    try {
      const result = await passkeyManager.exportNearKeypairWithUI(accountId, { theme });
      if (!result.success && result.errorCode !== 'CANCELLED') setFailure(outcomeFailure(result));
    } catch (error) {
      setFailure(thrownFailure(error));
    } finally {
      running.current = false;
      setIsOpen(false);
    }
  }, [passkeyManager, accountId, theme]);
  const dismiss = useCallback(() => setFailure(undefined), []);
  return { exportKeys, isOpen, problem: failure ? errorText(failure) : '', failure, dismiss };
}

'use client';
import { useCallback, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { texts } from '../texts/current.js';
import { outcomeText, thrownText } from '../texts/error-text.js';

export interface KeyExport {
  /** Opens the wallet's viewer of the private key. Does nothing while it is open. */
  exportKeys: () => Promise<void>;
  /** Whether the viewer is open. */
  isOpen: boolean;
  /** Why the last export failed, as a sentence for the user; empty if it did not. */
  problem: string;
  /** The user has read the problem. */
  dismiss: () => void;
}

/** The key export of an account. A viewer that the user closes is no failure. */
export function useKeyExport(accountId: string | null): KeyExport {
  const { passkeyManager, theme } = usePasskeyContext();
  const [isOpen, setIsOpen] = useState(false);
  const [problem, setProblem] = useState('');
  const running = useRef(false);

  const exportKeys = useCallback(async () => {
    if (running.current || accountId === null) return;
    running.current = true;
    setIsOpen(true);
    setProblem('');
    try {
      const result = await passkeyManager.exportNearKeypairWithUI(accountId, { theme });
      if (!result.success && result.errorCode !== 'CANCELLED')
        setProblem(problemOf(outcomeText(result), result.errorCode));
    } catch (error) {
      setProblem(problemOf(thrownText(error)));
    } finally {
      running.current = false;
      setIsOpen(false);
    }
  }, [passkeyManager, accountId, theme]);
  const dismiss = useCallback(() => setProblem(''), []);
  return { exportKeys, isOpen, problem, dismiss };
}

function problemOf(message: string, code?: string): string {
  // This text is a whole sentence with its remedy.
  return code === 'NO_LOCAL_KEY_MATERIAL' ? message : texts().profile.exportFailed(message);
}

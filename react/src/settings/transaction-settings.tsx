'use client';
import { useEffect, useRef } from 'react';
import { asError } from '../as-error.js';
import { usePasskeyContext } from '../context.js';
import { useChunk } from '../surface/use-chunk.js';

export interface TransactionSettingsProps {
  /** Whether the settings are shown. */
  isOpen: boolean;
  /** The user closed them, or they could not be shown. */
  onClose: () => void;
  /** Called with the reason when they could not be shown (offline, say). */
  onError?: ((error: Error) => void) | undefined;
}

/**
 * How the user wants requests confirmed. A wallet in a frame shows its own screen, which no page can change; otherwise
 * this draws the same screen and stores the choices with the account that is logged in.
 */
export function TransactionSettings({ isOpen, onClose, onError }: TransactionSettingsProps) {
  const { passkeyManager } = usePasskeyContext();
  const isFramed = passkeyManager.config.iframeWallet !== null;
  const latest = useRef({ onClose, onError });
  latest.current = { onClose, onError };

  // StrictMode runs the effect twice: the wallet's screen opens once.
  const shown = useRef<Promise<void>>(undefined);
  useEffect(() => {
    if (!isOpen || !isFramed || shown.current) return;
    shown.current = passkeyManager
      .openSettings()
      .catch((thrown: unknown) => latest.current.onError?.(asError(thrown)))
      .finally(() => {
        shown.current = undefined;
        latest.current.onClose();
      });
  }, [isOpen, isFramed, passkeyManager]);

  const chunk = useChunk(
    isOpen && !isFramed,
    () => import('./settings-screen.js'),
    (error) => {
      onError?.(error);
      onClose();
    },
  );
  if (!chunk) return null;
  return <chunk.SettingsScreen wallet={passkeyManager} open={isOpen} onClose={onClose} />;
}

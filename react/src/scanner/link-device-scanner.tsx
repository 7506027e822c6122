'use client';
import type { FlowEvent, LatchkeyError, LinkDeviceResult } from 'latchkey';
import { useEffect, useRef } from 'react';
import { usePasskeyContext } from '../context.js';
import { useTexts } from '../texts/use-texts.js';
import { QRCodeScanner } from './qr-code-scanner.js';
import { useDeviceLinking } from './use-device-linking.js';

export interface LinkDeviceScannerProps {
  isOpen: boolean;
  /** Closed by the user, or because the code was valid; linking then continues by itself. */
  onClose: () => void;
  /** The other device has been linked. */
  onLinked?: ((result: LinkDeviceResult) => void) | undefined;
  onEvent?: ((event: FlowEvent<'linking'>) => void) | undefined;
  /** Reports a failure, with the scanner open or closed. */
  onError?: ((error: LatchkeyError | Error) => void) | undefined;
  /** In NEAR; checked and echoed in the result, but no money moves. Default '0.05'. */
  fundingAmount?: string | undefined;
}

/**
 * Scans another device's linking code and links that device to the logged-in account. Where the wallet runs in a frame, the
 * wallet scans by itself, so that nothing in this page can exchange the code.
 */
export function LinkDeviceScanner(props: LinkDeviceScannerProps) {
  const { passkeyManager } = usePasskeyContext();
  return passkeyManager.config.iframeWallet ? <WalletScanner {...props} /> : <PageScanner {...props} />;
}

/** Draws nothing: the wallet draws the scanner. */
function WalletScanner({ isOpen, onClose, ...options }: LinkDeviceScannerProps) {
  const { scanAndLinkDevice, cancel } = useDeviceLinking({ ...options, onAuthorizing: onClose });
  const latestClose = useRef(onClose);
  latestClose.current = onClose;

  useEffect(() => {
    if (!isOpen) return;
    // StrictMode mounts twice in development: only a mount that lasts scans. onError has heard of a failure.
    const timer = setTimeout(() => void scanAndLinkDevice().catch(() => latestClose.current()), 0);
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [isOpen, scanAndLinkDevice, cancel]);
  return null;
}

function PageScanner({ isOpen, onClose, ...options }: LinkDeviceScannerProps) {
  const { linkDevice, cancel } = useDeviceLinking({ ...options, onAuthorizing: onClose });
  const { linkTitle } = useTexts().scanner;
  useEffect(() => (isOpen ? cancel : undefined), [isOpen, cancel]);
  return (
    <QRCodeScanner
      title={linkTitle}
      isOpen={isOpen}
      onScan={linkDevice}
      onClose={onClose}
      onError={(error) => options.onError?.(error)}
    />
  );
}

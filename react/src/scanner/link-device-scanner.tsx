import type { FlowEvent, LatchkeyError, LinkDeviceResult } from 'latchkey';
import { useEffect, useRef } from 'react';
import { usePasskeyContext } from '../context.js';
import { QRCodeScanner } from './qr-code-scanner.js';

export interface LinkDeviceScannerProps {
  isOpen: boolean;
  /** Closed by the user, or because the code was valid; linking then continues by itself. */
  onClose: () => void;
  /** The other device has been linked. */
  onLinked?: (result: LinkDeviceResult) => void;
  onEvent?: (event: FlowEvent<'linking'>) => void;
  /** Reports a failure, with the scanner open or closed. */
  onError?: (error: LatchkeyError | Error) => void;
  /** In NEAR; checked and echoed in the result, but no money moves. Default '0.05'. */
  fundingAmount?: string;
}

/** Scans another device's linking code and links that device to the logged-in account. */
export function LinkDeviceScanner({
  isOpen,
  onClose,
  onLinked,
  onEvent,
  onError,
  fundingAmount,
}: LinkDeviceScannerProps) {
  const { passkeyManager } = usePasskeyContext();
  const latest = useRef({ onClose, onLinked, onEvent, onError });
  latest.current = { onClose, onLinked, onEvent, onError };

  /** Aborts the scanned code's flow until the wallet asks the user. */
  const checking = useRef<AbortController>(undefined);
  useEffect(() => (isOpen ? () => checking.current?.abort() : undefined), [isOpen]);

  async function link(text: string): Promise<void> {
    let authorizing = false;
    const ending = new AbortController();
    checking.current = ending;
    const result = await passkeyManager.linkDeviceWithScannedQRData(text, {
      ...(fundingAmount === undefined ? {} : { fundingAmount }),
      signal: ending.signal,
      onEvent(event) {
        latest.current.onEvent?.(event);
        if (authorizing || event.step < AUTHORIZATION_STEP) return;
        authorizing = true;
        checking.current = undefined;
        latest.current.onClose();
      },
      onError(error) {
        if (!ending.signal.aborted) latest.current.onError?.(error);
      },
    });
    if (result.success) latest.current.onLinked?.(result);
    else if (!authorizing) throw new Error(result.error);
  }

  return (
    <QRCodeScanner
      title="Scan and Link Device"
      isOpen={isOpen}
      onScan={link}
      onClose={onClose}
      onError={(error) => latest.current.onError?.(error)}
    />
  );
}

const AUTHORIZATION_STEP = 3;

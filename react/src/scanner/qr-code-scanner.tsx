'use client';
import { usePasskeyContext } from '../context.js';
import { useChunk } from '../surface/use-chunk.js';

export interface QRCodeScannerProps {
  isOpen: boolean;
  /** Called with the text of a QR code. A rejection is shown as the scan's error, with Try Again. */
  onScan: (text: string) => void | Promise<void>;
  /** The close button, Escape, or the Close button of an error. */
  onClose: () => void;
  /** The scanner's code could not be loaded (offline, say); the scanner closes. */
  onError?: ((error: Error) => void) | undefined;
  /** Default 'Scan QR code'. */
  title?: string | undefined;
  /** Default 60000. */
  timeoutMs?: number | undefined;
}

/** A modal that scans the camera's picture for a QR code. Its code loads when it first opens. */
export function QRCodeScanner(props: QRCodeScannerProps) {
  const { theme } = usePasskeyContext();
  const chunk = useChunk(
    props.isOpen,
    () => import('./scanner-modal.js'),
    (error) => {
      props.onError?.(error);
      props.onClose();
    },
  );
  return chunk ? <chunk.ScannerModal {...props} theme={theme} /> : null;
}

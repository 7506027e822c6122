import { usePasskeyContext } from '../context.js';
import { useChunk } from '../surface/use-chunk.js';

export interface QRCodeScannerProps {
  isOpen: boolean;
  /** Called with the text of a QR code. A promise that rejects is shown as the scan's error, with Try Again. */
  onScan: (text: string) => void | Promise<void>;
  /** The close button, Escape, or the Close button of an error. */
  onClose: () => void;
  /** The scanner could not be loaded (offline, say); it is closed then. */
  onError?: (error: Error) => void;
  /** Default 'Scan QR code'. */
  title?: string;
  /** Default 60000. */
  timeoutMs?: number;
}

/** A modal with the camera's picture that looks for a QR code. Its code is loaded when it first opens. */
export function QRCodeScanner(props: QRCodeScannerProps) {
  const { theme } = usePasskeyContext();
  const chunk = useChunk(
    props.isOpen,
    () => import('./scanner-modal.js'),
    (error) => {
      props.onError?.(error instanceof Error ? error : new Error(String(error)));
      props.onClose();
    },
  );
  return chunk ? <chunk.ScannerModal {...props} theme={theme} /> : null;
}

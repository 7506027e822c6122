import { usePasskeyContext } from '../context.js';
import { useChunk } from '../surface/use-chunk.js';

export interface LinkedDevicesModalProps {
  isOpen: boolean;
  accountId: string;
  onClose: () => void;
  /** The list could not be loaded as code (offline, say); the modal is closed then. */
  onError?: (error: Error) => void;
}

/** A modal with the account's devices and keys. Its code is loaded when it first opens. */
export function LinkedDevicesModal(props: LinkedDevicesModalProps) {
  const { theme, passkeyManager } = usePasskeyContext();
  const chunk = useChunk(
    props.isOpen,
    () => import('./devices-modal.js'),
    (error) => {
      props.onError?.(error instanceof Error ? error : new Error(String(error)));
      props.onClose();
    },
  );
  return chunk ? <chunk.DevicesModal {...props} theme={theme} manager={passkeyManager} /> : null;
}

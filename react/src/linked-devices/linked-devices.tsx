'use client';
import { usePasskeyContext } from '../context.js';
import { useChunk } from '../surface/use-chunk.js';

export interface LinkedDevicesModalProps {
  isOpen: boolean;
  accountId: string;
  onClose: () => void;
  /** The user wants to add a device: close the modal, and open `LinkDeviceScanner`. Without it, the list does not offer that. */
  onAdd?: (() => void) | undefined;
  /** The modal's code could not be loaded (offline, say); the modal closes. */
  onError?: ((error: Error) => void) | undefined;
}

/** A modal with the account's devices and keys. Its code loads when it first opens. */
export function LinkedDevicesModal(props: LinkedDevicesModalProps) {
  const { theme } = usePasskeyContext();
  const chunk = useChunk(
    props.isOpen,
    () => import('./devices-modal.js'),
    (error) => {
      props.onError?.(error);
      props.onClose();
    },
  );
  if (!chunk) return null;
  const { isOpen, accountId, onAdd, onClose } = props;
  return (
    <chunk.DevicesModal isOpen={isOpen} accountId={accountId} theme={theme} onAdd={onAdd} onClose={onClose} />
  );
}

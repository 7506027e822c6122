import { Dialog } from '@base-ui/react/dialog';
import type { WaitingModel } from 'latchkey';
import { useRef } from 'react';
import { Mark } from '../surface/icons.js';
import { Untrusted } from './untrusted.js';

export interface WaitingDialogProps {
  model: WaitingModel;
  open: boolean;
  /** The element inside the shadow root that takes the popup. */
  container: HTMLElement;
  onCancel: () => void;
  /** Called when the closing animation has ended. */
  onClosed: () => void;
}

/** Shows what a request waits for, before there is anything to confirm. */
export function WaitingDialog({ model, open, container, onCancel, onClosed }: WaitingDialogProps) {
  const cancelButton = useRef<HTMLButtonElement>(null);
  return (
    <Dialog.Root
      open={open}
      modal
      disablePointerDismissal
      onOpenChange={(next, details) => {
        if (next) return;
        // The flow closes the dialog, not Base UI.
        details.cancel();
        onCancel();
      }}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onClosed();
      }}
    >
      <Dialog.Portal container={container} className="portal">
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="popup modal" aria-busy="true" initialFocus={cancelButton} finalFocus={false}>
          <header>
            <Mark />
            <div>
              <Dialog.Title className="title">Waiting for the network</Dialog.Title>
              <Dialog.Description className="lead">
                The wallet asks NEAR (<Untrusted text={model.networkId} />) before it can go on.
              </Dialog.Description>
            </div>
          </header>
          <section className="body" aria-label="What this waits for">
            <p>No transaction was signed or sent. This goes on by itself when the answer comes.</p>
          </section>
          <footer>
            <p className="status" role="status">
              <span className="spinner" aria-hidden="true" />
              No answer yet…
            </p>
            <button ref={cancelButton} type="button" className="button" onClick={onCancel}>
              Cancel
            </button>
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

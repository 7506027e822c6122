import { Dialog } from '@base-ui/react/dialog';
import type { WaitingModel } from 'latchkey';
import { useRef } from 'react';
import { Mark } from '../surface/icons.js';
import { LayerDialog, type LayerDialogProps } from '../surface/layer-dialog.js';
import { Untrusted } from './untrusted.js';

export interface WaitingDialogProps
  extends Pick<LayerDialogProps, 'open' | 'container' | 'onCancel' | 'onClosed'> {
  model: WaitingModel;
}

/** Shows what a request waits for, before there is anything to confirm. */
export function WaitingDialog({ model, onCancel, ...layer }: WaitingDialogProps) {
  const cancelButton = useRef<HTMLButtonElement>(null);
  return (
    <LayerDialog
      {...layer}
      className="modal"
      aria-busy="true"
      initialFocus={cancelButton}
      onCancel={onCancel}
    >
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
    </LayerDialog>
  );
}

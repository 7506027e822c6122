import { Dialog } from '@base-ui/react/dialog';
import type { WaitingModel } from 'latchkey';
import { useRef } from 'react';
import { Mark } from '../surface/icons.js';
import { LayerDialog, type LayerDialogProps } from '../surface/layer-dialog.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';

export interface WaitingDialogProps
  extends Pick<LayerDialogProps, 'open' | 'container' | 'onCancel' | 'onClosed'> {
  model: WaitingModel;
}

/** Shows what a request waits for, before there is anything to confirm. */
export function WaitingDialog({ model, onCancel, ...layer }: WaitingDialogProps) {
  const { cancel, waiting } = useConfirmTexts();
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
          <Dialog.Title className="title">{waiting.title}</Dialog.Title>
          <Dialog.Description className="lead">
            <Filled text={waiting.lead} network={<UntrustedText text={model.networkId} />} />
          </Dialog.Description>
        </div>
      </header>
      <section className="body" aria-label={waiting.label}>
        <p>{waiting.text}</p>
      </section>
      <footer>
        <p className="status" role="status">
          <span className="spinner" aria-hidden="true" />
          {waiting.status}
        </p>
        <button ref={cancelButton} type="button" className="button" onClick={onCancel}>
          {cancel}
        </button>
      </footer>
    </LayerDialog>
  );
}

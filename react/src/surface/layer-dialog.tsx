import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog } from '@base-ui/react/dialog';
import type { ComponentProps, ReactNode } from 'react';
import type { Layer } from './layer.js';

type PopupProps = ComponentProps<typeof Dialog.Popup>;

export interface LayerDialogProps extends Pick<PopupProps, 'aria-busy' | 'initialFocus' | 'ref'> {
  open: boolean;
  /** The layer's element that takes the popup. */
  container: Layer['container'];
  /** The popup's classes in addition to `popup`. */
  className: string;
  /** Escape, or the browser. */
  onCancel: () => void;
  /** Called when the closing animation has ended. */
  onClosed: () => void;
  children: ReactNode;
}

/** Base UI's dialog in a layer: the owner of `open` closes it, and the layer returns the focus. */
export function LayerDialog(props: LayerDialogProps) {
  const { open, container, className, onCancel, onClosed, children, ...popup } = props;
  return (
    <CSPProvider disableStyleElements>
      <Dialog.Root
        open={open}
        modal
        disablePointerDismissal
        onOpenChange={(next, details) => {
          if (next) return;
          details.cancel();
          onCancel();
        }}
        onOpenChangeComplete={(isOpen) => {
          if (!isOpen) onClosed();
        }}
      >
        <Dialog.Portal container={container} className="portal">
          <Dialog.Backdrop className="backdrop" />
          <Dialog.Popup {...popup} className={`popup ${className}`} finalFocus={false}>
            {children}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </CSPProvider>
  );
}

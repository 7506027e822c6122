import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog } from '@base-ui/react/dialog';
import type { ComponentProps, ReactNode, RefCallback } from 'react';
import type { Layer } from './layer.js';

type PopupProps = ComponentProps<typeof Dialog.Popup>;

export interface LayerDialogProps extends Pick<PopupProps, 'aria-busy' | 'initialFocus'> {
  open: boolean;
  /** The layer's element that takes the popup. */
  container: Layer['container'];
  /** The popup's classes in addition to `popup`. */
  className: string;
  /** Gets the popup. React 18 passes no `ref` to a function component. */
  popupRef?: RefCallback<HTMLElement> | undefined;
  /** Escape, or the browser. */
  onCancel: () => void;
  /** Called when the closing animation has ended. */
  onClosed: () => void;
  children: ReactNode;
}

/** Base UI's dialog in a layer: the owner of `open` closes it, and the layer returns the focus. */
export function LayerDialog(props: LayerDialogProps) {
  const { open, container, className, popupRef, onCancel, onClosed, children, ...popup } = props;
  return (
    <CSPProvider disableStyleElements>
      <Dialog.Root
        open={open}
        // Not `true`, which takes the scrollbar from the page: what is behind rests without it.
        modal="trap-focus"
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
          <Dialog.Popup {...popup} ref={popupRef} className={`popup ${className}`} finalFocus={false}>
            {children}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </CSPProvider>
  );
}

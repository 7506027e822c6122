import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog } from '@base-ui/react/dialog';
import type { Theme } from 'latchkey';
import {
  type ReactNode,
  type RefCallback,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { confirmCss } from '../confirm/styles.js';
import { CloseIcon } from './icons.js';
import { type Layer, openLayer } from './layer.js';
import { modalCss } from './modal-styles.js';

export interface ModalProps {
  open: boolean;
  /** The name of the element in the page. */
  name: `latchkey-${string}`;
  theme: Theme;
  title: string;
  /** A line under the title. */
  lead?: string;
  /** The content's own style sheet. */
  css: string;
  /** What has the focus when the modal opens; the close button by default. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Gets all of what is shown, for a guard of its clicks. */
  popupRef?: RefCallback<HTMLElement>;
  /** The close button, Escape, or the browser. */
  onClose: () => void;
  children: ReactNode;
}

/** A modal of this package, on the confirm UI's surface and in its design: focus inside, and given back at the end. */
export function Modal(props: ModalProps) {
  const { open, name, theme, title, lead, css, initialFocus, popupRef, onClose, children } = props;
  const [layer, setLayer] = useState<Layer>();
  const closeButton = useRef<HTMLButtonElement>(null);
  const latestClose = useRef(onClose);
  latestClose.current = onClose;

  const opened = useRef<Layer>(undefined);
  const remove = useCallback((which: Layer | undefined) => {
    which?.remove();
    setLayer((current) => (current === which ? undefined : current));
  }, []);

  useLayoutEffect(() => {
    if (!open) return;
    // A former one may still be fading away.
    opened.current?.remove();
    const mine = openLayer({
      name,
      css: [confirmCss, modalCss, css],
      onForced: () => latestClose.current(),
    });
    opened.current = mine;
    setLayer(mine);
    return () => mine.release(() => remove(mine));
  }, [open, name, css, remove]);
  useLayoutEffect(() => () => opened.current?.remove(), []);
  useLayoutEffect(() => layer?.setTheme(theme), [layer, theme]);

  if (!layer) return null;
  return createPortal(
    <CSPProvider disableStyleElements>
      <Dialog.Root
        open={open}
        modal
        disablePointerDismissal
        onOpenChange={(next, details) => {
          if (next) return;
          // Whoever opened it closes it.
          details.cancel();
          latestClose.current();
        }}
        onOpenChangeComplete={(isOpen) => {
          if (!isOpen) remove(opened.current);
        }}
      >
        <Dialog.Portal container={layer.container} className="portal">
          <Dialog.Backdrop className="backdrop" />
          <Dialog.Popup
            ref={popupRef}
            className="popup modal sheet"
            initialFocus={() => initialFocus?.current ?? closeButton.current}
            finalFocus={false}
          >
            <header>
              <div className="heading">
                <Dialog.Title className="title">{title}</Dialog.Title>
                {lead !== undefined && <Dialog.Description className="lead">{lead}</Dialog.Description>}
              </div>
              <button
                ref={closeButton}
                type="button"
                className="close"
                aria-label="Close"
                onClick={() => latestClose.current()}
              >
                <CloseIcon />
              </button>
            </header>
            {children}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </CSPProvider>,
    layer.tree,
  );
}

import { Dialog } from '@base-ui/react/dialog';
import type { Theme } from 'latchkey';
import { type ReactNode, type RefCallback, type RefObject, useCallback, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTexts } from '../texts/use-texts.js';
import { CloseIcon } from './icons.js';
import { type Layer, openLayer } from './layer.js';
import { LayerDialog } from './layer-dialog.js';
import { modalCss, surfaceCss } from './layer-styles.js';
import { useBrowserLayoutEffect } from './use-browser-layout-effect.js';

export interface ModalProps {
  open: boolean;
  /** The element's name in the page. */
  name: `latchkey-${string}`;
  theme: Theme;
  title: string;
  /** A line under the title. */
  lead?: string | undefined;
  /** The content's own style sheet. */
  css: string;
  /** Gets the focus when the modal opens; the close button by default. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** Gets the whole popup, for a click guard. */
  popupRef?: RefCallback<HTMLElement> | undefined;
  /** Whether it waits for something. */
  busy?: boolean | undefined;
  /** The close button, Escape, or the browser. */
  onClose: () => void;
  children: ReactNode;
}

/** A modal with the confirm UI's layer and design: traps the focus and returns it when closed. */
export function Modal(props: ModalProps) {
  const { open, name, theme, title, lead, css, initialFocus, popupRef, busy, onClose, children } = props;
  const { close } = useTexts().common;
  const [layer, setLayer] = useState<Layer>();
  const closeButton = useRef<HTMLButtonElement>(null);
  const latestClose = useRef(onClose);
  latestClose.current = onClose;

  const opened = useRef<Layer>(undefined);
  const remove = useCallback((which: Layer | undefined) => {
    which?.remove();
    setLayer((current) => (current === which ? undefined : current));
  }, []);

  useBrowserLayoutEffect(() => {
    if (!open) return;
    // An earlier one may still be fading out.
    opened.current?.remove();
    const mine = openLayer({
      name,
      css: [surfaceCss, modalCss, css],
      onForced: () => latestClose.current(),
    });
    opened.current = mine;
    setLayer(mine);
    return () => mine.release(() => remove(mine));
  }, [open, name, css, remove]);
  useBrowserLayoutEffect(() => () => opened.current?.remove(), []);
  useBrowserLayoutEffect(() => layer?.setTheme(theme), [layer, theme]);

  if (!layer) return null;
  return createPortal(
    <LayerDialog
      open={open}
      container={layer.container}
      popupRef={popupRef}
      className="modal sheet"
      aria-busy={busy}
      initialFocus={() => initialFocus?.current ?? closeButton.current}
      onCancel={() => latestClose.current()}
      onClosed={() => remove(opened.current)}
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
          aria-label={close}
          onClick={() => latestClose.current()}
        >
          <CloseIcon />
        </button>
      </header>
      {children}
    </LayerDialog>,
    layer.tree,
  );
}

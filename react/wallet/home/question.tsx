import { type ReactNode, useRef } from 'react';
import { usePasskeyContext } from '../../src/context.js';
import { Modal } from '../../src/surface/modal.js';
import { useHomeTexts } from './texts/index.js';

const questionCss = /* css */ `
.sheet .body { padding-bottom: 20px; }
.body p { overflow-wrap: anywhere; text-wrap: pretty; }
.buttons { grid-template-columns: 1fr 1fr; }
`;

interface QuestionProps {
  open: boolean;
  name: `latchkey-${string}`;
  title: string;
  /** What the danger button says. */
  confirm: string;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something is lost. Cancel has the focus. */
export function Question({
  open,
  name,
  title,
  confirm,
  isBusy = false,
  onConfirm,
  onClose,
  children,
}: QuestionProps) {
  const { theme } = usePasskeyContext();
  const { cancel } = useHomeTexts();
  const cancelButton = useRef<HTMLButtonElement>(null);
  return (
    <Modal
      open={open}
      name={name}
      theme={theme}
      title={title}
      css={questionCss}
      initialFocus={cancelButton}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="body" aria-label={title} tabIndex={0}>
        {children}
      </section>
      <footer>
        <div className="buttons" aria-busy={isBusy}>
          <button ref={cancelButton} type="button" className="button" onClick={onClose}>
            {cancel}
          </button>
          <button
            type="button"
            className="button danger"
            aria-disabled={isBusy}
            onClick={isBusy ? undefined : onConfirm}
          >
            {confirm}
          </button>
        </div>
      </footer>
    </Modal>
  );
}

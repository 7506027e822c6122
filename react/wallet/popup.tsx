/** The UI for a wallet that needs its own window: in the frame that opens it, and in the window. */
import type { Theme } from 'latchkey';
import type { PopupPageUi, PopupScreen } from 'latchkey/wallet';
import { useRef } from 'react';
import type { Root } from 'react-dom/client';
import { adoptDesign } from '../src/surface/design.js';
import { Modal } from '../src/surface/modal.js';
import { useConfirmTexts } from '../src/texts/confirm-texts.js';
import { Filled } from '../src/texts/filled.js';
import { askToContinue } from './ask-to-continue.js';
import { rootUntil } from './root-until.js';
import { showTheme } from './show-theme.js';

const popupCss = /* css */ `
.sheet .body { padding-bottom: 20px; }
.sheet .buttons { grid-template-columns: 2fr 3fr; }
`;
const windowCss = /* css */ `
:root { background: var(--lk-canvas); }
`;

let drawn: { readonly root: Root; readonly signal: AbortSignal } | undefined;

/** Asks in the frame for a click that opens the window. A call with the same signal replaces the screen. */
export function drawPopupScreen(
  ...[{ state, theme }, { open, cancel }, signal]: Parameters<PopupScreen['show']>
): void {
  if (signal.aborted) return;
  const { root } = drawn?.signal === signal ? drawn : drawAnother(signal);
  root.render(<Offer state={state} theme={theme} onOpen={open} onCancel={cancel} />);
}

interface OfferProps extends Pick<Parameters<PopupScreen['show']>[0], 'state' | 'theme'> {
  onOpen: () => void;
  onCancel: () => void;
}

function Offer({ state, theme, onOpen, onCancel }: OfferProps) {
  const { cancel, walletPage: words } = useConfirmTexts();
  const label = { needed: words.openWindow, blocked: words.tryAgain, open: words.showWindow }[state];
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Modal
      open
      name="latchkey-popup"
      theme={theme}
      title={words.windowTitle}
      css={popupCss}
      initialFocus={button}
      onClose={onCancel}
    >
      <section className="body">
        {state === 'blocked' && (
          <p className="error" role="alert">
            {words.windowBlocked}
          </p>
        )}
        {state === 'needed' && <p>{words.windowNeeded}</p>}
        {state === 'open' && <p role="status">{words.windowOpen}</p>}
      </section>
      <footer>
        <div className="buttons">
          <button type="button" className="button" onClick={onCancel}>
            {cancel}
          </button>
          <button ref={button} type="button" className="button primary" onClick={onOpen}>
            {label}
          </button>
        </div>
      </footer>
    </Modal>
  );
}

function drawAnother(signal: AbortSignal): { readonly root: Root; readonly signal: AbortSignal } {
  drawn = { root: rootUntil(signal), signal };
  return drawn;
}

let isDressed = false;

/** Sets the theme of the window and of all that shows in it. */
export function paintWindow(theme: Theme): void {
  document.documentElement.dataset.latchkeyTheme = theme;
  showTheme(theme);
  if (isDressed) return;
  isDressed = true;
  adoptDesign(document, windowCss);
}

/** Asks in the window for the click that a passkey prompt needs. */
export const continueByClick: PopupPageUi['continueByClick'] = ({ kind, rpId }, signal) => {
  return askToContinue(
    ({ walletPage: words }) => ({
      title: kind === 'create' ? words.create : words.use,
      text: (
        <p>
          <Filled text={words.prompt} site={<code>{rpId}</code>} />
        </p>
      ),
    }),
    signal,
  );
};

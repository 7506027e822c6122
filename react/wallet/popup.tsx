/** The UI for a wallet that needs its own window: in the frame that opens it, and in the window. */
import type { Decision, Theme } from 'latchkey';
import type { PopupPageUi, PopupScreen } from 'latchkey/wallet';
import type { RefObject } from 'react';
import type { Root } from 'react-dom/client';
import { Modal } from '../src/surface/modal.js';
import { adoptCss, tokensCss } from '../src/tokens.js';
import { showPage } from './notice.js';
import { rootUntil } from './root-until.js';

const popupCss = /* css */ `
.sheet .body { padding-bottom: 20px; }
.sheet .buttons { grid-template-columns: 2fr 3fr; }
`;
const windowCss = /* css */ `
:root { background: var(--lk-canvas); }
`;
/** The same in each state, because it names the dialog. */
const TITLE = 'The wallet needs its own window';
const BUTTON = { needed: 'Open the window', blocked: 'Try again', open: 'Show the window' } as const;

let drawn: { readonly root: Root; readonly signal: AbortSignal } | undefined;

/** Asks in the frame for a click that opens the window. A call with the same signal replaces the screen. */
export function drawPopupScreen(
  ...[{ state, theme }, { open, cancel }, signal]: Parameters<PopupScreen['show']>
): void {
  if (signal.aborted) return;
  const { root } = drawn?.signal === signal ? drawn : drawAnother(signal);
  const button: RefObject<HTMLButtonElement | null> = { current: null };
  root.render(
    <Modal
      open
      name="latchkey-popup"
      theme={theme}
      title={TITLE}
      css={popupCss}
      initialFocus={button}
      onClose={cancel}
    >
      <section className="body">
        {state === 'blocked' && (
          <p className="error" role="alert">
            The browser blocked the window. Allow pop-ups for this site, then try again.
          </p>
        )}
        {state === 'needed' && (
          <p>This browser lets the wallet ask you only in its own window. The window closes by itself.</p>
        )}
        {state === 'open' && (
          <p role="status">The window is open. Continue there: it closes by itself, and so does this.</p>
        )}
      </section>
      <footer>
        <div className="buttons">
          <button type="button" className="button" onClick={() => cancel()}>
            Cancel
          </button>
          <button ref={button} type="button" className="button primary" onClick={() => open()}>
            {BUTTON[state]}
          </button>
        </div>
      </footer>
    </Modal>,
  );
}

function drawAnother(signal: AbortSignal): { readonly root: Root; readonly signal: AbortSignal } {
  drawn = { root: rootUntil(signal), signal };
  return drawn;
}

/** Sets the window's theme and background. */
export function paintWindow(theme: Theme): void {
  document.documentElement.dataset.latchkeyTheme = theme;
  adoptCss(document, tokensCss, windowCss);
}

/** Asks in the window for the click that a passkey prompt needs. */
export const continueByClick: PopupPageUi['continueByClick'] = ({ kind, rpId }, signal) =>
  new Promise<Decision>((resolve) => {
    if (signal.aborted) return resolve('cancel');
    const page = showPage(
      kind === 'create' ? 'Create your passkey' : 'Use your passkey',
      <>
        <p>
          Your browser will ask for a passkey of <code>{rpId}</code>, for your request in the app.
        </p>
        <div className="buttons">
          <button type="button" onClick={() => answer('cancel')}>
            Cancel
          </button>
          <button type="button" className="primary" onClick={() => answer('confirm')}>
            Continue with passkey
          </button>
        </div>
      </>,
    );
    const answer = (decision: Decision): void => {
      page.remove();
      resolve(decision);
    };
    signal.addEventListener('abort', () => answer('cancel'), { once: true });
  });

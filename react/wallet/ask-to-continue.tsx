import type { ReactNode } from 'react';
import { confirmTexts } from '../src/texts/current-confirm.js';
import { showPage } from './notice.js';

/** Asks in the window for the click that a passkey prompt needs. An abort of `signal` cancels. */
export function askToContinue(
  title: string,
  text: ReactNode,
  signal: AbortSignal,
): Promise<'confirm' | 'cancel'> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve('cancel');
    const { cancel, walletPage } = confirmTexts();
    const page = showPage(
      title,
      <>
        {text}
        <div className="buttons">
          <button type="button" onClick={() => answer('cancel')}>
            {cancel}
          </button>
          <button type="button" className="primary" onClick={() => answer('confirm')}>
            {walletPage.continue}
          </button>
        </div>
      </>,
    );
    const answer = (decision: 'confirm' | 'cancel'): void => {
      page.remove();
      resolve(decision);
    };
    signal.addEventListener('abort', () => answer('cancel'), { once: true });
  });
}

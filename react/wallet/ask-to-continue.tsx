import type { ReactNode } from 'react';
import { useClickGuard } from '../src/surface/use-click-guard.js';
import { useConfirmTexts } from '../src/texts/confirm-texts.js';
import { type DrawPage, showPage } from './notice.js';

type Answer = 'confirm' | 'cancel';

/** Asks in the window for the click that a passkey prompt needs. An abort of `signal` cancels. */
export function askToContinue(draw: DrawPage, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve('cancel');
    const answer = (decision: Answer): void => {
      page.remove();
      resolve(decision);
    };
    const page = showPage((texts) => {
      const { title, text } = draw(texts);
      return { title, text: <Question text={text} onAnswer={answer} /> };
    });
    signal.addEventListener('abort', () => answer('cancel'), { once: true });
  });
}

function Question({ text, onAnswer }: { text: ReactNode; onAnswer: (decision: Answer) => void }) {
  const { cancel, tooSoon, walletPage } = useConfirmTexts();
  const guard = useClickGuard('continue');
  return (
    <div ref={guard.ref} className="asked">
      {text}
      <p className="sr-only" role="status">
        {guard.isTooSoon && tooSoon}
      </p>
      <div className="buttons">
        <button type="button" onClick={() => onAnswer('cancel')}>
          {cancel}
        </button>
        <button
          type="button"
          className="primary"
          aria-disabled={!guard.isArmed}
          onClick={({ nativeEvent }) => {
            if (guard.accepts(nativeEvent)) onAnswer('confirm');
          }}
        >
          {walletPage.continue}
        </button>
      </div>
    </div>
  );
}

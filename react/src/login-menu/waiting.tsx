import { useEffect, useRef } from 'react';
import { BackIcon } from '../surface/icons.js';
import { useTexts } from '../texts/use-texts.js';

export interface WaitingProps {
  text: string;
  /** The account that the flow is about, if known. */
  account?: string | undefined;
  /** Ends the flow; without it there is no back button. */
  onBack?: (() => void) | undefined;
}

/** The view that a user sees while a flow runs. */
export function Waiting({ text, account, onBack }: WaitingProps) {
  const { common, loginMenu } = useTexts();
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <section className="menu waiting" aria-label={loginMenu.waiting}>
      {onBack && (
        <button ref={back} type="button" className="close" aria-label={common.back} onClick={onBack}>
          <BackIcon />
        </button>
      )}
      <div className="pulse" aria-hidden="true">
        <span className="arc" />
      </div>
      <p role="status">{text}</p>
      {account && <p className="faint break">{account}</p>}
    </section>
  );
}

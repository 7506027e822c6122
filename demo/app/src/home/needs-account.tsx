import { useId } from 'react';
import { texts } from '../texts/texts.js';

/** The place of the first step in the page. */
export const ACCOUNT_STEP = 'account';

/** The button of a step, for a user who is logged out: it waits, and a link leads to the first step. */
export function NeedsAccount({ label }: { label: string }) {
  const id = useId();
  return (
    <div className="stack">
      <div>
        <button type="button" className="button primary" aria-disabled="true" aria-describedby={id}>
          {label}
        </button>
      </div>
      <p id={id}>
        <a href={`#${ACCOUNT_STEP}`}>{texts.home.needsAccount}</a>
      </p>
    </div>
  );
}

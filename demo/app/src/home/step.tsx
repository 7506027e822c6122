import { CheckIcon } from 'latchkey-react/icons';
import { type ReactNode, useId } from 'react';
import { texts } from '../texts/texts.js';

const words = texts.home;

interface StepProps {
  /** Its place in the page, for a link. */
  id?: string;
  title: string;
  lead: string;
  isDone: boolean;
  /** What the user does here. */
  children: ReactNode;
  code: ReactNode;
  safety: ReactNode;
  /** Whether code and safety wait behind a press. Default false. */
  isFolded?: boolean;
}

/** A step of the first page: what the user does, next to the code that does it. */
export function Step({ id, title, lead, isDone, children, code, safety, isFolded = false }: StepProps) {
  const titleId = useId();
  const explained = (
    <div className="step-code">
      {code}
      {safety}
    </div>
  );
  return (
    <li id={id} className="step" data-done={isDone || undefined}>
      <section aria-labelledby={titleId}>
        <div className="step-act">
          <div className="step-text">
            <h2>
              {isDone && (
                <>
                  <CheckIcon />
                  <span className="sr-only">{words.done} </span>
                </>
              )}
              <span id={titleId}>{title}</span>
            </h2>
            <p className="muted">{lead}</p>
          </div>
          {children}
        </div>
        {isFolded ? (
          <details className="folded">
            <summary>{words.code.ofStep}</summary>
            {explained}
          </details>
        ) : (
          explained
        )}
      </section>
    </li>
  );
}

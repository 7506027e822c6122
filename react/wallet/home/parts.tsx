import { filled } from 'latchkey/internal';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FailureNote, FailureText } from '../../src/surface/failure.js';
import { AlertIcon, CheckIcon, CopyIcon } from '../../src/surface/icons.js';
import { canTryAgain, type Failure, thrownFailure } from '../../src/texts/error-text.js';
import { useHomeTexts } from './texts/index.js';

/** The focus moves to a screen's title when the user goes there; not when the page opens. */
let isFirst = true;

/** One screen: its title, a line about it, and its content. */
export function Screen({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const words = useHomeTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = filled(words.title, { screen: title });
  }, [words, title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <>
      <div className="heading">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p className="lead">{lead}</p>}
      </div>
      {children}
    </>
  );
}

export function Loading() {
  const { reading } = useHomeTexts();
  return (
    <p className="card quiet-state status" role="status">
      <span className="spinner" aria-hidden="true" />
      {reading}
    </p>
  );
}

/** A list that has nothing yet. */
export function Empty({ icon, title, more }: { icon: ReactNode; title: string; more: string }) {
  return (
    <div className="card empty-state">
      <span className="badge">{icon}</span>
      <strong>{title}</strong>
      <p className="faint">{more}</p>
    </div>
  );
}

/** What could not be read, and another try. */
export function Failed({ title, error, onAgain }: { title: string; error: Error; onAgain: () => void }) {
  const { again } = useHomeTexts();
  const failure = thrownFailure(error);
  return (
    <div className="card empty-state">
      <span className="badge bad">
        <AlertIcon />
      </span>
      <strong>{title}</strong>
      <FailureText failure={failure} />
      {canTryAgain(failure) && (
        <button type="button" className="button" onClick={onAgain}>
          {again}
        </button>
      )}
    </div>
  );
}

/** A failure right where it arose, or a sentence of this page in its place. */
export function Problem({ of }: { of: Failure | string | undefined }) {
  if (of === undefined) return null;
  return typeof of === 'string' ? <Said text={of} /> : <FailureNote failure={of} />;
}

/** What the user did, which is no fault. */
function Said({ text }: { text: string }) {
  return (
    <div className="error neutral">
      <p role="alert">{text}</p>
    </div>
  );
}

const COPIED_MS = 3000;

/** Copies a text; says whether that worked. */
export function Copy({ text, what }: { text: string; what: string }) {
  const words = useHomeTexts();
  const [end, setEnd] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (end === undefined) return;
    const timer = setTimeout(() => setEnd(undefined), COPIED_MS);
    return () => clearTimeout(timer);
  }, [end]);
  const copy = (): void => {
    // Without a clipboard the promise is refused too, and the user can select the text.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => setEnd('copied'),
        () => setEnd('refused'),
      );
  };
  return (
    <span className="copy">
      <button type="button" className="icon-button" aria-label={filled(words.copy, { what })} onClick={copy}>
        {end === 'copied' ? <CheckIcon /> : <CopyIcon />}
      </button>
      <span role="status" className={end === 'refused' ? 'said' : 'sr-only'}>
        {end === 'copied' && words.copied}
        {end === 'refused' && words.notCopied}
      </span>
    </span>
  );
}

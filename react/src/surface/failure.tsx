'use client';
import type { ReactNode } from 'react';
import { errorText, type Failure, isCancelled } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
import { AlertIcon } from './icons.js';
import { UntrustedText } from './untrusted-text.js';

/** A failure right where it arose: the sentence for the user, and under Details what exactly failed. */
export function FailureNote({ failure }: { failure: Failure }) {
  const isNeutral = isCancelled(failure.code);
  return (
    <div className={isNeutral ? 'error neutral' : 'error'}>
      {!isNeutral && <AlertIcon />}
      <div>
        <FailureText failure={failure} />
      </div>
    </div>
  );
}

/** In the same box, a sentence that is no error's. */
export function Note({ text }: { text: string | undefined }) {
  return (
    <div className="error">
      <AlertIcon />
      <p role="alert">{text}</p>
    </div>
  );
}

/** The same without a box. */
export function FailureText({ failure }: { failure: Failure }) {
  useTexts();
  return (
    <>
      <p role="alert">{errorText(failure)}</p>
      <FailureDetails failure={failure} />
    </>
  );
}

/** The code and the words of the error itself, which may be those of a server or a contract; folded. */
export function FailureDetails({ failure }: { failure: Failure }) {
  useTexts();
  const { code, message } = failure;
  if (message === '' || message === errorText(failure)) return null;
  return (
    <Details>
      <p lang="en" translate="no">
        {code !== undefined && (
          <>
            <code>{code}</code>{' '}
          </>
        )}
        <UntrustedText text={message} />
      </p>
    </Details>
  );
}

/** What only a developer or support reads; folded. */
export function Details({ children }: { children: ReactNode }) {
  const { details } = useTexts().common;
  return (
    <details className="exact">
      <summary>{details}</summary>
      {children}
    </details>
  );
}

import type { Outcome as Result } from 'latchkey';
import { useTexts } from 'latchkey-react';
import { englishHeadlines, headlineOf } from 'latchkey-react/errors';
import { texts } from './texts';

/** What became of a step, or why it failed. */
export function Outcome({ said, failure }: { said: string; failure: string }) {
  return (
    <>
      <p role="status">{said}</p>
      {failure && <p role="alert">{failure}</p>}
    </>
  );
}

/** Gives the words of a call that failed, in the app's language. */
export function useFailureWords(): (result: Omit<Result, 'success'>) => string {
  const { errors } = useTexts();
  return ({ error = texts.failed, errorCode, errorValues }) =>
    headlineOf(errors ?? englishHeadlines, errorCode, errorValues) ?? error;
}

import { type Failure, FailureText } from 'latchkey-react';

/** What became of a step, or why it failed. */
export function Outcome({ said, failure }: { said: string; failure: Failure | undefined }) {
  return (
    <>
      <p role="status">{said}</p>
      {failure && <FailureText failure={failure} />}
    </>
  );
}

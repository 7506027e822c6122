import type { ActionResult } from 'latchkey';
import { FailureText, outcomeFailure } from 'latchkey-react';

/** Why an action was not sent, or failed. */
export function NotSent({ result }: { result: ActionResult }) {
  const failure = outcomeFailure(result);
  return (
    <div className={failure.code === 'CANCELLED' ? 'notice' : 'notice bad'}>
      <div>
        <FailureText failure={failure} />
      </div>
    </div>
  );
}

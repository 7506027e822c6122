import { canTryAgain, FailureText, ResumedNotices, thrownFailure, usePasskeyContext } from 'latchkey-react';
import { AlertIcon } from 'latchkey-react/icons';
import { useLocation } from 'react-router';
import { useOnline } from './use-online.js';

const NOT_STARTED = 'The wallet could not start';

/**
 * Says that the device is offline, that the wallet could not start (at `/`, its login menu says that), and what became of
 * payments from before.
 */
export function Notices() {
  const { startError, startAgain } = usePasskeyContext();
  const isOnline = useOnline();
  const { pathname } = useLocation();
  const failure = startError && pathname !== '/' ? thrownFailure(startError) : undefined;
  return (
    <>
      {!isOnline && !startError && (
        <p className="notice wide" role="status">
          This device is offline. Your keys and your money are safe.
        </p>
      )}
      {failure && (
        <section className="notice bad wide" aria-label={NOT_STARTED}>
          <AlertIcon />
          <div>
            <strong>{NOT_STARTED}</strong>
            <FailureText failure={failure} />
            {canTryAgain(failure) && (
              <button type="button" className="button small" onClick={startAgain}>
                Try again
              </button>
            )}
          </div>
        </section>
      )}
      <div className="from-before">
        <ResumedNotices kinds={['payments']} />
      </div>
    </>
  );
}

import {
  canTryAgain,
  FailureText,
  ResumedNotices,
  thrownFailure,
  usePasskeyContext,
  useTexts,
} from 'latchkey-react';
import { AlertIcon } from 'latchkey-react/icons';
import { useLocation } from 'react-router';
import { texts } from './texts/texts.js';
import { useOnline } from './use-online.js';

const words = texts.notices;

/**
 * Says that the device is offline, that the wallet could not start (at `/`, its login menu says that), and what became of
 * payments from before.
 */
export function Notices() {
  const { startError, startAgain } = usePasskeyContext();
  const { common } = useTexts();
  const isOnline = useOnline();
  const { pathname } = useLocation();
  const failure = startError && pathname !== '/' ? thrownFailure(startError) : undefined;
  return (
    <>
      {!isOnline && !startError && (
        <p className="notice wide" role="status">
          {words.offline}
        </p>
      )}
      {failure && (
        <section className="notice bad wide" aria-label={words.notStarted}>
          <AlertIcon />
          <div>
            <strong>{words.notStarted}</strong>
            <FailureText failure={failure} />
            {canTryAgain(failure) && (
              <button type="button" className="button small" onClick={startAgain}>
                {common.tryAgain}
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

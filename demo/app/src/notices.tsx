import { ResumedNotices, usePasskeyContext } from 'latchkey-react';
import { AlertIcon } from 'latchkey-react/icons';

/** Says that the wallet could not start, and what became of payments from before. */
export function Notices() {
  const { startError, startAgain } = usePasskeyContext();
  return (
    <>
      {startError && (
        <div className="notice bad wide" role="alert">
          <AlertIcon />
          <div>
            <strong>The wallet could not start</strong>
            <span>{startError.message}</span>
            <button type="button" className="button small" onClick={startAgain}>
              Try again
            </button>
          </div>
        </div>
      )}
      <div className="from-before">
        <ResumedNotices kinds={['payments']} />
      </div>
    </>
  );
}

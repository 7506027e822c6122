import { useId } from 'react';
import { FailureNote } from '../surface/failure.js';
import { canTryAgain, type Failure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';

/** In the place of the menu: why the wallet could not start, and another try where one can help. */
export function NotStarted({ failure, onAgain }: { failure: Failure; onAgain: () => void }) {
  const id = useId();
  const { common, loginMenu } = useTexts();
  return (
    <section className="menu" aria-labelledby={id}>
      <div className="title-block">
        <h2 id={id}>{loginMenu.notStarted}</h2>
      </div>
      <FailureNote failure={failure} />
      {canTryAgain(failure) && (
        <button type="button" className="button primary" onClick={onAgain}>
          {common.tryAgain}
        </button>
      )}
    </section>
  );
}

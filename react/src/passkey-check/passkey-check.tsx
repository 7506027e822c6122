'use client';
import { usePasskeyContext } from '../context.js';
import { resumedCss } from '../resumed/styles.js';
import { AlertIcon } from '../surface/icons.js';
import { Inline } from '../surface/inline.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';
import { usePasskeyCheck } from './use-passkey-check.js';

export interface PasskeyCheckProps {
  /** Called at the button that goes on without the check: show the address, for example. Without it, no button. */
  onSkip?: (() => void) | undefined;
}

/**
 * Asks the user to check the passkey before money comes in: one touch shows whether it gives the same keys again. Draws nothing
 * where the passkey is proven.
 */
export function PasskeyCheck({ onSkip }: PasskeyCheckProps) {
  const { theme } = usePasskeyContext();
  const { accountId, check, isChecking, problem } = usePasskeyCheck();
  const words = useTexts().passkeyCheck;
  if (accountId === null) return null;
  const account = (
    <b>
      <UntrustedText text={accountId} />
    </b>
  );
  return (
    <Inline theme={theme} css={resumedCss}>
      <section className="notices" aria-label={words.title} role="status">
        <div className="notice">
          <AlertIcon />
          <div>
            <strong>{words.title}</strong>
            <div className="say">
              <Filled text={words.why} account={account} />
            </div>
            {problem && (
              <p className="say" role="alert">
                {problem}
              </p>
            )}
            <div className="ends">
              <button
                type="button"
                className="button"
                aria-disabled={isChecking}
                onClick={() => void check()}
              >
                {isChecking ? words.checking : words.check}
              </button>
              {onSkip && (
                <button type="button" className="button" onClick={onSkip}>
                  {words.skip}
                </button>
              )}
            </div>
          </div>
        </div>
      </section>
    </Inline>
  );
}

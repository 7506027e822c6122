'use client';
import { isPlaceholderId } from 'latchkey/internal';
import { usePasskeyContext } from '../context.js';
import { Account, Notice, Notices } from '../surface/notices.js';
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
  const { accountId, check, isChecking, failure } = usePasskeyCheck();
  const words = useTexts().passkeyCheck;
  if (accountId === null) return null;
  const isHidden = isPlaceholderId(accountId);
  return (
    <Notices theme={theme} label={words.title}>
      <Notice
        title={words.title}
        failure={failure}
        buttons={
          <>
            <button type="button" className="button" aria-disabled={isChecking} onClick={() => void check()}>
              {isChecking ? words.checking : isHidden ? words.showAddress : words.check}
            </button>
            {onSkip && (
              <button type="button" className="button" onClick={onSkip}>
                {words.skip}
              </button>
            )}
          </>
        }
      >
        {isHidden ? words.noAddress : <Filled text={words.why} account={<Account id={accountId} />} />}
      </Notice>
    </Notices>
  );
}

import { useState } from 'react';
import { OtherWayButtons } from '../../src/login-menu/other-ways.js';
import { useRecoveryPhrase } from '../../src/recovery-phrase/use-recovery-phrase.js';
import { type Failure, thrownFailure } from '../../src/texts/error-text.js';
import { useTexts } from '../../src/texts/use-texts.js';
import { JoinDialog } from './join-dialog.js';
import { Problem } from './parts.js';

/** The other ways into an account whose passkey the browser did not offer. */
export function MissingPasskey({ accountId }: { accountId: string }) {
  const { common } = useTexts();
  const phrase = useRecoveryPhrase();
  const [isJoining, setJoining] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  return (
    <div className="missing">
      <p className="faint small">{common.missingPasskey}</p>
      <Problem of={failure ?? phrase.failure} />
      <div className="actions">
        <OtherWayButtons
          onDevice={() => {
            setFailure(undefined);
            setJoining(true);
          }}
          phrase={
            phrase.isAllowed
              ? { isOpen: phrase.isOpen, onOpen: () => void phrase.restore(accountId) }
              : undefined
          }
        />
      </div>
      <JoinDialog
        open={isJoining}
        accountId={accountId}
        onClose={() => setJoining(false)}
        onError={(error) => setFailure(thrownFailure(error))}
        onLinked={() => setJoining(false)}
      />
    </div>
  );
}

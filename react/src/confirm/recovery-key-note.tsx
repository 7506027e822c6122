import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { WarningSign } from './action-list.js';
import { Untrusted } from './untrusted.js';

/** Says that the key which the transaction adds is a recovery phrase's, and who can use it. */
export function RecoveryKeyNote({ accountId }: { accountId: string }) {
  const { note, recoveryKey } = useConfirmTexts();
  return (
    <p className="warning note">
      <WarningSign />
      <span>
        <strong>{note}</strong> <Filled text={recoveryKey} account={<Untrusted text={accountId} />} />
      </span>
    </p>
  );
}

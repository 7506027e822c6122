'use client';
import { usePasskeyContext } from '../context.js';
import { useDeviceTexts } from '../linked-devices/device-texts.js';
import { useRecoveryPhrase } from '../recovery-phrase/use-recovery-phrase.js';
import { Account, Notice, Notices } from '../surface/notices.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';
import { useBackupReminder } from './use-backup-reminder.js';

export interface BackupReminderProps {
  /** Called at the button that links a second device: show the scanner, for example. Without it, no button. */
  onLinkDevice?: (() => void) | undefined;
}

/**
 * Reminds the user whose account has one device, with a passkey that is not backed up, or has no name and its first money: what
 * that means, that the account is safe now, and what to do: link a device, or make a recovery phrase where the wallet may show
 * one. Draws nothing where it does not apply, and nothing for 7 days after "Later".
 */
export function BackupReminder({ onLinkDevice }: BackupReminderProps) {
  const { theme } = usePasskeyContext();
  const { accountId, backup, isUnrecorded, later, refresh } = useBackupReminder();
  const phrase = useRecoveryPhrase();
  const words = useTexts().backup;
  const more = useDeviceTexts();
  if (accountId === null) return null;
  const ofDevice = backup === 'device-bound' ? words.deviceBound : words.notBackedUp;
  const why = backup === 'backed-up' ? more.alone : ofDevice;
  const makePhrase = async (account: string): Promise<void> => {
    if (await phrase.make(account)) await refresh();
  };
  return (
    <Notices theme={theme} label={words.label}>
      <Notice
        title={words.title}
        failure={phrase.failure}
        buttons={
          <>
            {onLinkDevice && !isUnrecorded && (
              <button type="button" className="button" onClick={onLinkDevice}>
                {words.link}
              </button>
            )}
            {phrase.isAllowed && (
              <button
                type="button"
                className="button"
                aria-disabled={phrase.isOpen}
                onClick={() => void makePhrase(accountId)}
              >
                {words.phrase}
              </button>
            )}
            <button type="button" className="button" onClick={later}>
              {words.later}
            </button>
          </>
        }
      >
        <Filled text={why} account={<Account id={accountId} />} />{' '}
        {backup === 'backed-up' || isUnrecorded ? more.aloneRemedy : words.remedy}
      </Notice>
    </Notices>
  );
}

'use client';
import type { LinkedDevices, PasskeyBackup } from 'latchkey';
import { useCallback, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { useLoginState } from '../use-login-state.js';
import { useRead } from '../use-read.js';
import { isPutOff, putOff } from './put-off.js';

export interface BackupReminderState {
  /**
   * The account that the loss of this device would end: it has one device, whose passkey is not backed up, and no other
   * key with full access. Null while that is not so, not known yet, or put off.
   */
  accountId: string | null;
  /** What the passkey says: whether it can be backed up at all. */
  backup: Exclude<PasskeyBackup, 'backed-up'> | null;
  /** Asks no more for 7 days, on this origin. */
  later: () => void;
  /** Reads the account's devices again, after another one was linked for example. */
  refresh: () => Promise<void>;
}

/** Whether to remind the user who is logged in of a second way into the account. Asks the chain only where it matters. */
export function useBackupReminder(): BackupReminderState {
  const { passkeyManager } = usePasskeyContext();
  const { accountId, loginState } = useLoginState();
  const [putOffFor, setPutOffFor] = useState<string>();
  const said = loginState.userData?.passkeyBackup;
  const backup = accountId === null || said === undefined || said === 'backed-up' ? null : said;
  const isAsked = backup !== null && accountId !== null && putOffFor !== accountId && !isPutOff(accountId);

  const read = useCallback(
    () => passkeyManager.getLinkedDevices(accountId ?? ''),
    [passkeyManager, accountId],
  );
  const { value: list, reload: refresh } = useRead(isAsked ? read : null);
  const later = useCallback(() => {
    if (accountId === null) return;
    putOff(accountId);
    setPutOffFor(accountId);
  }, [accountId]);

  const isDue = isAsked && list?.accountId === accountId && isOnlyWayIn(list);
  return { accountId: isDue ? accountId : null, backup: isDue ? backup : null, later, refresh };
}

/** Whether one device holds the account's only key with full access. */
function isOnlyWayIn({ devices, otherKeys }: LinkedDevices): boolean {
  return devices.filter(({ accessKey }) => accessKey !== null).length === 1 && otherKeys.length === 0;
}

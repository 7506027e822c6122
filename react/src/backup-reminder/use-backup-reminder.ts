'use client';
import type { LinkedDevices, PasskeyBackup } from 'latchkey';
import { isNearImplicitAccountId } from 'latchkey/internal';
import { useCallback, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { useLoginState } from '../use-login-state.js';
import { useRead } from '../use-read.js';

const PREFIX = 'latchkey:backup-reminder:';
const PUT_OFF_MS = 7 * 86_400_000;

export interface BackupReminderState {
  /**
   * The account that the loss of this device would end: it has one device, whose passkey is not backed up, and no other
   * key with full access. One without a name also where its passkey is backed up, once there is money: nothing else opens it.
   * Null while that is not so, not known yet, or put off.
   */
  accountId: string | null;
  /** What the passkey says: whether it can be backed up at all. */
  backup: PasskeyBackup | null;
  /** Whether another device cannot be linked yet, because the registry does not have this one's passkey. */
  isUnrecorded: boolean;
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
  const isNameless = accountId !== null && isNearImplicitAccountId(accountId);
  const backup = isNameless ? (said ?? 'backed-up') : said === 'backed-up' ? null : (said ?? null);
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
  return {
    accountId: isDue ? accountId : null,
    backup: isDue ? backup : null,
    isUnrecorded: isDue && list.devices.some((device) => device.isUnrecorded),
    later,
    refresh,
  };
}

/** Whether one device holds the account's only key with full access. */
function isOnlyWayIn({ devices, otherKeys }: LinkedDevices): boolean {
  return devices.filter(({ accessKey }) => accessKey !== null).length === 1 && otherKeys.length === 0;
}

/** Whether the user has put the reminder off. Where storage is refused, it is asked on each visit. */
function isPutOff(accountId: string): boolean {
  try {
    const at = Number(localStorage.getItem(PREFIX + accountId) ?? 0);
    return at <= Date.now() && Date.now() < at + PUT_OFF_MS;
  } catch {
    return false;
  }
}

/** Puts the reminder off for 7 days, on this origin. False where the browser refuses storage: then it holds for this page. */
function putOff(accountId: string): boolean {
  try {
    localStorage.setItem(PREFIX + accountId, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

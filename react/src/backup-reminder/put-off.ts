const PREFIX = 'latchkey:backup-reminder:';
const PUT_OFF_MS = 7 * 86_400_000;

/** Whether the user has put the reminder off. Where storage is refused, it is asked on each visit. */
export function isPutOff(accountId: string): boolean {
  try {
    const at = Number(localStorage.getItem(PREFIX + accountId) ?? 0);
    return at <= Date.now() && Date.now() < at + PUT_OFF_MS;
  } catch {
    return false;
  }
}

/** Puts the reminder off for 7 days, on this origin. False where the browser refuses storage: then it holds for this page. */
export function putOff(accountId: string): boolean {
  try {
    localStorage.setItem(PREFIX + accountId, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

/**
 * Which accounts were used through one host of the wallet frame. A host is shown those alone: for it every other account
 * of this device is unknown (appState key `host:<origin>`).
 */
import type { ConfirmationConfig } from '../types.js';
import type { LastUser, UserRecord } from './records.js';

const HOST_PREFIX = 'host:';

/** `accounts` in the order in which they were first used there. */
export interface HostAccounts {
  readonly accounts: readonly string[];
  readonly lastUser?: LastUser;
  /** How the person wants requests of this host confirmed, by account: chosen in the wallet, for this host alone. */
  readonly chosen?: Readonly<Record<string, Partial<ConfirmationConfig>>>;
}

export function hostKey(host: string): string {
  return HOST_PREFIX + host;
}

/** With the account that is used there now. */
export function withUsed(known: HostAccounts | undefined, used: LastUser): HostAccounts {
  const accounts = known?.accounts ?? [];
  return {
    ...known,
    accounts: accounts.includes(used.accountId) ? accounts : [...accounts, used.accountId],
    lastUser: used,
  };
}

/** With what the person chose anew. */
export function withChosen(
  known: HostAccounts | undefined,
  accountId: string,
  change: Partial<ConfirmationConfig>,
): HostAccounts {
  const chosen = { ...known?.chosen, [accountId]: { ...known?.chosen?.[accountId], ...change } };
  return { accounts: [], ...known, chosen };
}

/** The record as the host is shown it: what the person chose for other hosts is not among it. */
export function shownTo(known: HostAccounts, record: UserRecord): UserRecord {
  const { confirmationConfig: _ofOthers, ...preferences } = record.preferences;
  const confirmationConfig = known.chosen?.[record.nearAccountId];
  return { ...record, preferences: { ...preferences, ...(confirmationConfig && { confirmationConfig }) } };
}

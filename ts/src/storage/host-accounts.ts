/**
 * The accounts used through one host of the wallet frame. The host sees only these: every other account of this
 * device is unknown to it (appState key `host:<origin>`).
 */
import type { Choices, ConfirmationConfig } from '../types.js';
import type { LastUser, UserRecord } from './records.js';

export const HOST_PREFIX = 'host:';

/** `accounts` in the order of their first use there. */
export interface HostAccounts {
  readonly accounts: readonly string[];
  readonly lastUser?: LastUser;
  /** The user's confirmation settings for this host, by account. Set in the wallet; they apply to this host alone. */
  readonly chosen?: Readonly<Record<string, Partial<ConfirmationConfig>>>;
}

export function hostKey(host: string): string {
  return HOST_PREFIX + host;
}

/** Adds the account in use. */
export function withUsed(known: HostAccounts | undefined, used: LastUser): HostAccounts {
  const accounts = known?.accounts ?? [];
  return {
    ...known,
    accounts: accounts.includes(used.accountId) ? accounts : [...accounts, used.accountId],
    lastUser: used,
  };
}

/** Applies the changed choices: null takes one back, and what is undefined stays. */
export function withChoices<T extends object>(
  before: Partial<T> | undefined,
  change: Choices<T>,
): Partial<T> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const all = Object.entries({ ...before, ...Object.fromEntries(given) });
  return Object.fromEntries(all.filter(([, value]) => value !== null)) as Partial<T>;
}

/** Adds a changed confirmation setting. */
export function withChosen(
  known: HostAccounts | undefined,
  accountId: string,
  change: Choices<ConfirmationConfig>,
): HostAccounts {
  const chosen = { ...known?.chosen, [accountId]: withChoices(known?.chosen?.[accountId], change) };
  return { accounts: [], ...known, chosen };
}

/** The record as this host sees it, without the user's choices for other hosts. */
export function shownTo(known: HostAccounts, record: UserRecord): UserRecord {
  const { confirmationConfig: _ofOthers, ...preferences } = record.preferences;
  const confirmationConfig = known.chosen?.[record.nearAccountId];
  return { ...record, preferences: { ...preferences, ...(confirmationConfig && { confirmationConfig }) } };
}

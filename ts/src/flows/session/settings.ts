/**
 * The confirmation settings, in separate layers: the page's code (stored for that page, account by account), the
 * user's own choice (stored with the account), and the call's. Only the user's choice lets a request inside a
 * frame skip the click, so a page's settings are never stored there.
 */

import { type ConfirmationSettings, mergedSettings } from '../../confirm/decide.js';
import { checkedSettings } from '../../confirm/settings-check.js';
import { LatchkeyError, NO_USER_DATA } from '../../errors/wallet.js';
import { assertExistingAccountId } from '../../near/account-id.js';
import type { UserRecord } from '../../storage/records.js';
import type { ConfirmationConfig, ConfirmationWish } from '../../types.js';
import type { FlowContext } from '../context.js';

/** Throws INVALID_CONFIG for settings of the call that are unknown or have a wrong value. */
export async function confirmationSettings(
  { config, store, page }: FlowContext,
  user: UserRecord | undefined,
  ofCall: ConfirmationWish | undefined,
): Promise<ConfirmationSettings> {
  const ofPage = await store.pageSettings(page);
  const preferences = user?.preferences;
  return {
    page: {
      ...config.confirmationConfig,
      ...ofPage.confirmation,
      ...(user && ofPage.accounts?.[user.nearAccountId]),
    },
    user: {
      ...preferences?.confirmationConfig,
      ...(preferences?.theme && { theme: preferences.theme }),
    },
    call: ofCall && checkedSettings(ofCall),
  };
}

/** The settings of an account: the one given, else the one logged in, else the one last used. */
export async function getConfirmationConfig(
  context: FlowContext,
  accountId?: string,
): Promise<ConfirmationConfig> {
  const user = await theAccount(context, accountId);
  return mergedSettings(await confirmationSettings(context, user, undefined));
}

/** The account given, else the one logged in, else the one last used. */
export async function theAccount(
  { vrf, store }: FlowContext,
  accountId: string | undefined,
): Promise<UserRecord | undefined> {
  if (accountId !== undefined) {
    assertExistingAccountId(accountId);
    const user = await store.user(accountId);
    if (!user) throw new LatchkeyError(NO_USER_DATA, { values: { account: accountId } });
    return user;
  }
  const status = await vrf.call('status', []);
  if (status.accountId) return store.user(status.accountId);
  const [last] = await store.users();
  return last;
}

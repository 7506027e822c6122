/**
 * The confirmation settings, in separate layers: the page's code (stored for that page, account by account), the
 * person's own choice (stored with the account), and the call's. Only the person's choice lets a request inside a
 * frame skip the click, so a page's settings are never stored there.
 */

import { type ConfirmationSettings, mergedSettings } from '../../confirm/decide.js';
import { assertSettings } from '../../confirm/settings-check.js';
import { LatchkeyError } from '../../errors/index.js';
import { assertAccountId } from '../../near/account-id.js';
import type { UserRecord } from '../../storage/records.js';
import type {
  ConfirmationBehavior,
  ConfirmationConfig,
  Theme,
  UserPreferences,
  UserPreferencesChange,
} from '../../types.js';
import type { FlowContext } from '../context.js';

export async function confirmationSettings(
  { config, store, page }: FlowContext,
  user: UserRecord | undefined,
  ofCall: Partial<ConfirmationConfig> | undefined,
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
    call: ofCall,
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

/** Stores what the page's code sets: for this page alone, with that account; without one, for every account here. */
export async function setConfirmationConfig(
  context: FlowContext,
  change: Partial<ConfirmationConfig>,
  accountId?: string,
): Promise<void> {
  assertSettings(change);
  const user = await theAccount(context, accountId);
  await context.store.updatePageSettings(context.page, user?.nearAccountId, change);
}

export async function setConfirmBehavior(
  context: FlowContext,
  behavior: ConfirmationBehavior,
  accountId?: string,
): Promise<void> {
  await setConfirmationConfig(context, { behavior }, accountId);
}

/** Returns what is stored with the account: the person's own choices. */
export async function getUserPreferences(context: FlowContext, accountId?: string): Promise<UserPreferences> {
  return (await knownAccount(context, accountId)).preferences;
}

/**
 * Stores what the person chose in the wallet's own screens. In a frame, the choice of how to confirm applies to that
 * host alone.
 */
export async function setUserPreferences(
  context: FlowContext,
  { confirmationConfig, theme, useRelayer, useNetwork }: UserPreferencesChange,
  accountId?: string,
): Promise<void> {
  assertSettings({ ...confirmationConfig, ...(theme && { theme }) });
  const user = await knownAccount(context, accountId);
  const isOfHost = context.store.host !== undefined;
  if (isOfHost && confirmationConfig)
    await context.store.updateChosen(user.nearAccountId, confirmationConfig);
  await context.store.updateUser(user.nearAccountId, user.deviceNumber, ({ preferences }) => ({
    preferences: {
      ...preferences,
      ...(theme && { theme }),
      ...(useRelayer !== undefined && { useRelayer }),
      ...(useNetwork !== undefined && { useNetwork }),
      ...(confirmationConfig &&
        !isOfHost && {
          confirmationConfig: { ...preferences.confirmationConfig, ...confirmationConfig },
        }),
    },
  }));
}

/** Stores the theme with the account; without an account, with this page. */
export async function setUserTheme(context: FlowContext, theme: Theme, accountId?: string): Promise<void> {
  assertSettings({ theme });
  if (await theAccount(context, accountId)) await setUserPreferences(context, { theme }, accountId);
  else await context.store.updatePageSettings(context.page, undefined, { theme });
}

async function theAccount(
  { vrf, store }: FlowContext,
  accountId: string | undefined,
): Promise<UserRecord | undefined> {
  if (accountId !== undefined) {
    assertAccountId(accountId);
    const user = await store.user(accountId);
    if (!user) throw new LatchkeyError('NO_USER_DATA', { values: { account: accountId } });
    return user;
  }
  const status = await vrf.call('status', []);
  if (status.accountId) return store.user(status.accountId);
  const [last] = await store.users();
  return last;
}

async function knownAccount(context: FlowContext, accountId: string | undefined): Promise<UserRecord> {
  const user = await theAccount(context, accountId);
  if (!user) throw new LatchkeyError('NO_ACCOUNT_HERE');
  return user;
}

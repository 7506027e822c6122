/** What a page or a user chooses of the confirmation settings, and where it is stored: see `settings`. */
import { checkedSettings, namedSettings } from '../../confirm/settings-check.js';
import { LatchkeyError, NO_ACCOUNT_HERE } from '../../errors/account.js';
import { withChoices } from '../../storage/host-accounts.js';
import type { UserRecord } from '../../storage/records.js';
import type {
  ConfirmationBehavior,
  ConfirmationWish,
  Theme,
  UserPreferences,
  UserPreferencesChange,
} from '../../types.js';
import type { FlowContext } from '../context.js';
import { theAccount } from './settings.js';

/** Stores what the page's code sets: for this page alone, with that account; without one, for every account here. */
export async function setConfirmationConfig(
  context: FlowContext,
  config: ConfirmationWish,
  accountId?: string,
): Promise<void> {
  const change = checkedSettings(config);
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

/** Returns what is stored with the account: the user's own choices. */
export async function getUserPreferences(context: FlowContext, accountId?: string): Promise<UserPreferences> {
  return (await knownAccount(context, accountId)).preferences;
}

/**
 * Stores what the user chose in the wallet's own screens. In a frame, the choice of how to confirm applies to that
 * host alone.
 */
export async function setUserPreferences(
  context: FlowContext,
  { confirmationConfig: wish, theme, useRelayer, useNetwork }: UserPreferencesChange,
  accountId?: string,
): Promise<void> {
  checkedSettings(withChoices<ConfirmationWish>({}, { ...wish, ...(theme && { theme }) }));
  const confirmationConfig = wish && namedSettings(wish);
  const user = await knownAccount(context, accountId);
  const isOfHost = context.store.host !== undefined;
  if (isOfHost && confirmationConfig)
    await context.store.updateChosen(user.nearAccountId, confirmationConfig);
  await context.store.updateUser(user.nearAccountId, user.deviceNumber, ({ preferences }) => ({
    preferences: withChoices<UserPreferences>(preferences, {
      theme,
      useRelayer,
      useNetwork,
      ...(confirmationConfig &&
        !isOfHost && {
          confirmationConfig: withChoices(preferences.confirmationConfig, confirmationConfig),
        }),
    }) as UserPreferences,
  }));
}

/** Stores the theme with the account; without an account, with this page. */
export async function setUserTheme(context: FlowContext, theme: Theme, accountId?: string): Promise<void> {
  checkedSettings({ theme });
  if (await theAccount(context, accountId)) await setUserPreferences(context, { theme }, accountId);
  else await context.store.updatePageSettings(context.page, undefined, { theme });
}

async function knownAccount(context: FlowContext, accountId: string | undefined): Promise<UserRecord> {
  const user = await theAccount(context, accountId);
  if (!user) throw new LatchkeyError(NO_ACCOUNT_HERE);
  return user;
}

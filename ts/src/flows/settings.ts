/** Which confirmation settings there are: the defaults with the page's, the account's, the call's. */
import { type ConfirmationSettings, mergedSettings } from '../confirm/decide.js';
import type { UserRecord } from '../storage/records.js';
import type { ConfirmationConfig } from '../types.js';
import type { FlowContext } from './context.js';

export function confirmationSettings(
  { config, pageSettings }: FlowContext,
  user: UserRecord | undefined,
  ofCall: Partial<ConfirmationConfig> | undefined,
): ConfirmationSettings {
  return {
    page: { ...config.confirmationConfig, ...pageSettings.confirmation },
    user: user?.preferences.confirmationConfig,
    call: ofCall,
  };
}

export async function getConfirmationConfig(context: FlowContext): Promise<ConfirmationConfig> {
  const [user] = await context.store.users();
  return mergedSettings(confirmationSettings(context, user, undefined));
}

/** Kept with the account last used; without one, with this page. */
export async function setConfirmationConfig(
  context: FlowContext,
  change: Partial<ConfirmationConfig>,
): Promise<void> {
  const [user] = await context.store.users();
  if (!user) {
    context.pageSettings.confirmation = { ...context.pageSettings.confirmation, ...change };
    return;
  }
  await context.store.updateUser(user.nearAccountId, user.deviceNumber, ({ preferences }) => ({
    preferences: {
      ...preferences,
      confirmationConfig: { ...preferences.confirmationConfig, ...change },
    },
  }));
}

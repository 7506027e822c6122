/** Which confirmation settings hold: defaults, then the page's, then the account's, then the call's. */
import type { UserRecord } from '../storage/records.js';
import type { ConfirmationConfig } from '../types.js';
import type { FlowContext } from './context.js';

export async function effectiveConfirmation(
  { config, pageSettings }: FlowContext,
  user: UserRecord | undefined,
  ofCall: Partial<ConfirmationConfig> | undefined,
): Promise<ConfirmationConfig> {
  return {
    ...config.confirmationConfig,
    ...pageSettings.confirmation,
    ...user?.preferences.confirmationConfig,
    ...ofCall,
  };
}

export async function getConfirmationConfig(context: FlowContext): Promise<ConfirmationConfig> {
  const [user] = await context.store.users();
  return effectiveConfirmation(context, user, undefined);
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
  const confirmationConfig = { ...user.preferences.confirmationConfig, ...change };
  await context.store.updateUser(user.nearAccountId, user.deviceNumber, {
    preferences: { ...user.preferences, confirmationConfig },
  });
}

/** The VRF session and what is known on this device: state, recent logins, logout. */
import { LatchkeyError } from '../errors.js';
import type { UserRecord } from '../storage/records.js';
import type { LoginState, RecentLogins, UserData } from '../types.js';
import type { FlowContext } from './context.js';

/** Clears the VRF session. Stored records stay. */
export async function logout({ vrf, contexts }: FlowContext): Promise<void> {
  await vrf.call('logout', []);
  contexts.clear();
}

/** Whether the account (default: the one logged in, else the one last used) has an unlocked session here. */
export async function getLoginState({ vrf, store }: FlowContext, accountId?: string): Promise<LoginState> {
  const status = await vrf.call('status', []);
  const lastUser = await store.lastUser();
  const wanted = accountId ?? status.accountId ?? lastUser?.accountId;
  const user = wanted === undefined ? undefined : await store.user(wanted);
  const vrfActive = status.active && status.accountId === wanted;
  return {
    isLoggedIn: vrfActive && user !== undefined,
    nearAccountId: user?.nearAccountId ?? null,
    publicKey: user?.clientNearPublicKey ?? null,
    vrfActive,
    userData: user ? toUserData(user) : null,
    ...(vrfActive &&
      status.sessionDurationMs !== undefined && { vrfSessionDuration: status.sessionDurationMs }),
  };
}

export async function hasPasskeyCredential({ store }: FlowContext, accountId: string): Promise<boolean> {
  return (await store.authenticators(accountId)).length > 0;
}

export async function getRecentLogins({ store }: FlowContext): Promise<RecentLogins> {
  const [users, last] = await Promise.all([store.users(), store.lastUser()]);
  return {
    accountIds: [...new Set(users.map((user) => user.nearAccountId))],
    lastUsedAccountId: last ? { nearAccountId: last.accountId, deviceNumber: last.deviceNumber } : null,
  };
}

/** The record of the account whose session is unlocked. Throws NOT_LOGGED_IN or NO_USER_DATA. */
export async function requireSession({ vrf, store }: FlowContext, accountId: string): Promise<UserRecord> {
  const [status, user] = await Promise.all([vrf.call('status', []), store.user(accountId)]);
  if (!status.active || status.accountId !== accountId) throw new LatchkeyError('NOT_LOGGED_IN');
  if (!user?.clientNearPublicKey) throw new LatchkeyError('NO_USER_DATA', { values: { account: accountId } });
  return user;
}

function toUserData(user: UserRecord): UserData {
  const {
    nearAccountId,
    deviceNumber,
    registeredAt,
    lastLogin,
    lastUpdated,
    clientNearPublicKey,
    preferences,
  } = user;
  return {
    nearAccountId,
    deviceNumber,
    registeredAt,
    lastLogin,
    lastUpdated,
    clientNearPublicKey,
    preferences,
  };
}

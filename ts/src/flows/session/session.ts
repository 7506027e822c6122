/** The VRF session and what is known on this device: state, recent logins, logout. */

import { LatchkeyError, NO_USER_DATA, NOT_LOGGED_IN } from '../../errors/wallet.js';
import { assertExistingAccountId } from '../../near/account-id.js';
import { sleep } from '../../sleep.js';
import { isStorageError } from '../../storage/failure.js';
import type { UserRecord } from '../../storage/records.js';
import type { LoginState, RecentLogins, UserData } from '../../types.js';
import type { VrfStatus } from '../../workers/vrf-api.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';

const LOGOUT_TIMEOUT_MS = 5_000;
const LOSS_PAUSE_MS = 200;
const LOSS_LOOKS = 10;

/**
 * Clears the VRF session of this tab, and cancels running logins and waiting confirmations. Stored records stay, as
 * does everything that was approved before.
 */
export async function logout(context: FlowContext): Promise<void> {
  const { vrf, contexts, config } = context;
  context.logout.end();
  contexts.clear();
  try {
    await vrf.call('logout', [], { timeoutMs: LOGOUT_TIMEOUT_MS });
  } catch (error) {
    // Terminating a worker that does not answer destroys its key.
    warn(config, 'The VRF worker did not log out and is ended', error);
    vrf.close();
  }
}

/**
 * Cleans up after a failed flow: ends the session that it opened for its account, and wipes a keypair that belongs to
 * no session yet. Keeps a session from before the flow, and one that was opened for another account meanwhile.
 */
export async function endSessionOf(
  { vrf, config }: Pick<FlowContext, 'vrf' | 'config'>,
  accountId: string,
  before?: VrfStatus,
): Promise<void> {
  try {
    const now = await vrf.call('status', []);
    const isOthers = now.active && now.accountId !== accountId;
    const isKept =
      now.active &&
      before?.active &&
      before.accountId === now.accountId &&
      before.vrfPublicKey === now.vrfPublicKey;
    if (!isOthers && !isKept) await vrf.call('logout', []);
  } catch (error) {
    warn(config, 'The session of a flow that failed could not be ended', error);
  }
}

/** Runs after the browser closed the local database by itself: without the account's record there is no session. */
export async function logoutIfForgotten(context: FlowContext): Promise<void> {
  const { active, accountId } = await context.vrf.call('status', []);
  if (active && accountId && !(await userAfterLoss(context, accountId))) await logout(context);
}

/** A database that is being deleted may still be opened, and closed again. */
async function userAfterLoss({ store }: FlowContext, accountId: string): Promise<UserRecord | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    await sleep(LOSS_PAUSE_MS);
    try {
      return await store.user(accountId);
    } catch (error) {
      if (attempt === LOSS_LOOKS || !isStorageError(error)) throw error;
    }
  }
}

/** Returns whether the account (default: the one logged in, else the one last used) has an unlocked session here. */
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

/** Returns the record of the account whose session is unlocked. Throws INVALID_ACCOUNT_ID, NOT_LOGGED_IN or NO_USER_DATA. */
export async function requireSession({ vrf, store }: FlowContext, accountId: string): Promise<UserRecord> {
  assertExistingAccountId(accountId);
  const [status, user] = await Promise.all([vrf.call('status', []), store.user(accountId)]);
  if (!status.active || status.accountId !== accountId) throw new LatchkeyError(NOT_LOGGED_IN);
  if (!user?.clientNearPublicKey) throw new LatchkeyError(NO_USER_DATA, { values: { account: accountId } });
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
    passkeyBackup,
    passkeyProven = false,
  } = user;
  return {
    nearAccountId,
    deviceNumber,
    registeredAt,
    lastLogin,
    lastUpdated,
    clientNearPublicKey,
    preferences,
    ...(passkeyBackup && { passkeyBackup }),
    passkeyProven,
  };
}

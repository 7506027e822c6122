/**
 * Unlocks the VRF session. First silently by the server lock, else by a passkey prompt:
 *
 * 1. the account is known on this device; the chain is asked for its key (one RPC call)
 * 2. the relay removes its lock (no prompt; never at the first login through a host), or 3. the passkey gives the key
 *    (one prompt)
 * 4. the keypair is locked again when the relay's lock key has changed, and when the lock did not open
 *
 * A logout meanwhile, here or in another tab, ends it. The worker holds one keypair: another account's session is
 * replaced at the last moment, after the chain and the passkey have answered; a login that ends before that leaves it
 * as it was.
 */

import {
  isCancellation,
  isLatchkeyError,
  LatchkeyError,
  messageOf,
  NO_AUTHENTICATORS,
  NO_LOCAL_ACCOUNT,
  NO_PUBLIC_KEY,
  NO_VRF_CREDENTIALS,
  REGISTRATION_PENDING,
  VRF_UNLOCK_FAILED,
} from '../../errors/wallet.js';
import { failedLogin } from '../../failed-results.js';
import { assertExistingAccountId } from '../../near/account-id.js';
import type { AuthenticatorRecord, UserRecord } from '../../storage/records.js';
import type { LoginOptions, LoginResult } from '../../types.js';
import { assertDevice } from '../../webauthn/device-check.js';
import { type PrfOutputs, wipe } from '../../webauthn/prf.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { noteAnswer } from '../note-answer.js';
import { eventError, type Run, runFlow } from '../run.js';
import { viewOwnKey } from '../signing/transaction-contexts.js';
import {
  askVerified,
  isStillProven,
  nextAsking,
  orDiffers,
  ownChallenge,
  passkeysOf,
} from '../verified-passkey.js';
import { warn } from '../warn.js';
import { accountForLogin } from './host-accounts.js';
import { currentLockKey, lockAnew, openServerLock, relock } from './server-lock.js';
import { endSessionOf } from './session.js';

type UnlockedBy = NonNullable<LoginResult['unlockedBy']>;

export async function loginPasskey(
  context: FlowContext,
  accountId: string,
  options: LoginOptions,
): Promise<LoginResult> {
  return runFlow(
    'login',
    options,
    (run) => login(context, accountId, { ...run, signal: context.logout.until(run.signal) }),
    (error, { emit }) => {
      emit('login-error', 'error', error.message, eventError(error));
      return failedLogin(error);
    },
  );
}

interface Unlocking extends Run<'login'> {
  /** Called before the session opens. */
  readonly mayOpen: () => Promise<void>;
}

async function login(context: FlowContext, accountId: string, asked: Run<'login'>): Promise<LoginResult> {
  const { emit, signal } = asked;
  emit('preparation', 'progress', 'Looking up the account on this device');
  assertExistingAccountId(accountId);
  const seen = <T>(reading: Promise<T>): Promise<T> =>
    beforeAsking(context, signal, reading, () =>
      emit('preparation', 'progress', 'Waiting for the network', { data: { waiting: true } }),
    );
  const { user, authenticators, isFirstHere } = await seen(localRecords(context, accountId));
  if (!isFirstHere) emit('preparation', 'success', 'The account is known on this device');

  const before = await context.vrf.call('status', []);
  const onChain = checkOnChain(context, user, signal);
  onChain.catch(() => undefined);
  const isReplacing = before.active && before.accountId !== accountId;
  const run: Unlocking = { ...asked, mayOpen: async () => (isReplacing ? seen(onChain) : undefined) };
  let unlockedBy: UnlockedBy;
  try {
    const isUnlocked = !isFirstHere && (await unlockSilently(context, user, authenticators, run));
    unlockedBy = isUnlocked ? 'server-lock' : 'passkey';
    if (unlockedBy === 'passkey') await unlockWithPasskey(context, user, authenticators, run);
    await seen(onChain);
    await context.store.updateUser(user.nearAccountId, user.deviceNumber, { lastLogin: Date.now() });
    await context.store.setLastUser({ accountId, deviceNumber: user.deviceNumber });
    signal.throwIfAborted();
  } catch (error) {
    // A key that is no longer on the account opens nothing, however it was unlocked.
    const isGone = isLatchkeyError(error, 'ACCOUNT_NOT_ON_CHAIN', 'DEVICE_KEY_REMOVED');
    const kept = isGone ? undefined : before;
    await endSessionOf(context, accountId, kept);
    throw error;
  }

  emit('login-complete', 'success', `Logged in as ${accountId}`, { data: { unlockedBy } });
  return {
    success: true,
    nearAccountId: accountId,
    loggedInNearAccountId: accountId,
    clientNearPublicKey: user.clientNearPublicKey,
    unlockedBy,
  };
}

async function localRecords(context: FlowContext, accountId: string) {
  const { store } = context;
  const values = { account: accountId };
  const entry = await store.journal.entry('registration', accountId);
  if (entry) {
    const { settleSoon } = await import('../registration/settle-registration.js');
    const settled = await settleSoon(context, entry, undefined, { once: true });
    if (settled === 'pending') throw new LatchkeyError(REGISTRATION_PENDING, { values });
  }
  const { user, authenticators: known, isFirstHere } = await accountForLogin(store, accountId);
  if (!user && store.isInMemory) {
    const { nothingKeptText } = await import('../../errors/in-memory.js');
    throw new LatchkeyError(NO_LOCAL_ACCOUNT, { message: nothingKeptText(accountId) });
  }
  if (!user) throw new LatchkeyError(NO_LOCAL_ACCOUNT, { values });
  if (!user.clientNearPublicKey) throw new LatchkeyError(NO_PUBLIC_KEY, { values });
  if (!user.encryptedVrfKeypair?.encryptedVrfDataB64u)
    throw new LatchkeyError(NO_VRF_CREDENTIALS, { values });
  const authenticators = known.filter(({ deviceNumber }) => deviceNumber === user.deviceNumber);
  if (authenticators.length === 0) throw new LatchkeyError(NO_AUTHENTICATORS, { values });
  return { user, authenticators, isFirstHere };
}

/**
 * Ends the login where the chain does not know the key, or two nodes disagree about it; a chain that does not answer
 * does not end it.
 */
async function checkOnChain({ rpc, contexts, config }: FlowContext, user: UserRecord, signal: AbortSignal) {
  const { nearAccountId, clientNearPublicKey } = user;
  try {
    const view = { agreed: true, certain: true, signal };
    const accessKey = await viewOwnKey(rpc, nearAccountId, clientNearPublicKey, view);
    contexts.learn(nearAccountId, clientNearPublicKey, accessKey);
  } catch (error) {
    if (isLatchkeyError(error, 'ACCOUNT_NOT_ON_CHAIN', 'DEVICE_KEY_REMOVED', 'RPC_DISAGREEMENT')) throw error;
    if (isLatchkeyError(error, 'ACCOUNT_UNFUNDED')) return;
    warn(config, 'The chain could not be asked at login', error);
  }
}

/** True when the relay removed its lock. After any failure, login asks for the passkey. */
async function unlockSilently(
  context: FlowContext,
  user: UserRecord,
  authenticators: readonly AuthenticatorRecord[],
  run: Unlocking,
): Promise<boolean> {
  const { config } = context;
  const locked = user.serverEncryptedVrfKeypair;
  if (!config.shamir3pass || !locked) return false;
  const { emit, signal, mayOpen } = run;
  await mayOpen();
  emit('vrf-unlock', 'progress', 'Unlocking the account');
  try {
    const vrfPublicKeys = authenticators.map(({ vrfPublicKey }) => vrfPublicKey);
    const [, keyId] = await Promise.all([
      openServerLock(context, user.nearAccountId, locked, vrfPublicKeys, signal),
      currentLockKey(context, signal).catch(unlessMismatched(context)),
    ]);
    if (keyId !== locked.serverKeyId) await relock(context, user, keyId, signal);
    emit('vrf-unlock', 'success', 'Unlocked without a prompt');
    return true;
  } catch (error) {
    if (isCancellation(error) || signal.aborted) throw error;
    config.logger.info('The server lock did not open, asking for the passkey', messageOf(error));
    return false;
  }
}

/** Whether the outputs, which are those of a later ceremony, prove the passkey. The login goes on without an answer. */
async function proven(
  context: FlowContext,
  user: UserRecord,
  prf: PrfOutputs,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await (await import('./check-passkey.js')).proveAtLogin(context, user, prf, signal);
  } catch (error) {
    warn(context.config, 'The passkey could not be proven', error);
    return false;
  }
}

async function unlockWithPasskey(
  context: FlowContext,
  user: UserRecord,
  authenticators: readonly AuthenticatorRecord[],
  { emit, signal, mayOpen }: Unlocking,
): Promise<void> {
  const { vrf } = context;
  await assertDevice('get', context.credentials);
  emit('webauthn-assertion', 'progress', 'Asking for the passkey');
  const { nearAccountId: accountId, encryptedVrfKeypair } = user;
  const allow = passkeysOf(user, authenticators);
  const request = { accountId, allow, challenge: ownChallenge, signal };
  const asking = nextAsking(context, accountId, allow);
  const { authentication, prf } = await askVerified(context, request, asking);
  const note = (isProven: boolean) => noteAnswer(context, user, authentication, asking, isProven);
  const wasProven = isStillProven(user, authentication);
  const first = wasProven ? prf.first : prf.first.slice();
  emit('webauthn-assertion', 'success', 'The passkey answered');

  try {
    await mayOpen();
    emit('vrf-unlock', 'progress', 'Unlocking the account');
    const unlocking = [accountId, first, encryptedVrfKeypair] as const;
    await vrf.call('unlock', [...unlocking], { signal, transfer: [first.buffer] }).catch(async (thrown) => {
      const error = orDiffers(thrown, accountId);
      if (isLatchkeyError(error, 'PASSKEY_DIFFERS')) await note(false);
      throw isCancellation(error) || error !== thrown
        ? error
        : new LatchkeyError(VRF_UNLOCK_FAILED, { cause: error });
    });
    await note(wasProven || (await proven(context, user, prf, signal)));
  } finally {
    wipe(first, prf.first, prf.second);
  }
  await lockAnew(context, user, signal);
  emit('vrf-unlock', 'success', 'Unlocked with the passkey');
}

/** An unknown relay key is no reason to prompt; a foreign group is one. */
function unlessMismatched({ config }: FlowContext) {
  return (error: unknown): null => {
    if (isLatchkeyError(error, 'SERVER_LOCK_MISMATCH')) throw error;
    warn(config, 'The server lock could not be checked', error);
    return null;
  };
}

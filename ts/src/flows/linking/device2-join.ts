/** From the scan to the login: the passkey, the chain, and the cleanup after a failure. */
import {
  isCancellation,
  LatchkeyError,
  linkText,
  NOT_LOGGED_IN,
  REGISTRATION_FAILED,
  SESSION_EXPIRED,
  toLatchkeyError,
} from '../../errors/account.js';
import { nextDeviceNumber } from '../../registry/linking.js';
import { type LinkEntry, TEMPORARY_DEVICE, TEMPORARY_LINKING_KEY } from '../../storage/records.js';
import type { FinishLinkingOptions, LinkedAccount } from '../../types.js';
import { signalUnknown } from '../../webauthn/signal.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { OpenableKey } from '../../workers/signer-api.js';
import type { VrfClient } from '../../workers/vrf-client.js';
import type { FlowContext } from '../context.js';
import { retrying } from '../retrying.js';
import { eventError, type Run } from '../run.js';
import { currentLockKey, relock } from '../session/server-lock.js';
import { warn } from '../warn.js';
import { watchKey } from './detect.js';
import { completeLink, isStale, type LinkedOnChain } from './device2-chain.js';
import { makeLinkEntry, openLink } from './device2-passkey.js';
import { heldKey, holds, pageWrappingKey, withLinkKeys } from './link-keys.js';
import { dropLink, isUnsent, stateForCertain } from './link-state.js';

/** How often a passkey that came too late, or whose number was taken, is made again. */
const MAX_PASSKEYS = 3;

/** The context of a linking: its `vrf` is its own, separate from the session's, until this device logs in. */
export interface LinkContext extends FlowContext {
  readonly sessionVrf: VrfClient;
}

/** A key of this device is on the account. */
export interface Joined {
  readonly accountId: string;
  readonly deleteAt: number | undefined;
  /** The journal entry; its key, or the key that it replaces, is on the account. */
  readonly entry?: LinkEntry;
  /** Option F: the temporary key, which is on the account. */
  readonly key?: SealedKey;
  /** Option E: aborts at the first logout since the passkey was made. */
  readonly loggedOut?: AbortSignal;
}

/** Makes this device one of the account's, and logs in. */
export function join(
  context: LinkContext,
  joined: Joined,
  options: FinishLinkingOptions,
  run: Run<'linking'>,
): Promise<LinkedAccount> {
  const flow = () => joinAndLogIn(context, joined, options, run);
  return context.openingSession ? context.openingSession(flow) : flow();
}

async function joinAndLogIn(
  context: LinkContext,
  joined: Joined,
  options: FinishLinkingOptions,
  run: Run<'linking'>,
): Promise<LinkedAccount> {
  const { accountId, loggedOut = context.logout.signal } = joined;
  run.emit('registration', 'progress', 'Registering device…');
  const { entry, done } = await joinOnChain(context, joined, options, run).catch(async (error) => {
    const left = await step(context, 'look for what is left', () =>
      context.store.journal.entry('link', accountId),
    );
    if (left) await abandon(context, left, error);
    throw error;
  });
  const { deviceNumber, key } = entry;
  run.emit('registration', 'success', 'The passkey is registered', { data: { ...done } });
  run.emit('linking-complete', 'success', 'Device linked successfully!', {
    data: { nearAccountId: accountId, deviceNumber, publicKey: key.publicKey },
  });
  const isLoggedIn = await autoLogIn(context, entry, loggedOut, run);
  return {
    success: true,
    nearAccountId: accountId,
    deviceNumber,
    publicKey: key.publicKey,
    transactionIds: [done.swapId, done.registrationId].filter((id) => id !== null),
    isLoggedIn,
  };
}

/** Runs with the current passkey, and with a new one each time the registry no longer accepts it. */
async function joinOnChain(
  context: FlowContext,
  joined: Joined,
  options: FinishLinkingOptions,
  run: Run<'linking'>,
): Promise<{ readonly entry: LinkEntry; readonly done: LinkedOnChain }> {
  const { signal } = run;
  let onAccount: Pick<SealedKey, 'publicKey'> | undefined = joined.key;
  let entry = joined.entry;
  const replaced: string[] = [];
  for (let made = 0; ; made += 1) {
    if (entry) {
      const open = entry;
      const done = await withLinkKeys(context, open, asking(run), () =>
        completeLink(context, open, signal, made === 0 ? undefined : 'to-swap'),
      );
      if (!isStale(done)) {
        // The key of the last passkey has taken the place of the others.
        for (const id of replaced) void signalUnknown(context.rpId, id);
        return { entry, done };
      }
      onAccount = done.onAccount ?? undefined;
    }
    if (made === MAX_PASSKEYS) {
      throw new LatchkeyError(SESSION_EXPIRED, { message: linkText('sessionExpired') });
    }
    if (entry && !entry.registration) replaced.push(entry.credentialId);
    entry = await anotherPasskey(context, joined, entry, onAccount, options, run);
  }
}

/** Announces the prompt for the passkey of a linking that an earlier visit left. */
const asking = ({ emit, signal }: Run<'linking'>) => ({
  signal,
  onPrompt: () => emit('registration', 'progress', 'Asking for the passkey of this linking'),
});

/** Asks the user, and journals the new passkey in place of the earlier entry, if there is one. */
async function anotherPasskey(
  context: FlowContext,
  { accountId, deleteAt }: Joined,
  earlier: LinkEntry | undefined,
  key: Pick<SealedKey, 'publicKey'> | undefined,
  { confirmationConfig }: FinishLinkingOptions,
  run: Run<'linking'>,
): Promise<LinkEntry> {
  const { signal } = run;
  const { store } = context;
  const onAccount = await keyOnAccount(context, earlier, key, run);
  const watch = watchKey(context, accountId, onAccount.sealed.publicKey);
  try {
    const deviceNumber = await retrying(() => nextDeviceNumber(context, accountId, signal), signal);
    const option = earlier ? 'E regen' : 'F';
    const joining = { option, accountId, deviceNumber, onAccount, deleteAt, confirmationConfig } as const;
    const entry = await makeLinkEntry(context, joining, AbortSignal.any([signal, watch.signal]));
    if (earlier) {
      await store.journal.update(earlier, entry);
      // A passkey whose key is on the account opens it until the swap.
      if (!earlier.registration && onAccount.sealed.publicKey !== earlier.key.publicKey)
        void signalUnknown(context.rpId, earlier.credentialId);
    } else await openLink(context, entry);
    return entry;
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    watch.stop();
  }
}

/** The key with which the new passkey's one gets onto the account. */
async function keyOnAccount(
  context: FlowContext,
  earlier: LinkEntry | undefined,
  key: Pick<SealedKey, 'publicKey'> | undefined,
  run: Run<'linking'>,
): Promise<OpenableKey> {
  if (earlier && key) {
    return withLinkKeys(context, earlier, asking(run), () => heldKey(context, earlier, key.publicKey));
  }
  // The stored key counts: another tab may have cleared it.
  const stored = await context.store.sealedKeys.get(TEMPORARY_LINKING_KEY, TEMPORARY_DEVICE);
  if (!stored || stored.publicKey !== key?.publicKey) {
    throw new LatchkeyError(REGISTRATION_FAILED, { message: linkText('noTemporaryKey') });
  }
  return { wrappingKey: await pageWrappingKey(context), sealed: stored };
}

/** Step 8. If it fails, after a logout meanwhile for example, the account has still been joined. */
async function autoLogIn(
  context: LinkContext,
  { accountId, deviceNumber, key, records, vrfPublicKeys }: LinkEntry,
  loggedOut: AbortSignal,
  { emit, signal }: Run<'linking'>,
): Promise<boolean> {
  const { config, vrf, sessionVrf, store, contexts } = context;
  emit('auto-login', 'progress', `Logging in as ${accountId}...`);
  try {
    loggedOut.throwIfAborted();
    const status = await vrf.call('status', []);
    if (status.accountId !== accountId || status.vrfPublicKey !== vrfPublicKeys.deterministic) {
      throw new LatchkeyError(NOT_LOGGED_IN);
    }
    await step(context, 'refresh the nonce', () => contexts.renew(accountId, key.publicKey));
    if (config.shamir3pass) {
      const keyId = await step(context, 'ask for the lock key', () => currentLockKey(context, signal));
      await relock(context, records.user, keyId ?? null, signal);
    }
    await store.updateUser(accountId, deviceNumber, { lastLogin: Date.now() });
    await store.setLastUser({ accountId, deviceNumber });
    loggedOut.throwIfAborted();
    sessionVrf.takeOver(vrf);
    emit('auto-login', 'success', `Logged in as ${accountId}!`);
    return true;
  } catch (thrown) {
    const error = toLatchkeyError(thrown, 'Login');
    emit('login-error', 'error', error.message, eventError(error));
    return false;
  }
}

// -------------------------------------------------------------- what a failure leaves behind

/**
 * Drops what came to nothing. Keeps a key that is or may soon be on the account, with its entry, and every linking
 * that sent something: the next start looks it up and continues it. A user who only refused to open what an earlier
 * visit left can still finish it.
 */
export async function abandon(context: FlowContext, entry: LinkEntry, error: unknown): Promise<void> {
  await step(context, 'forget the linking', async () => {
    const left = (await context.store.journal.entry('link', entry.accountId)) ?? entry;
    if (!isUnsent(left)) return;
    const state = await stateForCertain(context, left, context.closing);
    const isDeclined = isCancellation(error) && state === 'to-swap' && holds(context, left);
    if (state === 'gone' || isDeclined) {
      await dropLink(context, left);
    }
  });
}

/** Runs a step that may fail; a failure only logs a warning. */
export async function step<T>(
  { config }: FlowContext,
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    warn(config, `Device linking could not ${what}`, error);
    return undefined;
  }
}

/**
 * Brings an account that another wallet of the user controls. The page carries one AddKey to that wallet, between two
 * calls:
 *
 * 1. prepare: the user confirms the account's name, the passkey is made, and the journal has its key
 * 2. the page asks the other wallet to add that key; or abandon: that wallet refused
 * 3. finish: the chain is asked for the key, the passkey is registered by it, and this device is logged in
 *
 * Nothing rests on the page's word: the registration is a call by the account itself, signed with the added key.
 */
import { ADOPTED_KEY_MISSING, isLatchkeyError, LatchkeyError, LINK_NOT_FOUND } from '../../errors/account.js';
import { failedAdoption } from '../../failed-results.js';
import { assertJoinableAccountId } from '../../near/account-id.js';
import type { LinkEntry } from '../../storage/records.js';
import type {
  AbandonedAdoption,
  FinishLinkingOptions,
  LinkedAccount,
  PrepareAdoptionOptions,
  PreparedAdoption,
} from '../../types.js';
import { assertDevice } from '../../webauthn/device-check.js';
import { assertSecureContext } from '../../webauthn/passkeys.js';
import type { VrfClient } from '../../workers/vrf-client.js';
import type { FlowContext } from '../context.js';
import { retrying } from '../retrying.js';
import type { Run } from '../run.js';
import { detect } from './detect.js';
import { launch, notLinked, startWithPasskey } from './device2.js';
import { join, type LinkContext } from './device2-join.js';
import { dropLink, isTakeable, isUnsent, stateForCertain } from './link-state.js';

/** How long the chain may take to show the key, once the page says that it was sent. */
const ADDED_WITHIN_MS = 60_000;

/** Makes the passkey, or finds the one of an earlier try. */
export async function prepareAdoption(
  context: FlowContext,
  accountId: string,
  options: PrepareAdoptionOptions,
): Promise<PreparedAdoption> {
  const prepare = async (own: LinkContext, run: Run<'linking'>): Promise<PreparedAdoption> => {
    await assertDevice('create', context.credentials);
    assertJoinableAccountId(accountId);
    await retrying(async () => context.assertHost?.(run.signal), run.signal);
    run.emit('registration', 'progress', 'Making the passkey');
    const { key, isAdded } =
      (await earlierTry(own, accountId, run.signal)) ??
      (await startWithPasskey(own, accountId, { ...options, option: 'adopt' }, run));
    const { publicKey } = key;
    run.emit('polling', 'progress', `The other wallet of ${accountId} is to add the key of this device`);
    return { success: true, nearAccountId: accountId, publicKey, isAdded };
  };
  return launch(context, options, prepare, (from, work) => keepingVrf(from, accountId, work)).catch((error) =>
    failedAdoption(error, accountId),
  );
}

/** An earlier try that needs no other passkey: its key is on the account, or may come while the registry takes it. */
async function earlierTry(
  context: FlowContext,
  accountId: string,
  signal: AbortSignal,
): Promise<{ readonly key: { readonly publicKey: string }; readonly isAdded: boolean } | undefined> {
  const entry = await ownEntry(context, accountId);
  if (!entry) return undefined;
  const state = await retrying(() => stateForCertain(context, entry, signal), signal);
  if (state === 'registered' || state === 'added') return { key: entry.key, isAdded: true };
  if (state !== 'gone' || entry.replaces || !isUnsent(entry)) return undefined;
  const isUsable = await retrying(() => isTakeable(context, entry), signal);
  return isUsable ? { key: entry.key, isAdded: false } : undefined;
}

/** Waits for the key on the chain, registers the passkey by it, and logs in. */
export async function finishAdoption(
  context: FlowContext,
  accountId: string,
  options: FinishLinkingOptions,
): Promise<LinkedAccount> {
  const finish = async (own: LinkContext, run: Run<'linking'>): Promise<LinkedAccount> => {
    assertSecureContext();
    const entry = await ownEntry(own, accountId);
    if (!entry) throw new LatchkeyError(LINK_NOT_FOUND, { values: { account: accountId } });
    const { publicKey } = entry.replaces ?? entry.key;
    const awaited = { publicKey, accountId, byDevice: false, expiresAt: Date.now() + ADDED_WITHIN_MS };
    const { deviceNumber } = await detect(own, awaited, run).catch((error: unknown) => {
      if (!isLatchkeyError(error, 'SESSION_EXPIRED')) throw error;
      throw new LatchkeyError(ADOPTED_KEY_MISSING, { values: { account: accountId } });
    });
    run.emit('addkey-detected', 'success', `${accountId} has the key of this device`, {
      data: { nearAccountId: accountId, deviceNumber },
    });
    const linked = await join(own, { accountId, deleteAt: undefined, entry }, options, run);
    kept.get(context)?.end();
    return linked;
  };
  return launch(context, options, finish, (from, work) => keepingVrf(from, accountId, work)).catch((error) =>
    notLinked(error, accountId),
  );
}

/** Rolls back what prepare made, unless the chain has the key, or may hold it by now. */
export async function abandonAdoption(context: FlowContext, accountId: string): Promise<AbandonedAdoption> {
  return launch(context, {}, async (own, { signal }): Promise<AbandonedAdoption> => {
    const entry = await ownEntry(own, accountId);
    if (!entry) return { isAdded: false };
    if ((await stateForCertain(own, entry, signal)) !== 'gone') return { isAdded: true };
    await dropLink(own, entry);
    kept.get(context)?.end();
    return { isAdded: false };
  });
}

interface KeptVrf {
  readonly accountId: string;
  readonly vrf: VrfClient;
  end(): void;
}

const kept = new WeakMap<FlowContext, KeptVrf>();

/**
 * Gives the work the VRF worker that has the passkey's keypair since the preparation, so that the end needs no second
 * prompt. It is kept from one call to the next, until a logout, another account, or the end of the page.
 */
async function keepingVrf<T>(
  context: FlowContext,
  accountId: string,
  work: (own: LinkContext) => Promise<T>,
): Promise<T> {
  const earlier = kept.get(context);
  if (earlier && earlier.accountId !== accountId) earlier.end();
  const { vrf, end } = kept.get(context) ?? keep(context, accountId);
  return work({ ...context, vrf, sessionVrf: context.vrf }).catch((error: unknown) => {
    // The same call may be made again.
    if (!isLatchkeyError(error, 'ADOPTED_KEY_MISSING', 'LINK_PENDING')) end();
    throw error;
  });
}

function keep(context: FlowContext, accountId: string): KeptVrf {
  const vrf = context.vrf.beside();
  const over = AbortSignal.any([context.closing, context.logout.signal]);
  const end = (): void => {
    over.removeEventListener('abort', end);
    kept.delete(context);
    vrf.close();
  };
  over.addEventListener('abort', end);
  const made = { accountId, vrf, end };
  kept.set(context, made);
  return made;
}

/** The linking of this account that this page began. */
async function ownEntry(
  { store }: Pick<FlowContext, 'store'>,
  accountId: string,
): Promise<LinkEntry | undefined> {
  return (await store.journal.entries('link')).find((entry) => entry.accountId === accountId);
}

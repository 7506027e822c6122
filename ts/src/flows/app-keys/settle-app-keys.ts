/** App keys whose page ended, or whose answer was lost, while they were being added: keeps those that the chain has. */
import { fateOfState } from '../../near/send.js';
import { appKeyName } from '../../storage/app-key-name.js';
import type { AppKeyEntry } from '../../storage/records.js';
import type { WalletStore } from '../../storage/store.js';
import type { ResumedAppKey } from '../../types.js';
import type { FlowContext } from '../context.js';
import { stateOf, unlessHeld } from '../signing/settle-batch.js';
import { warn } from '../warn.js';
import { dropExpiry } from './expiry.js';

/**
 * The mutex of the tab that adds the key: while it re-sends under another nonce, the first copy must not settle the
 * key.
 */
export function appKeyMutex(publicKey: string): string {
  return `latchkey:app-key:${publicKey}`;
}

/** The name of one sealed app key. */
export function sealedName(
  { host }: Pick<WalletStore, 'host'>,
  { accountId, publicKey }: { readonly accountId: string; readonly publicKey: string },
  receiverId: string,
): string {
  return `${appKeyName(accountId, host)}${receiverId}:${publicKey}`;
}

/**
 * Keeps a key that the chain has, then closes its entry; in this order an interruption loses neither. A key whose end
 * is over is not kept, nor one without its entry: the user has revoked it, or forgotten the app, unless another tab kept it.
 */
export async function keepAppKey(
  store: WalletStore,
  entry: AppKeyEntry,
): Promise<'kept' | 'expired' | 'dropped'> {
  const { accountId, deviceNumber, receiverId, sealed, expiresAt } = entry;
  const { publicKey } = sealed;
  const name = sealedName(store, { accountId, publicKey }, receiverId);
  if (!(await store.journal.entry('appKey', publicKey))) {
    return (await store.sealedKeys.get(name, deviceNumber)) ? 'kept' : 'dropped';
  }
  await store.sealedKeys.put(name, deviceNumber, sealed);
  // The watch of its end may have looked before it was stored.
  const isOver = expiresAt !== undefined && Date.now() >= expiresAt;
  if (isOver) await store.sealedKeys.drop(name, deviceNumber);
  await store.journal.drop(entry);
  return isOver ? 'expired' : 'kept';
}

/** Drops the entries of a key that is gone from the account; its executed AddKey would otherwise bring it back. */
export async function dropPendingAppKey(store: WalletStore, publicKey: string): Promise<void> {
  const entry = await store.journal.entry('appKey', publicKey);
  if (entry) await store.journal.drop(entry);
}

/** Looks up every key whose outcome is unknown. Never sends anything again. */
export async function resumeAppKeys(context: FlowContext): Promise<ResumedAppKey[]> {
  const entries = await context.store.journal.entries('appKey');
  return Promise.all(
    entries.map(async (entry) => {
      const { accountId: nearAccountId, receiverId, sealed } = entry;
      const settled = unlessHeld(appKeyMutex(sealed.publicKey), () => settle(context, entry));
      const outcome = await settled.catch((error: unknown) => {
        warn(context.config, 'An app key could not be looked up', error);
      });
      return { nearAccountId, receiverId, publicKey: sealed.publicKey, outcome: outcome ?? 'pending' };
    }),
  );
}

async function settle(context: FlowContext, entry: AppKeyEntry): Promise<ResumedAppKey['outcome']> {
  const { rpc, store } = context;
  const { accountId, sealed, signedBy, transaction } = entry;
  // A user who is not shown the key adds another one.
  if (await rpc.viewAccessKey(accountId, sealed.publicKey, { agreed: true, certain: true })) {
    return keepAppKey(store, entry);
  }
  const state = await stateOf(context, { accountId, publicKey: signedBy, transaction });
  if (state.name === 'not-seen' || state.name === 'in-pool') return 'pending';
  const fate = fateOfState(state);
  if (fate === 'sent') return 'pending';
  if (fate === 'executed') {
    return keepAppKey(store, entry);
  }
  await dropExpiry(store, { accountId, publicKey: sealed.publicKey });
  await store.journal.drop(entry);
  return 'dropped';
}

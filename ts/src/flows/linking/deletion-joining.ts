/**
 * A user's next transaction overtakes the nonce of a waiting DeleteKey: that approval therefore covers a fresh
 * DeleteKey, shown with the user's own transactions. The DeleteKey of an app key is first signed there.
 */
import type { DeletionEntry } from '../../storage/records.js';
import type { FlowContext, Joining } from '../context.js';
import { warn } from '../warn.js';

/** The deletions that wait on this account, to be signed again with the next batch. Nearly always there are none. */
export async function joiningDeletions(
  context: FlowContext,
  accountId: string,
  /** The key that this same batch deletes or adds. */
  except?: string,
): Promise<Joining | undefined> {
  const { store, config } = context;
  // Without a time it is being linked in another tab, or it is not known yet whether the key was added.
  const entries = (await store.journal.entries('deletion')).filter(
    (entry) => entry.accountId === accountId && entry.publicKey !== except && isWaiting(entry),
  );
  if (entries.length === 0) return undefined;
  const { isToBeDeleted, watchDeletion } = await import('./deletion.js');
  const waiting: DeletionEntry[] = [];
  for (const entry of entries) {
    const isNeeded = await isToBeDeleted(context, entry).catch((error: unknown) => {
      warn(config, 'A key that waits for its deletion could not be looked up', error);
      return false;
    });
    if (isNeeded) waiting.push(entry);
  }
  if (waiting.length === 0) return undefined;
  return {
    transactions: waiting.map(({ publicKey }) => ({
      receiverId: accountId,
      actions: [{ type: 'DeleteKey', publicKey }],
    })),
    appKeys: waiting.flatMap(({ publicKey, appKey, dueAt: expiresAt = 0 }) =>
      appKey ? [{ publicKey, receiverId: appKey.receiverId, expiresAt, change: 'removed' as const }] : [],
    ),
    async take(signed) {
      for (const [index, entry] of waiting.entries()) {
        const deleteKey = signed[index]?.borshBytes;
        if (!deleteKey) continue;
        await store.journal.update(entry, { deleteKey });
        watchDeletion(context, entry);
      }
    },
  };
}

/** The stored DeleteKey of a linking is overtaken before its time too; an app key is deleted only after its end. */
function isWaiting({ dueAt, appKey }: DeletionEntry): boolean {
  return dueAt !== undefined && (!appKey || Date.now() >= dueAt);
}

/**
 * A user's next transaction overtakes the nonce of a waiting DeleteKey: that approval therefore covers a fresh
 * DeleteKey, shown with the user's own transactions. The DeleteKey of an app key is first signed there.
 */
import type { DeletionEntry } from '../../storage/records.js';
import type { FlowContext, Joining } from '../context.js';

/** The deletions that wait on this account, to be signed again with the next batch. Nearly always there are none. */
export async function joiningDeletions(
  context: FlowContext,
  accountId: string,
  /** The key that this same batch deletes or adds. */
  except?: string,
): Promise<Joining | undefined> {
  // Without a time it is being linked in another tab, or it is not known yet whether the key was added.
  const entries = (await context.store.journal.entries('deletion')).filter(
    (entry) => entry.accountId === accountId && entry.publicKey !== except && isWaiting(entry),
  );
  if (entries.length === 0) return undefined;
  return (await import('./deletion.js')).joiningOf(context, entries);
}

/** The stored DeleteKey of a linking is overtaken before its time too; an app key is deleted only after its end. */
function isWaiting({ dueAt, appKey }: DeletionEntry): boolean {
  return dueAt !== undefined && (!appKey || Date.now() >= dueAt);
}

/** The wallet's log of what it sent. Its code loads when the first transaction leaves. */
import type { WalletStore } from '../../storage/store.js';
import type { ActivityLog } from '../context.js';

export interface ActivityLogOptions {
  readonly store: WalletStore;
  /** The app that asks; undefined on the wallet's own page. */
  readonly host: string | undefined;
  /** Gets what could not be written: the log stops nothing. */
  readonly failed: (error: unknown) => void;
}

export function createActivityLog({ store, host, failed }: ActivityLogOptions): ActivityLog {
  // One write after the other: a fate is noted in an entry that is there.
  let writing: Promise<unknown> = Promise.resolve();
  const write = (work: (log: typeof import('../../storage/activity.js')) => Promise<void>): void => {
    writing = writing.then(async () => work(await import('../../storage/activity.js'))).catch(failed);
  };
  return {
    leaves: (leaving) => write((log) => log.noteLeaving(store, { ...leaving, host })),
    settles: (accountId, transactionId, fate) =>
      write((log) => log.noteFates(store, accountId, new Map([[transactionId, fate]]))),
  };
}

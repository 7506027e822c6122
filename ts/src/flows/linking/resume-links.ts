/** Linkings of this device that an earlier visit, or another tab, left open. */

import { isLatchkeyError } from '../../errors/latchkey-error.js';
import { withMutex } from '../../storage/mutex.js';
import type { LinkEntry } from '../../storage/records.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';
import { completeLink, isStale } from './device2-chain.js';
import { releaseUnused } from './link-keys.js';
import { linkState } from './link-state.js';
import { QR_CODE_MAX_AGE_MS } from './qr.js';

/** The outcome of each linking, by account. */
export type ResumedLinks = Readonly<
  Record<'committed' | 'dropped' | 'mismatched' | 'pending' | 'unfinished', readonly string[]>
>;

const resuming = new WeakSet<FlowContext>();

/** Whether this page is resuming linkings, which keeps every other tab out. */
export function isResumingLinks(context: FlowContext): boolean {
  return resuming.has(context);
}

/** Completes each one that needs no user, and so no key that only the passkey opens. Leaves alone a linking that runs in another tab. */
export async function resumeLinks(
  context: FlowContext,
  entries: readonly LinkEntry[],
): Promise<ResumedLinks> {
  const found: Record<keyof ResumedLinks, string[]> = {
    committed: [],
    dropped: [],
    mismatched: [],
    pending: [],
    unfinished: [],
  };
  await withMutex('latchkey:link', { ifAvailable: true }, async (held) => {
    if (held) resuming.add(context);
    for (const entry of entries)
      found[held ? await resumeLink(context, entry) : 'pending'].push(entry.accountId);
    if (held) {
      await releaseUnused(context).catch((error) =>
        warn(context.config, 'The keys of ended linkings are still in memory', error),
      );
    }
  }).finally(() => resuming.delete(context));
  return found;
}

async function resumeLink(context: FlowContext, entry: LinkEntry): Promise<keyof ResumedLinks> {
  const { config } = context;
  try {
    const state = await linkState(context, entry);
    // Its code may have been scanned a moment ago.
    if (state === 'gone' && !entry.replaces && Date.now() < entry.createdAt + QR_CODE_MAX_AGE_MS)
      return 'pending';
    const done = await completeLink(context, entry, new AbortController().signal);
    return isStale(done) ? 'unfinished' : 'committed';
  } catch (error) {
    if (isLatchkeyError(error, 'LINK_SEALED')) return 'unfinished';
    warn(config, `The linking with ${entry.accountId} was not finished`, error);
    if (isLatchkeyError(error, 'LINK_KEY_GONE')) return 'dropped';
    return (await isOpen(context, entry)) ? 'pending' : 'mismatched';
  }
}

async function isOpen({ store }: FlowContext, { accountId, credentialId }: LinkEntry): Promise<boolean> {
  const entry = await store.journal.entry('link', accountId).catch(() => undefined);
  return entry?.credentialId === credentialId;
}

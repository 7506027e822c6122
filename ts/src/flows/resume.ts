/** Looks up what an earlier visit, or another tab, left open, and completes it. */

import { withMutex } from '../storage/mutex.js';
import { TEMPORARY_DEVICE, TEMPORARY_LINKING_KEY } from '../storage/records.js';
import type { ResumedAppKey, ResumedBatch, ResumeResult } from '../types.js';
import type { FlowContext } from './context.js';
import type { ResumedLinks } from './linking/resume-links.js';
import { warn } from './warn.js';

let isToldOfOneProvider = false;

/** Goes through the journal once. What cannot be settled now stays in it. */
export async function resume(context: FlowContext): Promise<ResumeResult> {
  if (!context.rpc.isWitnessed && !isToldOfOneProvider) {
    isToldOfOneProvider = true;
    context.config.logger.warn(
      'rpcUrl names one provider: this wallet cannot notice when it lies about an account, a key or a payment',
    );
  }
  const registrations = await resumedRegistrations(context);
  const batches = await resumedBatches(context);
  const deletions = await resumedDeletions(context);
  const links = await resumedLinks(context);
  await dropTemporaryKey(context);
  const appKeys = await resumedAppKeys(context);
  const of = (how: 'committed' | 'dropped' | 'pending' | 'mismatched') => [
    ...(registrations?.[how] ?? []),
    ...(links?.[how] ?? []),
  ];
  return {
    ...registrations,
    committed: of('committed'),
    dropped: of('dropped'),
    pending: of('pending'),
    mismatched: of('mismatched'),
    ...(links?.unfinished.length && { unfinished: links.unfinished }),
    ...(batches.length > 0 && { batches }),
    ...(deletions.length > 0 && { deletions }),
    ...(appKeys.length > 0 && { appKeys }),
  };
}

/** Loads a lookup only when there is something to look up, which is rare. The functions below do the same. */
async function resumedRegistrations(context: FlowContext): Promise<ResumeResult | undefined> {
  if ((await context.store.journal.entries('registration')).length === 0) return undefined;
  const { resumeRegistrations } = await import('./registration/settle-registration.js');
  return resumeRegistrations(context);
}

/**
 * Watches again, in the background, keys that are still to be deleted, and names the accounts of linkings: an app key is
 * one of getAppKeys until it is gone.
 */
async function resumedDeletions(context: FlowContext): Promise<readonly string[]> {
  const entries = await context.store.journal.entries('deletion');
  if (entries.length === 0) return [];
  const { watchDeletion } = await import('./linking/deletion.js');
  for (const entry of entries) watchDeletion(context, entry);
  const ofLinkings = entries.filter(({ appKey }) => appKey === undefined);
  const accounts = [...new Set(ofLinkings.map(({ accountId }) => accountId))];
  const ofHost = await Promise.all(accounts.map((accountId) => context.store.isOfHost(accountId)));
  return accounts.filter((_, index) => ofHost[index]);
}

async function resumedBatches(context: FlowContext): Promise<readonly ResumedBatch[]> {
  if ((await context.store.journal.entries('batch')).length === 0) return [];
  const { resumeBatches } = await import('./signing/settle-batch.js');
  return resumeBatches(context);
}

async function resumedLinks(context: FlowContext): Promise<ResumedLinks | undefined> {
  const entries = await context.store.journal.entries('link');
  if (entries.length === 0) return undefined;
  const { resumeLinks } = await import('./linking/resume-links.js');
  return resumeLinks(context, entries);
}

/**
 * Drops the key that a reload left while its code was shown: no flow can use it now, unless one runs in another
 * tab.
 */
async function dropTemporaryKey({ store, config }: FlowContext): Promise<void> {
  try {
    if (!(await store.sealedKeys.get(TEMPORARY_LINKING_KEY, TEMPORARY_DEVICE))) return;
    await withMutex('latchkey:link', { ifAvailable: true }, async (held) => {
      if (held) await store.sealedKeys.drop(TEMPORARY_LINKING_KEY, TEMPORARY_DEVICE);
    });
  } catch (error) {
    warn(config, 'A temporary key of device linking could not be dropped', error);
  }
}

async function resumedAppKeys(context: FlowContext): Promise<readonly ResumedAppKey[]> {
  if ((await context.store.journal.entries('appKey')).length === 0) return [];
  const { resumeAppKeys } = await import('./app-keys/settle-app-keys.js');
  return resumeAppKeys(context);
}

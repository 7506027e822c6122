/**
 * Removes the key that a linking added unless a device makes it its own: looks for it every 4 s, and deletes it when
 * its time is over. Ends an app key in the same way: its sealed copy at its end, and the key on the account with the
 * next approval. The journal keeps the pending work, so a reload loses nothing, and a mutex keeps two tabs from sending
 * the same.
 */

import {
  type AccessKeyList,
  executionFailure,
  hasReached,
  rpcFailure,
  type TransactionOutcome,
} from '../../near/index.js';
import { noteOutcome } from '../../near/send.js';
import { heightOfBlock } from '../../near/thorough.js';
import { authenticatorsOf, type KeyList, keysOf } from '../../registry/registry.js';
import { pause } from '../../sleep.js';
import { withMutex } from '../../storage/mutex.js';
import {
  type AppKeyDeletion,
  type DeletionEntry,
  deletionId,
  type LinkDeletion,
} from '../../storage/records.js';
import type { Action, TransactionRequest } from '../../types.js';
import type { FlowContext, Joining } from '../context.js';
import { deletionOf } from '../key-deletion.js';
import { warn } from '../warn.js';

const POLL_MS = 4_000;
/** After this many looks in vain the interval grows, up to one minute. */
const PATIENT_LOOKS = 8;
const LONGEST_PAUSE_MS = 60_000;
/** The delay after sending the DeleteKey: the next block shows whether it is done. */
const SENT_POLL_MS = 1_000;

/** Several blocks at 0.6 s. Where the nodes show no second one, the next look comes with the next poll. */
const MAPPING_LOOKS = 6;
const MAPPING_PAUSE_MS = 500;

/**
 * `linked`: the key is on the account and its time is not over. `sent`: the chain took the DeleteKey. `closed`: there
 * is nothing left to delete. `overtaken`: no stored DeleteKey is one that the chain will take, another has to be signed.
 * `unclear`: the chain does not say yet.
 */
export type DeletionState = 'linked' | 'sent' | 'closed' | 'overtaken' | 'unclear';

/** The entry of a key that is known to be added, with the end of its time. */
type Known = LinkDeletion & Required<Pick<LinkDeletion, 'addedAtHeight' | 'dueAt'>>;

/**
 * The deletions watched here, by id; `again` when another watch was requested meanwhile, for a newly signed DeleteKey
 * for example.
 */
const watched = new WeakMap<FlowContext, Map<string, { again: boolean }>>();

/** Completes a deletion in the background. Tabs take turns: this one begins when no other is at it. */
export function watchDeletion(context: FlowContext, entry: DeletionEntry): void {
  const id = deletionId(entry);
  const inWork = watched.get(context) ?? new Map<string, { again: boolean }>();
  watched.set(context, inWork);
  const earlier = inWork.get(id);
  if (earlier) {
    earlier.again = true;
    return;
  }
  const own = { again: false };
  inWork.set(id, own);
  const { config, closing } = context;
  withMutex(deletionMutex(entry), { signal: closing }, () => watch(context, id))
    .catch((error: unknown) => {
      if (!closing.aborted) warn(config, 'A key of a linking could not be watched', error);
    })
    .finally(() => {
      inWork.delete(id);
      // It may have ended with the old DeleteKey while the new one was being stored.
      if (own.again && !closing.aborted) watchDeletion(context, entry);
    });
}

/** The mutex that linking or deleting this key holds. */
export function deletionMutex(entry: Pick<DeletionEntry, 'accountId' | 'publicKey'>): string {
  return `latchkey:deletion:${deletionId(entry)}`;
}

async function watch(context: FlowContext, id: string): Promise<void> {
  const { store, closing } = context;
  let inVain = 0;
  const begun = await store.journal.entry('deletion', id);
  // No device can have taken over a key that was just added.
  if (begun && isComplete(begun) && !isDue(begun)) await pause(untilDue(begun), closing);
  while (!closing.aborted) {
    // Read each time: a confirmation in another tab may have signed the DeleteKey again.
    const entry = await store.journal.entry('deletion', id);
    if (!entry) return;
    const state = await advanceDeletion(context, entry);
    if (state === 'closed' || state === 'overtaken') return;
    inVain = state === 'unclear' ? inVain + 1 : 0;
    const ms = state === 'sent' ? SENT_POLL_MS : untilDue(entry) * 2 ** Math.max(0, inVain - PATIENT_LOOKS);
    await pause(Math.min(ms, LONGEST_PAUSE_MS), closing);
  }
}

/** Takes the next possible step. Never throws: `unclear` when the chain does not answer now. */
export async function advanceDeletion(context: FlowContext, entry: DeletionEntry): Promise<DeletionState> {
  try {
    if (entry.appKey) return await advanceAppKey(context, entry);
    const known = await completed(context, entry);
    if (known === 'never-added') return await close(context, entry);
    if (!known) return 'unclear';
    if (!(await isToBeDeleted(context, known))) return await close(context, known);
    if (!isDue(known)) return 'linked';
    return await send(context, known.deleteKey);
  } catch (error) {
    warn(context.config, 'A key of a linking could not be looked up', error);
    return 'unclear';
  }
}

/** Destroys the sealed copy of an app key at its end, whether or not the chain answers; then removes the key. */
async function advanceAppKey(context: FlowContext, entry: AppKeyDeletion): Promise<DeletionState> {
  if (!isDue(entry)) return 'linked';
  const { name, deviceNumber } = entry.appKey;
  await context.store.sealedKeys.drop(name, deviceNumber);
  if (!(await isToBeDeleted(context, entry))) return close(context, entry);
  return entry.deleteKey ? send(context, entry.deleteKey) : 'overtaken';
}

/**
 * Whether the key is on the account and belongs to no device. Throws when that cannot be determined: its DeleteKey is thrown
 * away only for a list from a block that had the key once.
 */
export async function isToBeDeleted(context: FlowContext, entry: DeletionEntry): Promise<boolean> {
  const { accountId, publicKey } = entry;
  const list = await keysOf(context, accountId, undefined, { isNo: lacks(publicKey) });
  if (lacks(publicKey)(list)) {
    const { height = 0 } = list;
    // A lagging node may not have seen the key added, and an app key may still be on its way.
    const addedAt = entry.appKey ? await additionHeight(context, entry) : entry.addedAtHeight;
    if (addedAt === undefined || height < addedAt) throw new Error('the node lags');
    return false;
  }
  if (entry.appKey) return true;
  const records = (await authenticatorsOf(context, accountId)).map(([, record]) => record);
  if (records.some(({ near_public_key: named }) => named === publicKey)) return false;
  if (records.every(({ near_public_key: named }) => named !== null)) return true;
  const { mayOwnKeyOf } = await import('../../registry/other-registry.js');
  return !(await mayOwnKeyOf(entry.addedAtHeight, records, context.rpc));
}

/** Those of the entries that the chain shows to be needed still, as transactions of the next batch. */
export async function joiningOf(
  context: FlowContext,
  entries: readonly DeletionEntry[],
): Promise<Joining | undefined> {
  const waiting: DeletionEntry[] = [];
  const transactions: TransactionRequest[] = [];
  for (const entry of entries) {
    const actions = await neededDeletion(context, entry).catch((error: unknown) =>
      warn(context.config, 'A key that waits for its deletion could not be looked up', error),
    );
    if (!actions) continue;
    waiting.push(entry);
    transactions.push({ receiverId: entry.accountId, actions });
  }
  if (waiting.length === 0) return undefined;
  return {
    transactions,
    appKeys: waiting.flatMap(({ publicKey, appKey, dueAt: expiresAt = 0 }) =>
      appKey ? [{ publicKey, receiverId: appKey.receiverId, expiresAt, change: 'removed' as const }] : [],
    ),
    async take(signed) {
      for (const [index, entry] of waiting.entries()) {
        const deleteKey = signed[index]?.borshBytes;
        if (!deleteKey) continue;
        await context.store.journal.update(entry, { deleteKey });
        watchDeletion(context, entry);
      }
    },
  };
}

/** What deletes the key, if it is to be deleted: only an app key can be a gas key. */
async function neededDeletion(context: FlowContext, entry: DeletionEntry): Promise<Action[] | undefined> {
  if (!(await isToBeDeleted(context, entry))) return undefined;
  const { accountId, publicKey, appKey } = entry;
  const options = { agreed: true, certain: true };
  const view = appKey && (await context.rpc.viewAccessKey(accountId, publicKey, options));
  return deletionOf(publicKey, view ?? { permission: 'FullAccess' });
}

/** The account's keys; a list without this one comes from two blocks. */
function certainKeys(context: FlowContext, accountId: string, publicKey: string): Promise<KeyList> {
  return keysOf(context, accountId, undefined, { certain: true, isNo: lacks(publicKey) });
}

function lacks(publicKey: string): (list: Pick<AccessKeyList, 'keys'>) => boolean {
  return ({ keys }) => !keys.some((key) => key.public_key === publicKey);
}

async function send({ rpc }: FlowContext, deleteKey: Uint8Array): Promise<DeletionState> {
  try {
    noteOutcome(rpc, await rpc.sendTransaction(deleteKey, 'INCLUDED_FINAL'));
    return 'sent';
  } catch (error) {
    const failure = rpcFailure(error);
    // A balance that does not cover the gas may do so later; every other refusal of these bytes is final.
    if (failure?.kind === 'invalid_transaction' && failure.reason !== 'NotEnoughBalance') return 'overtaken';
    throw error;
  }
}

async function close({ store }: FlowContext, entry: DeletionEntry): Promise<DeletionState> {
  await store.journal.drop(entry);
  return 'closed';
}

/** Returns the entry with what an interruption left open looked up; undefined while the chain does not say. */
async function completed(
  context: FlowContext,
  entry: LinkDeletion,
): Promise<Known | 'never-added' | undefined> {
  const { store, config } = context;
  const { addedAtHeight, dueAt } = entry;
  if (addedAtHeight !== undefined && dueAt !== undefined) return { ...entry, addedAtHeight, dueAt };
  const { accountId, mappingId } = entry;
  const added = await addition(context, entry);
  if (!added || added === 'never-added') return added;
  // The key was there already, added by someone else.
  if (executionFailure(added)) return 'never-added';

  const mapping = await certainOutcome(context, accountId, mappingId);
  if (mapping === undefined) return undefined;
  const isMapped = mapping !== null && executionFailure(mapping) === null;
  const change = {
    addedAtHeight: addedAtHeight ?? (await heightOf(context, added)),
    dueAt: dueAt ?? (isMapped ? Date.now() + config.deviceLinking.tempKeyDeleteDelayMs : Date.now()),
  };
  await store.journal.update(entry, change);
  return { ...entry, ...change };
}

/** The outcome of the AddKey; undefined while it is open, or while the key is there and nothing tells why. */
async function addition(
  context: FlowContext,
  { accountId, publicKey, addKey }: DeletionEntry,
): Promise<TransactionOutcome | 'never-added' | undefined> {
  const state = await context.rpc.transactionState({
    transactionId: addKey.id,
    signerId: accountId,
    publicKey: addKey.signerKey,
    nonce: BigInt(addKey.nonce),
    blockHeight: Number(addKey.blockHeight),
  });
  if ('outcome' in state) return ended(state.outcome);
  if (state.name === 'not-seen' || state.name === 'in-pool') return undefined;
  return lacks(publicKey)(await certainKeys(context, accountId, publicKey)) ? 'never-added' : undefined;
}

/** The height that shows the added key, 0 if the key was never added; undefined while that is open. */
async function additionHeight(context: FlowContext, entry: DeletionEntry): Promise<number | undefined> {
  const added = await addition(context, entry);
  if (added === 'never-added' || (added && executionFailure(added))) return 0;
  return added && heightOf(context, added);
}

/**
 * The outcome of a transaction in a final block whose own call has ended; undefined before. Null where no node knows it,
 * also at a later final block: the key is deleted for that. What the call started may take much longer, such as the
 * mapping's own expiry 200 blocks later.
 */
async function certainOutcome(
  { rpc, closing }: FlowContext,
  accountId: string,
  transactionId: string,
): Promise<TransactionOutcome | null | undefined> {
  const lookedAt = new Set<number>();
  for (let look = 1; look <= MAPPING_LOOKS && !closing.aborted; look += 1) {
    const { header } = await rpc.block({ finality: 'final' });
    const outcome = await rpc.transactionStatus(transactionId, accountId);
    if (outcome) return ended(outcome);
    if (lookedAt.add(header.height).size > 1) return null;
    await pause(MAPPING_PAUSE_MS, closing);
  }
  return undefined;
}

function ended(outcome: TransactionOutcome): TransactionOutcome | undefined {
  const isFinal = hasReached(outcome.final_execution_status, 'INCLUDED_FINAL');
  return isFinal && typeof outcome.status === 'object' ? outcome : undefined;
}

/** The height at which the chain shows the effect of a transaction on its own account. */
export async function heightOf({ rpc }: FlowContext, outcome: TransactionOutcome): Promise<number> {
  const hash = outcome.transaction_outcome?.block_hash;
  const height = typeof hash === 'string' ? await heightOfBlock(rpc, hash) : 0;
  return (height || (await rpc.block({ finality: 'final' })).header.height) + 1;
}

/** Whether nothing of the entry is left to be looked up. */
function isComplete(entry: DeletionEntry): boolean {
  return !entry.appKey && entry.addedAtHeight !== undefined && entry.dueAt !== undefined;
}

/** Whether the key's time is over. */
export function isDue({ dueAt }: Pick<DeletionEntry, 'dueAt'>): boolean {
  return dueAt !== undefined && Date.now() >= dueAt;
}

/** No device takes over an app key, so the wallet looks at nothing before its end. */
function untilDue({ dueAt, appKey }: DeletionEntry): number {
  const left = (dueAt ?? 0) - Date.now();
  return left > 0 ? Math.min(left, appKey ? LONGEST_PAUSE_MS : POLL_MS) : POLL_MS;
}

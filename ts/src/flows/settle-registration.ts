/**
 * What became of a registration, as the chain tells. An unknown outcome is not a failure: the entry stays until the
 * chain shows the account, or until the registry can no longer take that registration.
 */
import { base64urlnopad } from '@scure/base';
import * as v from 'valibot';
import { messageOf } from '../errors.js';
import { type AccessKeyList, rpcFailure } from '../near/index.js';
import type { RegistrationEntry } from '../storage/records.js';
import type { ResumeResult } from '../types.js';
import type { FlowContext } from './context.js';
import { authenticatorsOf, maxBlockAge } from './registry.js';

/** Blocks that a transaction may take to be executed, beyond the age that the registry allows its challenge. */
const EXECUTION_MARGIN_BLOCKS = 50;
const LOOKUPS = 8;
const LOOKUP_PAUSE_MS = 1_000;

/** Whether the chain shows the account with our keys and our record, with others, or not (yet). */
type Seen = 'matched' | 'mismatched' | 'absent' | 'incomplete';

interface Look {
  readonly seen: Seen;
  /** The block it was read at, where the node says so: another node may lag. */
  readonly height?: number | undefined;
}

/** `matched` is given in place of `committed` when the caller stores the records itself. */
export type Settled = 'matched' | 'committed' | 'mismatched' | 'dropped' | 'pending';

export interface SettleOptions {
  /** Leave the records to the caller when they match. */
  readonly keep?: boolean;
  /** Look once, and wait for nothing. */
  readonly once?: boolean;
}

/** Looks up one entry for some seconds, and settles it when the chain is clear about it. */
export async function settleSoon(
  context: FlowContext,
  entry: RegistrationEntry,
  signal: AbortSignal | undefined,
  { keep = false, once = false }: SettleOptions = {},
): Promise<Settled> {
  for (let lookup = 1; ; lookup += 1) {
    const settled = await settle(context, entry, keep);
    if (settled !== 'pending' || once || lookup === LOOKUPS || signal?.aborted) return settled;
    await new Promise((resolve) => setTimeout(resolve, LOOKUP_PAUSE_MS));
  }
}

/** Settles every entry that can be settled. */
export async function resumeRegistrations(context: FlowContext): Promise<ResumeResult> {
  const found: Record<Exclude<Settled, 'matched'>, string[]> = {
    committed: [],
    dropped: [],
    pending: [],
    mismatched: [],
  };
  for (const entry of await context.store.journal()) {
    const settled = await settle(context, entry, false);
    if (settled !== 'matched') found[settled].push(entry.accountId);
  }
  return found;
}

async function settle(context: FlowContext, entry: RegistrationEntry, keep: boolean): Promise<Settled> {
  const { store, config } = context;
  try {
    const { seen } = await look(context, entry);
    if (seen === 'matched' && keep) return 'matched';
    if (seen === 'matched') {
      await store.commitEntry(entry);
      return 'committed';
    }
    if (seen === 'mismatched') {
      await store.dropEntry(entry);
      return 'mismatched';
    }
    const [lastHope, { header }] = await Promise.all([
      lastHopeOf(context, entry),
      context.rpc.block({ finality: 'final' }),
    ]);
    if (header.height <= lastHope) return 'pending';
    // The height was read before this second look, so what is absent now will stay so.
    const last = await look(context, entry);
    if (last.seen === 'matched') return settle(context, entry, keep);
    if (last.height !== undefined && last.height <= lastHope) return 'pending';
    await store.dropEntry(entry);
    return last.seen === 'absent' ? 'dropped' : 'mismatched';
  } catch (error) {
    config.logger.warn(`The registration of ${entry.accountId} could not be looked up`, messageOf(error));
    return 'pending';
  }
}

/** The height of the last block that can hold the registration. */
async function lastHopeOf(context: FlowContext, entry: RegistrationEntry): Promise<number> {
  return entry.challengeHeight + (await maxBlockAge(context)) + EXECUTION_MARGIN_BLOCKS;
}

/** Compares the account's key list and the registry's record with what was made here: two RPC calls. */
async function look(context: FlowContext, entry: RegistrationEntry): Promise<Look> {
  const [{ keys, height }, authenticators] = await Promise.all([
    keyList(context, entry.accountId),
    authenticatorsOf(context, entry.accountId),
  ]);
  return { seen: compare(entry, keys, authenticators), height };
}

function compare(
  entry: RegistrationEntry,
  keys: AccessKeyList['keys'],
  authenticators: Awaited<ReturnType<typeof authenticatorsOf>>,
): Seen {
  const [key] = keys;
  if (!key) return 'absent';
  if (keys.length > 1 || key.public_key !== entry.nearPublicKey) return 'mismatched';
  if (key.access_key.permission !== 'FullAccess') return 'mismatched';
  // The registry writes its record one block after the account.
  const [record] = authenticators;
  if (!record) return 'incomplete';

  if (authenticators.length > 1 || record[0] !== entry.credentialId) return 'mismatched';
  const vrfKeys = record[1].vrf_public_keys.map((bytes) => base64urlnopad.encode(bytes));
  const { bootstrap, deterministic } = entry.vrfPublicKeys;
  const isOurs =
    record[1].near_public_key === entry.nearPublicKey &&
    vrfKeys.length === 2 &&
    vrfKeys[0] === bootstrap &&
    vrfKeys[1] === deterministic;
  return isOurs ? 'matched' : 'mismatched';
}

const ReadAt = v.looseObject({ block_height: v.number() });

/** The account's keys, none when there is no such account, and the block they were read at. */
async function keyList(
  { rpc }: FlowContext,
  accountId: string,
): Promise<{ keys: AccessKeyList['keys']; height: number | undefined }> {
  try {
    const { keys, block_height: height } = await rpc.viewAccessKeyList(accountId);
    return { keys, height };
  } catch (error) {
    const failure = rpcFailure(error);
    if (failure?.kind !== 'unknown_account') throw error;
    return { keys: [], height: v.is(ReadAt, failure.info) ? failure.info.block_height : undefined };
  }
}

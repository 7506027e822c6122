/** The state of a linking of this device, as the chain shows it. */
import { base64urlnopad } from '@scure/base';
import { authenticatorsOf, deviceCounter, keysOf, maxBlockAge } from '../../registry/registry.js';
import type { LinkEntry } from '../../storage/records.js';
import type { FlowContext } from '../context.js';
import { pause } from '../pause.js';

/**
 * `registered`: done. `mismatched`: the registry holds the passkey with other keys than ours. `added`: the device's
 * own key is on the account. `to-swap`: the key that it replaces still is. `gone`: neither is (or not yet).
 */
export type LinkState = 'registered' | 'mismatched' | 'added' | 'to-swap' | 'gone';

/** How many of the blocks that the registry allows a challenge are reserved for swap and registration. */
const EXECUTION_MARGIN_BLOCKS = 20;

/** Compares the account's keys and the registry's record with the entry: two RPC calls. */
export async function linkState(context: FlowContext, entry: LinkEntry): Promise<LinkState> {
  const [{ keys }, authenticators] = await Promise.all([
    keysOf(context, entry.accountId),
    authenticatorsOf(context, entry.accountId),
  ]);
  const has = (publicKey: string | undefined): boolean =>
    keys.some(
      ({ public_key, access_key }) => public_key === publicKey && access_key.permission === 'FullAccess',
    );
  const isAdded = has(entry.key.publicKey);
  const record = authenticators.find(([credentialId]) => credentialId === entry.credentialId)?.[1];
  if (record) {
    const vrfKeys = record.vrf_public_keys.map((bytes) => base64urlnopad.encode(bytes));
    const isOurs =
      (record.near_public_key ?? entry.key.publicKey) === entry.key.publicKey &&
      record.device_number === entry.deviceNumber &&
      vrfKeys.length === 2 &&
      vrfKeys[0] === entry.vrfPublicKeys.bootstrap &&
      vrfKeys[1] === entry.vrfPublicKeys.deterministic;
    if (!isOurs) return 'mismatched';
    return isAdded ? 'registered' : 'gone';
  }
  if (isAdded) return 'added';
  return has(entry.replaces?.publicKey) ? 'to-swap' : 'gone';
}

export const LOOKUPS = 8;
/** For a linking that has sent nothing: all that can be lost is a key that its own deletion, or the person, removes. */
const LOOKUPS_UNSENT = 3;
const LOOKUP_PAUSE_MS = 500;

/**
 * As {@link linkState}, but believes that nothing is there only after several looks: a lagging node does not know yet
 * what another one showed.
 */
export async function stateForCertain(
  context: FlowContext,
  entry: LinkEntry,
  signal: AbortSignal,
  lookups = isUnsent(entry) ? LOOKUPS_UNSENT : LOOKUPS,
): Promise<LinkState> {
  for (let lookup = 1; ; lookup += 1) {
    const state = await linkState(context, entry);
    if (state !== 'gone' || lookup === lookups) return state;
    await pause(LOOKUP_PAUSE_MS, signal);
    signal.throwIfAborted();
  }
}

/** Whether this device has sent no transaction of the linking yet. */
export function isUnsent({ swap, registration }: LinkEntry): boolean {
  return !swap && !registration;
}

/**
 * Whether the registry would still accept the entry's passkey: its challenge is young, and its number still the next
 * one.
 */
export async function isTakeable(context: FlowContext, entry: LinkEntry): Promise<boolean> {
  const [{ header }, maxAge, counter] = await Promise.all([
    context.rpc.block({ finality: 'final' }),
    maxBlockAge(context),
    deviceCounter(context, entry.accountId),
  ]);
  const isYoung = header.height + EXECUTION_MARGIN_BLOCKS <= entry.challengeHeight + maxAge;
  return isYoung && counter + 1 === entry.deviceNumber;
}

/** The state of a linking of this device, as the chain shows it. */
import { base64urlnopad } from '@scure/base';
import type { AccessKeyList } from '../../near/index.js';
import {
  authenticatorsOf,
  deviceCounter,
  keysOf,
  maxBlockAge,
  type RegistryAuthenticator,
  type RegistryAuthenticators,
} from '../../registry/registry.js';
import { pause } from '../../sleep.js';
import type { LinkEntry } from '../../storage/records.js';
import { signalUnknown } from '../../webauthn/signal.js';
import type { SealedKey } from '../../workers/sealed-key.js';
import type { FlowContext } from '../context.js';

/**
 * `registered`: done. `mismatched`: the registry holds the passkey with other keys than ours. `added`: the device's
 * own key is on the account. `to-swap`: the key that it replaces still is. `gone`: neither is (or not yet).
 */
export type LinkState = 'registered' | 'mismatched' | 'added' | 'to-swap' | 'gone';

/** How many of the blocks that the registry allows a challenge are reserved for swap and registration. */
const EXECUTION_MARGIN_BLOCKS = 20;

/**
 * Compares the account's keys and the registry's record with the entry: two RPC calls. A `certain` look believes that a
 * key is missing only after two looks at different blocks, and every look that a record is another one. Neither answer
 * is older than what was written here.
 */
export async function linkState(
  context: FlowContext,
  entry: LinkEntry,
  { certain = false }: { readonly certain?: boolean } = {},
): Promise<LinkState> {
  const { accountId, key, replaces } = entry;
  const lacks =
    (...wanted: readonly (SealedKey | null)[]) =>
    ({ keys }: Pick<AccessKeyList, 'keys'>): boolean =>
      !wanted.some((one) => keys.some((found) => isFullAccess(found, one?.publicKey)));
  const keysUnless = (isNo: ReturnType<typeof lacks>) =>
    keysOf(context, accountId, undefined, { certain, isNo, afterWrites: true });
  const isTheirs = (all: RegistryAuthenticators): boolean => {
    const found = recordIn(all, entry);
    return found !== undefined && !isOurs(found, entry);
  };
  const [list, seen] = await Promise.all([
    keysUnless(lacks(key, replaces)),
    authenticatorsOf(context, accountId, undefined, { afterWrites: true }),
  ]);
  const sure = { certain: true, isNo: isTheirs, afterWrites: true };
  const authenticators = isTheirs(seen) ? await authenticatorsOf(context, accountId, undefined, sure) : seen;
  if (isTheirs(authenticators)) return 'mismatched';
  const record = recordIn(authenticators, entry);
  // The node that listed the keys may lag behind the one that showed the record.
  const keys = record && lacks(key)(list) ? await keysUnless(lacks(key)) : list;
  const isAdded = !lacks(key)(keys);
  if (record) return isAdded ? 'registered' : 'gone';
  if (isAdded) return 'added';
  return lacks(replaces)(keys) ? 'gone' : 'to-swap';
}

function recordIn(all: RegistryAuthenticators, entry: LinkEntry): RegistryAuthenticator | undefined {
  return all.find(([credentialId]) => credentialId === entry.credentialId)?.[1];
}

function isOurs(record: RegistryAuthenticator, { key, deviceNumber, vrfPublicKeys }: LinkEntry): boolean {
  const vrfKeys = record.vrf_public_keys.map((bytes) => base64urlnopad.encode(bytes));
  return (
    (record.near_public_key ?? key.publicKey) === key.publicKey &&
    record.device_number === deviceNumber &&
    vrfKeys.length === 2 &&
    vrfKeys[0] === vrfPublicKeys.bootstrap &&
    vrfKeys[1] === vrfPublicKeys.deterministic
  );
}

function isFullAccess(
  { public_key, access_key }: AccessKeyList['keys'][number],
  publicKey: string | undefined,
): boolean {
  return public_key === publicKey && access_key.permission === 'FullAccess';
}

export const LOOKUPS = 8;
/** For a linking that has sent nothing: all that can be lost is a key that its own deletion, or the user, removes. */
const LOOKUPS_UNSENT = 3;
const LOOKUP_PAUSE_MS = 500;

/**
 * As {@link linkState}, but believes that nothing is there only after several looks, the last ones at different blocks:
 * a lagging node does not know yet what another one showed.
 */
export async function stateForCertain(
  context: FlowContext,
  entry: LinkEntry,
  signal: AbortSignal,
  lookups = isUnsent(entry) ? LOOKUPS_UNSENT : LOOKUPS,
): Promise<LinkState> {
  for (let lookup = 1; ; lookup += 1) {
    const isLast = lookup === lookups;
    const state = await linkState(context, entry, { certain: isLast });
    if (state !== 'gone' || isLast) return state;
    await pause(LOOKUP_PAUSE_MS, signal);
    signal.throwIfAborted();
  }
}

/**
 * Drops an entry that came to nothing. The browser may forget its passkey, unless this device may have sent its
 * registration.
 */
export async function dropLink({ store, rpId }: FlowContext, entry: LinkEntry): Promise<void> {
  const { accountId, credentialId } = entry;
  // The stored entry counts: it holds what was sent since.
  const left = await store.journal.entry('link', accountId);
  await store.journal.drop(entry);
  if (left?.credentialId === credentialId && !left.registration) void signalUnknown(rpId, credentialId);
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
  const isNext = (counter: number) => counter + 1 === entry.deviceNumber;
  // A "no" costs the user another passkey.
  const view = { isNo: (counter: number) => !isNext(counter), certain: true };
  const [{ header }, maxAge, counter] = await Promise.all([
    context.rpc.block({ finality: 'final' }),
    maxBlockAge(context),
    deviceCounter(context, entry.accountId, undefined, view),
  ]);
  const isYoung = header.height + EXECUTION_MARGIN_BLOCKS <= entry.challengeHeight + maxAge;
  return isYoung && isNext(counter);
}

/**
 * What became of a registration, by the chain's word. An unknown outcome is not a failure: the entry stays until the chain
 * shows the account, or until the registry can no longer take that registration.
 */

import { base64urlnopad } from '@scure/base';
import {
  isLatchkeyError,
  LatchkeyError,
  messageOf,
  REGISTRATION_NOT_STORED,
  toLatchkeyError,
} from '../../errors/account.js';
import type { AccessKeyList } from '../../near/index.js';
import {
  authenticatorsOf,
  type KeyList,
  keysOf,
  maxBlockAge,
  type RegistryAuthenticators,
} from '../../registry/registry.js';
import { pause } from '../../sleep.js';
import { isStorageError } from '../../storage/failure.js';
import type { RegistrationEntry } from '../../storage/records.js';
import type { ResumeProblem, ResumeResult } from '../../types.js';
import { isSameKey } from '../../webauthn/assertion-signature.js';
import { signalUnknown } from '../../webauthn/signal.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';

/** Blocks that a transaction may need to run, beyond the age that the registry allows its challenge. */
const EXECUTION_MARGIN_BLOCKS = 50;
const LOOKUPS = 8;
const LOOKUP_PAUSE_MS = 1_000;

/** Whether the chain shows the account with our keys and our record, with others, or not (yet). */
type Seen = 'matched' | 'mismatched' | 'absent' | 'incomplete';

interface Look {
  readonly seen: Seen;
  /** Whether the chain shows neither our key nor our passkey. */
  readonly isWithoutUs: boolean;
  /** The height at which it was read: another node may lag. */
  readonly height: number;
  readonly list: KeyList;
}

/** `matched` takes the place of `committed` when the caller stores the records itself. */
export type Settled = 'matched' | 'committed' | 'mismatched' | 'dropped' | 'pending';

export interface SettleOptions {
  /** Leave the records to the caller when they match. */
  readonly keep?: boolean;
  /** Look once, and wait for nothing. */
  readonly once?: boolean;
}

/**
 * Looks up one entry for some seconds, and settles it when the chain is clear about it. Throws
 * REGISTRATION_NOT_STORED when the account exists but its records could not be written, and a STORAGE_ error when the
 * entry could not be closed: it stays, and another look settles it. Throws RPC_DISAGREEMENT when two nodes report
 * different accounts.
 */
export async function settleSoon(
  context: FlowContext,
  entry: RegistrationEntry,
  signal: AbortSignal | undefined,
  { keep = false, once = false }: SettleOptions = {},
): Promise<Settled> {
  for (let lookup = 1; ; lookup += 1) {
    const settled = await settle(context, entry, keep);
    if (settled !== 'pending' || once || lookup === LOOKUPS || signal?.aborted) return settled;
    await pause(LOOKUP_PAUSE_MS, signal);
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
  const problems: ResumeProblem[] = [];
  for (const entry of await context.store.journal.entries('registration')) {
    const { accountId } = entry;
    try {
      const settled = await settle(context, entry, false);
      if (settled !== 'matched') found[settled].push(accountId);
    } catch (error) {
      const { code, message } = toLatchkeyError(error);
      found.pending.push(accountId);
      problems.push({ accountId, errorCode: code, error: message });
    }
  }
  return { ...found, ...(problems.length > 0 && { problems }) };
}

/** The account now exists: settling stores the records that the journal entry holds. */
export function notStored(error: unknown, account: string): LatchkeyError {
  return new LatchkeyError(REGISTRATION_NOT_STORED, {
    values: { account, reason: messageOf(error) },
    cause: error,
  });
}

async function settle(context: FlowContext, entry: RegistrationEntry, keep: boolean): Promise<Settled> {
  const { store, config } = context;
  try {
    const first = await look(context, entry);
    const { seen } = first;
    if (seen === 'matched') context.contexts.learnFrom(entry.accountId, entry.nearPublicKey, first.list);
    if (seen === 'matched' && keep) return 'matched';
    if (seen === 'matched') {
      await store.commitEntry(entry).catch((error) => {
        throw notStored(error, entry.accountId);
      });
      return 'committed';
    }
    if (seen === 'mismatched') return await forgetMismatched(context, entry, first);
    const [lastHope, { header }] = await Promise.all([
      lastHopeOf(context, entry),
      context.rpc.block({ finality: 'final' }),
    ]);
    if (header.height <= lastHope) return 'pending';
    // The height was read before these looks at two blocks, so what is absent now will stay so.
    const last = await look(context, entry, true);
    if (last.seen === 'matched') return await settle(context, entry, keep);
    if (last.height <= lastHope) return 'pending';
    if (last.seen !== 'absent') return await forgetMismatched(context, entry, last);
    await store.journal.drop(entry);
    forgetPasskey(context, entry, last);
    return 'dropped';
  } catch (error) {
    // A full disk or a lying node will not get better by waiting for the chain.
    if (isStorageError(error) || isLatchkeyError(error, 'REGISTRATION_NOT_STORED', 'RPC_DISAGREEMENT')) {
      throw error;
    }
    warn(config, `The registration of ${entry.accountId} could not be looked up`, error);
    return 'pending';
  }
}

/** Reports that the account belongs to someone else, even if its entry cannot be closed now. */
async function forgetMismatched(
  context: FlowContext,
  entry: RegistrationEntry,
  look: Look,
): Promise<'mismatched'> {
  const { store, config } = context;
  await store.journal.drop(entry).catch((error) => warn(config, 'The journal could not be written', error));
  forgetPasskey(context, entry, look);
  return 'mismatched';
}

/** Lets the browser forget a passkey that never came to the chain, and no longer can. */
function forgetPasskey({ rpId }: FlowContext, { credentialId }: RegistrationEntry, look: Look): void {
  if (look.isWithoutUs) void signalUnknown(rpId, credentialId);
}

/** The height of the last block that can hold the registration. */
async function lastHopeOf(context: FlowContext, entry: RegistrationEntry): Promise<number> {
  return entry.challengeHeight + (await maxBlockAge(context)) + EXECUTION_MARGIN_BLOCKS;
}

/**
 * Compares the account's key list and the registry's record with what was made here: two RPC calls. A `certain` look
 * believes that the account or the record is missing, or another one, only after two looks at different blocks. It is
 * never `mismatched` for less.
 */
async function look(context: FlowContext, entry: RegistrationEntry, certain = false): Promise<Look> {
  const [list, authenticators] = await Promise.all([
    keysOf(context, entry.accountId, undefined, { certain, isNo: ({ keys }) => !hasOurKey(entry, keys) }),
    authenticatorsOf(context, entry.accountId, undefined, {
      certain,
      isNo: (list) => !hasOurRecord(entry, list),
    }),
  ]);
  const { keys, height } = list;
  const seen = compare(entry, keys, authenticators);
  const isWithoutUs =
    keys.every(({ public_key: key }) => key !== entry.nearPublicKey) &&
    authenticators.every(([credentialId]) => credentialId !== entry.credentialId);
  return seen === 'mismatched' && !certain ? look(context, entry, true) : { seen, list, height, isWithoutUs };
}

function compare(
  entry: RegistrationEntry,
  keys: AccessKeyList['keys'],
  authenticators: RegistryAuthenticators,
): Seen {
  if (keys.length === 0) return 'absent';
  if (!hasOurKey(entry, keys)) return 'mismatched';
  // The registry writes its record one block after the account.
  if (authenticators.length === 0) return 'incomplete';
  return hasOurRecord(entry, authenticators) ? 'matched' : 'mismatched';
}

/** Whether the account has our key, and no other. */
function hasOurKey({ nearPublicKey }: RegistrationEntry, keys: AccessKeyList['keys']): boolean {
  const [key, ...others] = keys;
  if (!key || others.length > 0) return false;
  return key.public_key === nearPublicKey && key.access_key.permission === 'FullAccess';
}

/**
 * Whether the registry has our record, and no other. The proof binds neither the derived keys nor the passkey's own public
 * key, which the attestation `none` leaves unsigned.
 */
function hasOurRecord(entry: RegistrationEntry, authenticators: RegistryAuthenticators): boolean {
  const [record, ...others] = authenticators;
  if (!record || others.length > 0 || record[0] !== entry.credentialId) return false;
  const vrfKeys = record[1].vrf_public_keys.map((bytes) => base64urlnopad.encode(bytes));
  const { bootstrap, deterministic } = entry.vrfPublicKeys;
  return (
    isSameKey(record[1].credential_public_key, entry.records.authenticator.credentialPublicKey) &&
    (record[1].near_public_key ?? entry.nearPublicKey) === entry.nearPublicKey &&
    vrfKeys.length === 2 &&
    vrfKeys[0] === bootstrap &&
    vrfKeys[1] === deterministic
  );
}

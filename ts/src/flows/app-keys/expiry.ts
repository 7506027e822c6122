/**
 * The end of an app key. The chain knows none: an entry of the deletion journal holds it from before the key is added,
 * until the key is off the account.
 */
import { APP_KEY_EXPIRED, INVALID_ACTION, LatchkeyError } from '../../errors/account.js';
import { type AppKeyDeletion, deletionId } from '../../storage/records.js';
import type { WalletStore } from '../../storage/store.js';
import type { SignedTransaction } from '../../types.js';
import type { FlowContext } from '../context.js';
import { isDue } from '../linking/deletion.js';
import { warn } from '../warn.js';

const LONGEST_MS = 10 * 366 * 86_400_000;

/** Throws INVALID_ACTION for an end that is no time of the next ten years. */
export function assertExpiry(expiresAt: number | undefined): void {
  if (expiresAt === undefined) return;
  const left = expiresAt - Date.now();
  if (Number.isSafeInteger(expiresAt) && left > 0 && left < LONGEST_MS) return;
  throw new LatchkeyError(INVALID_ACTION, {
    values: {
      reason: 'The expiresAt of an app key must be a time of the next ten years, in milliseconds since 1970',
    },
  });
}

/** A key with an end, and where its sealed copy is stored. */
export interface EndingKey extends Pick<AppKeyDeletion, 'accountId' | 'publicKey' | 'appKey'> {
  readonly expiresAt: number;
  /** The public key that signs its AddKey. */
  readonly signerKey: string;
}

/**
 * Writes the key's end before its AddKey leaves, again for each copy that is signed. Throws APP_KEY_EXPIRED when it is
 * over already: the user took longer.
 */
export async function noteExpiry(
  store: WalletStore,
  { accountId, publicKey, appKey, expiresAt, signerKey }: EndingKey,
  copy: SignedTransaction,
  blockHeight: string,
): Promise<AppKeyDeletion> {
  const addKey = { id: copy.hash, signerKey, nonce: copy.transaction.nonce, blockHeight };
  const key = { accountId, publicKey };
  const entry: AppKeyDeletion = {
    kind: 'deletion',
    ...key,
    addKey,
    appKey,
    dueAt: expiresAt,
    createdAt: Date.now(),
    token: crypto.randomUUID(),
  };
  if (isDue(entry)) throw expired(entry);
  if (await store.journal.open(entry)) return entry;
  const earlier = await expiryOf(store, key);
  if (earlier) await store.journal.update(earlier, { addKey });
  return earlier ?? entry;
}

/** Forgets the end of a key that is not on the account, and never will be. */
export async function dropExpiry(
  store: WalletStore,
  key: Pick<AppKeyDeletion, 'accountId' | 'publicKey'>,
): Promise<void> {
  const entry = await expiryOf(store, key);
  if (entry) await store.journal.drop(entry);
}

async function expiryOf(
  store: WalletStore,
  key: Pick<AppKeyDeletion, 'accountId' | 'publicKey'>,
): Promise<AppKeyDeletion | undefined> {
  const entry = await store.journal.entry('deletion', deletionId(key));
  return entry?.appKey ? entry : undefined;
}

/**
 * The account's app keys of this device that have an end and were not yet found removed, by public key. None where the
 * account was not used through the host, which would learn that it is on this device.
 */
export async function expiries(
  store: WalletStore,
  accountId: string,
): Promise<ReadonlyMap<string, AppKeyDeletion>> {
  if (!(await store.isOfHost(accountId))) return new Map();
  const entries = (await store.journal.entries('deletion')).filter((entry) => entry.accountId === accountId);
  return new Map(entries.flatMap((entry) => (entry.appKey ? [[entry.publicKey, entry]] : [])));
}

/**
 * Whether the key's end is over, by this device's clock or by the chain's newest block: a clock that was set back does
 * not lengthen it. Where no node answers, the clock alone decides.
 */
export async function isOver({ rpc, config }: FlowContext, entry: AppKeyDeletion): Promise<boolean> {
  if (isDue(entry)) return true;
  try {
    const { header } = await rpc.block({ finality: 'final' });
    return Number(BigInt(header.timestamp_nanosec) / 1_000_000n) >= entry.dueAt;
  } catch (error) {
    warn(config, 'The time of the newest block could not be read', error);
    return false;
  }
}

export function expired({ accountId: account, appKey, dueAt }: AppKeyDeletion): LatchkeyError {
  const values = { account, receiver: appKey.receiverId, end: new Date(dueAt).toISOString() };
  return new LatchkeyError(APP_KEY_EXPIRED, { values });
}

/** Waits for Device1: this device's key appears on an account. */

import {
  ACCOUNT_NOT_OWNED,
  LatchkeyError,
  linkText,
  QR_TEXTS,
  SESSION_EXPIRED,
} from '../../errors/account.js';
import { isNearAccountId } from '../../near/account-id.js';
import { rpcFailure } from '../../near/index.js';
import { linkingAccount, MAPPING_LIFE_BLOCKS } from '../../registry/linking.js';
import { deviceCounter } from '../../registry/registry.js';
import { pause } from '../../sleep.js';
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';
import { warn } from '../warn.js';
import { keyGone } from './device2-chain.js';

const POLL_MS = 3_000;
/** After this many looks without its key, a mapping of an account that the user did not name is not Device1's. */
const MAX_LOOKS_WITHOUT_KEY = 5;

export interface Awaited {
  readonly publicKey: string;
  /** The account that the user named: its own key list is read, so that any wallet may add the key. */
  readonly accountId: string | undefined;
  /** Whether another device adds the key, which then names it in the registry and removes it if it stays unused. */
  readonly byDevice: boolean;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Found {
  readonly accountId: string;
  /** The registry's counter plus 1. */
  readonly deviceNumber: number;
  /** The earliest time at which Device1 removes the key, by the delay configured here; undefined where no Device1 took part. */
  readonly deleteAt: number | undefined;
}

/**
 * Looks every 3 s until the code has expired. Throws SESSION_EXPIRED, ACCOUNT_NOT_OWNED, or LINK_KEY_GONE once the
 * registry shows that the account which the user named has added the key and removed it again between two looks. An
 * account names a key after it has added it; a page that sleeps or is hidden may look a minute later. After a gap in
 * which the registry can have named an account and forgotten it, throws SESSION_EXPIRED: whether the code was scanned
 * can no longer be known.
 */
export async function detect(
  context: FlowContext,
  awaited: Awaited,
  { emit, signal }: Run<'linking'>,
): Promise<Found> {
  let lastWithout = Date.now();
  let looksWithoutKey = 0;
  let namedBy: string | undefined;
  /** The newest block at which the registry named no account. */
  let unnamedAt: number | undefined;
  for (;;) {
    if (Date.now() >= awaited.expiresAt) throw new LatchkeyError(SESSION_EXPIRED);
    const lookedAt = Date.now();
    const seen = await look(context, awaited, signal).catch((error: unknown) => {
      if (signal.aborted || !rpcFailure(error)) throw error;
      warn(context.config, 'The chain could not be asked for the linking', error);
      return 'unanswered' as const;
    });
    if (seen !== 'unanswered' && seen.hasKey) {
      const { accountId, counter } = seen;
      const deleteAt =
        counter > 0 ? lastWithout + context.config.deviceLinking.tempKeyDeleteDelayMs : undefined;
      return { accountId, deviceNumber: counter + 1, deleteAt };
    }
    const named: string | undefined = seen === 'unanswered' ? undefined : (seen.accountId ?? namedBy);
    if (named !== undefined) {
      // A mapping that was seen may end before the last look.
      namedBy = named;
      looksWithoutKey += 1;
      const isNamed = awaited.accountId !== undefined;
      const looksNeeded = isNamed ? 1 : MAX_LOOKS_WITHOUT_KEY;
      if (looksWithoutKey >= looksNeeded && (await isMissing(context, named, awaited, signal))) {
        if (isNamed) throw keyGone(context, named);
        throw new LatchkeyError(ACCOUNT_NOT_OWNED, {
          message: linkText('notOwned', { account: named }),
          details: { accountId: named },
        });
      }
      emit('polling', 'progress', `Waiting for ${named} to add the key of this device`, {
        data: { nearAccountId: named },
      });
    } else if (seen !== 'unanswered') {
      lastWithout = lookedAt;
      const { blockHeight = 0 } = seen;
      if (unnamedAt !== undefined && blockHeight > unnamedAt + MAPPING_LIFE_BLOCKS)
        throw new LatchkeyError(SESSION_EXPIRED, { message: QR_TEXTS.missed });
      // The next answer may be of a node that lags.
      unnamedAt = Math.max(unnamedAt ?? 0, blockHeight);
    }
    await pause(POLL_MS, signal);
    signal.throwIfAborted();
  }
}

interface Seen {
  readonly hasKey: boolean;
  readonly accountId: string;
  readonly counter: number;
  readonly blockHeight?: undefined;
}

interface Unseen {
  readonly hasKey: false;
  readonly accountId?: undefined;
  /** The block at which the registry names no account; undefined where it is not asked. */
  readonly blockHeight: number | undefined;
}

async function look(
  context: FlowContext,
  { publicKey, accountId, byDevice }: Awaited,
  signal: AbortSignal,
): Promise<Seen | Unseen> {
  if (accountId !== undefined && (await hasFullAccess(context, accountId, publicKey, signal))) {
    return { accountId, counter: await deviceCounter(context, accountId, signal), hasKey: true };
  }
  if (!byDevice) return { hasKey: false, blockHeight: undefined };
  const { mapping, blockHeight } = await linkingAccount(context, publicKey, signal);
  const unseen = { hasKey: false, blockHeight } as const;
  if (!mapping || !isNearAccountId(mapping[0])) return unseen;
  // Another account that names the key is none that the user knows.
  if (accountId !== undefined && mapping[0] !== accountId) return unseen;
  const [named, counter] = mapping;
  return { accountId: named, counter, hasKey: await hasFullAccess(context, named, publicKey, signal) };
}

/** Whether two looks at different blocks do not find the key; false while the chain cannot tell. */
async function isMissing(
  context: FlowContext,
  accountId: string,
  { publicKey }: Pick<Awaited, 'publicKey'>,
  signal: AbortSignal,
): Promise<boolean> {
  const isThere = await hasFullAccess(context, accountId, publicKey, signal, true).catch((error: unknown) => {
    if (signal.aborted) throw error;
    warn(context.config, 'The chain could not be asked for the linking', error);
    return true;
  });
  return !isThere;
}

async function hasFullAccess(
  { rpc }: FlowContext,
  accountId: string,
  publicKey: string,
  signal: AbortSignal,
  certain = false,
): Promise<boolean> {
  const key = await rpc.viewAccessKey(accountId, publicKey, { agreed: true, signal, certain });
  return key?.permission === 'FullAccess';
}

/**
 * Aborts with LINK_KEY_GONE once the key is off the account, until `stop` is called, so that the user is not asked
 * in vain.
 */
export function watchKey(
  context: FlowContext,
  accountId: string,
  publicKey: string,
): { readonly signal: AbortSignal; stop(): void } {
  const gone = new AbortController();
  const stopping = new AbortController();
  void (async () => {
    while (!stopping.signal.aborted) {
      await pause(POLL_MS, stopping.signal);
      stopping.signal.throwIfAborted();
      if (await isMissing(context, accountId, { publicKey }, stopping.signal)) {
        return gone.abort(keyGone(context, accountId));
      }
    }
  })().catch(() => undefined);
  return { signal: gone.signal, stop: () => stopping.abort() };
}

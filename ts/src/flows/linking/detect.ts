/** Waits for Device1: this device's key appears on an account. */

import { LatchkeyError, linkText } from '../../errors/linking.js';
import { isNearAccountId } from '../../near/account-id.js';
import { rpcFailure } from '../../near/index.js';
import { linkingAccount } from '../../registry/linking.js';
import { deviceCounter } from '../../registry/registry.js';
import type { FlowContext } from '../context.js';
import { pause } from '../pause.js';
import type { Run } from '../run.js';
import { warn } from '../warn.js';
import { keyGone } from './device2-chain.js';

const POLL_MS = 3_000;
/** The delay after which Device1 deletes a key that no registered authenticator names (its `tempKeyDeleteDelayMs`). */
const TEMPORARY_KEY_LIFE_MS = 20_000;
/** After this many looks without its key, a mapping is not Device1's. */
const MAX_LOOKS_WITHOUT_KEY = 5;

export interface Awaited {
  readonly publicKey: string;
  /** The account that the user named: its own key list is read, so that any wallet may add the key. */
  readonly accountId: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Found {
  readonly accountId: string;
  /** The registry's counter plus 1. */
  readonly deviceNumber: number;
  /** The earliest time at which Device1 removes the key; undefined where no Device1 took part. */
  readonly deleteAt: number | undefined;
}

/** Looks every 3 s until the code has expired. Throws SESSION_EXPIRED or ACCOUNT_NOT_OWNED. */
export async function detect(
  context: FlowContext,
  awaited: Awaited,
  { emit, signal }: Run<'linking'>,
): Promise<Found> {
  let lastWithout = Date.now();
  let looksWithoutKey = 0;
  for (;;) {
    if (Date.now() >= awaited.expiresAt) throw new LatchkeyError('SESSION_EXPIRED');
    const lookedAt = Date.now();
    const seen = await look(context, awaited, signal).catch((error: unknown) => {
      if (signal.aborted || !rpcFailure(error)) throw error;
      warn(context.config, 'The chain could not be asked for the linking', error);
      return undefined;
    });
    if (seen?.hasKey) {
      const { accountId, counter } = seen;
      const deleteAt = counter > 0 ? lastWithout + TEMPORARY_KEY_LIFE_MS : undefined;
      return { accountId, deviceNumber: counter + 1, deleteAt };
    }
    if (seen) {
      looksWithoutKey += 1;
      if (
        looksWithoutKey >= MAX_LOOKS_WITHOUT_KEY &&
        (await isMissing(context, seen.accountId, awaited, signal))
      ) {
        throw new LatchkeyError('ACCOUNT_NOT_OWNED', {
          message: linkText('notOwned', { account: seen.accountId }),
          details: { accountId: seen.accountId },
        });
      }
      emit('polling', 'progress', `Waiting for ${seen.accountId} to add the key of this device`);
    } else {
      lastWithout = lookedAt;
    }
    await pause(POLL_MS, signal);
    signal.throwIfAborted();
  }
}

interface Seen {
  readonly accountId: string;
  readonly counter: number;
  readonly hasKey: boolean;
}

async function look(
  context: FlowContext,
  { publicKey, accountId }: Awaited,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  if (accountId !== undefined) {
    if (!(await hasFullAccess(context, accountId, publicKey, signal))) return undefined;
    return { accountId, counter: await deviceCounter(context, accountId, signal), hasKey: true };
  }
  const mapping = await linkingAccount(context, publicKey, signal);
  if (!mapping || !isNearAccountId(mapping[0])) return undefined;
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
        return gone.abort(keyGone(accountId));
      }
    }
  })().catch(() => undefined);
  return { signal: gone.signal, stop: () => stopping.abort() };
}

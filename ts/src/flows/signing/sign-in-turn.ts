/** The end of every signing with an account's key: its turn among the tabs of this origin, its nonces, its signature. */
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';
import type { ReservedNonces, TransactionContext } from './transaction-contexts.js';

export interface SigningKey {
  readonly accountId: string;
  readonly publicKey: string;
}

/**
 * Signs what was approved, in its turn and with the newest reading of the key. The turn lasts until `endTurn` is called;
 * a failure ends it.
 */
export async function signInTurn<T>(
  { contexts }: Pick<FlowContext, 'contexts'>,
  { accountId, publicKey }: SigningKey,
  mode: 'shared' | 'exclusive',
  { emit, signal }: Run<'action'>,
  sign: (reading: TransactionContext, endTurn: () => void) => Promise<T>,
): Promise<T> {
  emit('transaction-signing-progress', 'progress', 'Signing');
  const endTurn = await takeTurn(accountId, publicKey, mode, { signal });
  try {
    signal.throwIfAborted();
    const signed = await sign(await contexts.atSigning(accountId, publicKey), endTurn);
    emit('transaction-signing-complete', 'success', 'Signed');
    return signed;
  } catch (error) {
    endTurn();
    throw error;
  }
}

/** The lane of each transaction, undefined for a key without lanes. */
export type Lanes = readonly (number | undefined)[];

/** Signs with the next nonces. After a failure no signature leaves, so the nonces are given back. */
export async function withNonces<T>(
  context: Pick<FlowContext, 'contexts'>,
  key: SigningKey,
  lanes: Lanes,
  sign: (nonces: string[]) => Promise<T>,
): Promise<{ readonly signed: T; readonly reserved: ReservedNonces }> {
  const reserved = await reserveInLanes(context, key, lanes);
  try {
    return { signed: await sign(reserved.nonces), reserved };
  } catch (error) {
    await reserved.release();
    throw error;
  }
}

/** The next nonces of each lane, in the order of the transactions. */
async function reserveInLanes(
  { contexts }: Pick<FlowContext, 'contexts'>,
  { accountId, publicKey }: SigningKey,
  lanes: Lanes,
): Promise<ReservedNonces> {
  const countIn = (lane: number | undefined, before: number) =>
    lanes.slice(0, before).filter((other) => other === lane).length;
  const parts = new Map<number | undefined, ReservedNonces>();
  for (const lane of new Set(lanes)) {
    parts.set(lane, await contexts.reserve(accountId, publicKey, countIn(lane, lanes.length), lane));
  }
  return {
    nonces: lanes.map((lane, index) => parts.get(lane)?.nonces[countIn(lane, index)] ?? ''),
    release: async (from = 0) => {
      for (const [lane, reserved] of parts) await reserved.release(countIn(lane, from));
    },
  };
}

/** After this long, proceed without the lock: a hanging tab must not stop the others, and re-signing keeps it correct. */
const LONGEST_WAIT_MS = 5_000;

export interface TurnOptions {
  /** Ends the wait; the caller checks it afterwards. */
  readonly signal?: AbortSignal | undefined;
  readonly maxWaitMs?: number;
}

/**
 * Waits for its turn and returns the function that ends it. Single transactions (`shared`) run side by side; a batch
 * (`exclusive`) runs alone, since another nonce between two of its own would make the chain refuse the rest.
 */
export async function takeTurn(
  accountId: string,
  publicKey: string,
  mode: 'shared' | 'exclusive',
  { signal, maxWaitMs = LONGEST_WAIT_MS }: TurnOptions = {},
): Promise<() => void> {
  // An insecure context has no locks: every tab runs on its own.
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
  if (!locks) return () => undefined;
  const tooLong = AbortSignal.timeout(maxWaitMs);
  const options = { mode, signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong };
  return new Promise((resolve) => {
    locks
      .request(`latchkey:sign:${accountId}|${publicKey}`, options, () => new Promise<void>(resolve))
      .catch(() => resolve(() => undefined));
  });
}

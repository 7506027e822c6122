import type { ChainNodes } from '../balance.js';
import { isNearAccountId } from '../near/account-id.js';
import type { RpcClient } from '../near/index.js';
import { parseReturnedJson } from '../near/rpc-answer.js';
import type { AgreedViewOptions } from '../near/rpc-client.js';
import { clientOf } from './client.js';
import { BalanceSchema } from './read-tokens.js';

/** Money that came in. The chain's nodes do not say from whom. */
export interface Incoming {
  /** The token's contract; absent for NEAR. */
  readonly contractId?: string | undefined;
  /** Decimal digits, in the token's smallest unit, or in yoctoNEAR. */
  readonly amount: string;
  /** When it was noticed, in milliseconds since 1970. */
  readonly at: number;
  /** It came in above the block of this height, */
  readonly aboveBlock: number;
  /** and at the latest in the block of this one. Another page that watches may notice the same. */
  readonly upToBlock: number;
}

export interface IncomingOptions {
  /** The tokens that are watched next to NEAR; the first 20. */
  readonly contractIds?: readonly string[] | undefined;
  /** How often the nodes are asked, in milliseconds. Default 15000, at least 5000. */
  readonly intervalMs?: number | undefined;
}

const MOST_WATCHED = 20;
const INTERVAL_MS = 15_000;
const LEAST_INTERVAL_MS = 5_000;
/** No contract's id. */
const NEAR = '';

/** An amount, and the final block that it was read at. */
interface Reading {
  readonly amount: bigint;
  readonly height: number;
}

interface Look {
  /** By contract, or {@link NEAR}. */
  readonly amounts: ReadonlyMap<string, Reading>;
  /** The nonces of the account's keys: another text means that it sent something. */
  readonly nonces: string;
  /** Nothing was sent since the look before. */
  readonly isQuiet: boolean;
}

/**
 * Calls `onIncoming` when the account's NEAR or one of its tokens has become more, while the page is in view. Stops asking while it
 * is hidden, and looks again when it is seen. What comes in while the account itself sends something may go unsaid: a rise could be
 * the change of its fee. Returns what ends it.
 */
export function watchIncoming(
  nodes: ChainNodes,
  accountId: string,
  onIncoming: (incoming: Incoming) => void,
  { contractIds = [], intervalMs = INTERVAL_MS }: IncomingOptions = {},
): () => void {
  const watched = [...new Set(contractIds)].filter(isNearAccountId).slice(0, MOST_WATCHED);
  const everyMs = Math.max(intervalMs, LEAST_INTERVAL_MS);
  const end = new AbortController();
  const { rpc } = clientOf(nodes);
  let last: Look | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    clearTimeout(timer);
    if (isLooking || isHidden()) return;
    isLooking = true;
    try {
      const next = await lookAt(rpc, accountId, watched, last, end.signal);
      if (!next) return;
      const came = last?.isQuiet && next.isQuiet ? risesOf(last, next) : [];
      last = next;
      for (const incoming of came) if (!end.signal.aborted) onIncoming(incoming);
    } catch {
      // The next look compares with the same amounts.
    } finally {
      isLooking = false;
      // The first look may lie between what was sent before and the change of its fee, so a second one follows soon.
      if (!end.signal.aborted)
        timer = setTimeout(look, last?.isQuiet === false ? LEAST_INTERVAL_MS : everyMs);
    }
  }

  const onVisibility = (): void => void look();
  globalThis.document?.addEventListener('visibilitychange', onVisibility);
  void look();
  return () => {
    end.abort();
    clearTimeout(timer);
    globalThis.document?.removeEventListener('visibilitychange', onVisibility);
  };
}

const isHidden = (): boolean => globalThis.document?.visibilityState === 'hidden';

/** Undefined where the keys came from an older block than an amount: it may show a transaction that they do not. */
async function lookAt(
  rpc: RpcClient,
  accountId: string,
  watched: readonly string[],
  last: Look | undefined,
  signal: AbortSignal,
): Promise<Look | undefined> {
  const options = { agreed: true, signal } as const;
  const readings = await Promise.allSettled([
    nearOf(rpc, accountId, options),
    ...watched.map((contractId) => tokenOf(rpc, accountId, contractId, options)),
  ]);
  const read = readings.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const { keys, block_height: height } = await rpc.viewAccessKeyList(accountId, options);
  if (read.some(([, reading]) => reading.height > height)) return undefined;
  const nonces = keys.map(({ public_key: key, access_key: { nonce } }) => `${key} ${nonce}`).join();
  return { amounts: newest(read, last), nonces, isQuiet: nonces === last?.nonces };
}

type Read = readonly [id: string, Reading];

async function nearOf(rpc: RpcClient, accountId: string, options: AgreedViewOptions): Promise<Read> {
  const account = await rpc.viewAccount(accountId, options);
  if (!account) throw new TypeError('there is no such account');
  const { amount, locked, block_height: height } = account;
  return [NEAR, { amount: BigInt(amount) + BigInt(locked), height }];
}

async function tokenOf(
  rpc: RpcClient,
  accountId: string,
  contractId: string,
  options: AgreedViewOptions,
): Promise<Read> {
  const result = await rpc.callFunction(contractId, 'ft_balance_of', { account_id: accountId }, options);
  const amount = BigInt(parseReturnedJson(BalanceSchema, 'ft_balance_of', result));
  return [contractId, { amount, height: result.blockHeight }];
}

/** A node that lags, or that gave no answer, takes nothing back. */
function newest(read: readonly Read[], last: Look | undefined): Look['amounts'] {
  const kept = new Map(last?.amounts);
  for (const [id, reading] of read) if (reading.height > (kept.get(id)?.height ?? -1)) kept.set(id, reading);
  return kept;
}

function risesOf(last: Look, next: Look): Incoming[] {
  const at = Date.now();
  return [...next.amounts].flatMap(([id, { amount, height }]) => {
    const before = last.amounts.get(id);
    if (before === undefined || amount <= before.amount) return [];
    const token = id === NEAR ? {} : { contractId: id };
    const rise = String(amount - before.amount);
    return [{ ...token, amount: rise, at, aboveBlock: before.height, upToBlock: height }];
  });
}

/**
 * Nonce and block for the next signature of each key: fetched in one call, kept fresh, and each nonce given out once.
 */

import {
  ACCOUNT_NOT_ON_CHAIN,
  ACCOUNT_UNFUNDED,
  DEVICE_KEY_REMOVED,
  isCancellation,
  LatchkeyError,
} from '../../errors/wallet.js';
import { isNearImplicitAccountId } from '../../near/account-id.js';
import {
  type AccessKeyView,
  type AccountView,
  type AgreedViewOptions,
  NONCES_PER_BLOCK,
  type RpcClient,
} from '../../near/index.js';
import { within } from '../../sleep.js';
import { Fresh } from '../fresh.js';

const NONCE_FRESH_MS = 5_000;
const BLOCK_FRESH_MS = 20_000;
/** An older context is useless, even if the chain cannot be asked again. */
const STALE_MS = 30_000;
const PREFETCH_DEBOUNCE_MS = 400;
/** The balance matters less than the nonce, so a node that is slow to tell it delays nothing. */
const ACCOUNT_WAIT_MS = 3_000;

/** A key of an account as the chain knows it, with the final block it was read at. */
export interface TransactionContext {
  readonly accessKey: AccessKeyView;
  readonly blockHeight: string;
  /** base58. */
  readonly blockHash: string;
}

/** Nonces given out for one approval. */
export interface ReservedNonces {
  readonly nonces: string[];
  /**
   * Gives back the nonces from this index on (default: all), once nothing signed with them can reach the chain.
   * They remain a gap if later ones are already out.
   */
  release(from?: number): Promise<void>;
}

/** The next nonce of each key, kept where every tab of this origin sees it. */
export interface NonceRecords {
  /** Takes `count` nonces, none below `atLeast`, in one step, and returns the first. Ignores a record of `below` or more. */
  take(key: string, atLeast: bigint, count: number, below?: bigint): Promise<bigint>;
  /** Gives back the nonces from `first` on, if `next` is still the next one. */
  giveBack(key: string, first: bigint, next: bigint): Promise<void>;
  /** The next nonce; null when it is not known here. */
  next(key: string): Promise<bigint | null>;
}

interface KeyState {
  readonly fresh: Fresh<TransactionContext>;
  /** The highest nonce given out so far. */
  lastReserved: bigint;
  /** The highest nonce that a refusal has named: no lower one is of use. */
  overtakenUpTo: bigint;
}

export class TransactionContexts {
  readonly #rpc: RpcClient;
  readonly #onError: (error: unknown) => void;
  readonly #records: NonceRecords | undefined;
  readonly #states = new Map<string, KeyState>();
  readonly #accounts = new Map<string, Fresh<AccountView | null>>();
  readonly #prefetchWaiters: (() => void)[] = [];
  #prefetchTimer: ReturnType<typeof setTimeout> | undefined;

  /** Without records it does not see other tabs: their nonces show when the chain refuses one. */
  constructor(rpc: RpcClient, onError: (error: unknown) => void, records?: NonceRecords) {
    this.#rpc = rpc;
    // A read that a logout ends has not failed.
    this.#onError = (error) => {
      if (!isCancellation(error)) onError(error);
    };
    this.#records = records;
  }

  /** The context when an approval begins: the nonce is at most 5 s old, or is read again. */
  async begin(accountId: string, publicKey: string): Promise<TransactionContext> {
    return this.#state(accountId, publicKey).fresh.get(NONCE_FRESH_MS);
  }

  /** The account's balance and storage, as old as the nonce may be; undefined when they could not be read in time. */
  async account(accountId: string): Promise<AccountView | undefined> {
    let fresh = this.#accounts.get(accountId);
    if (!fresh) {
      fresh = new Fresh((signal) => this.#rpc.viewAccount(accountId, { signal }), NONCE_FRESH_MS);
      this.#accounts.set(accountId, fresh);
    }
    const reading = fresh.get().catch((error: unknown) => {
      this.#onError(error);
      return null;
    });
    return (await within(ACCOUNT_WAIT_MS, reading, null)) ?? undefined;
  }

  /**
   * The context at the click: the block is at most 20 s old, or 30 s if the chain cannot be asked. A nonce that is no
   * longer fresh is read again while the user answers the prompt.
   */
  async atClick(accountId: string, publicKey: string): Promise<TransactionContext> {
    const { fresh } = this.#state(accountId, publicKey);
    const context = await fresh.get(BLOCK_FRESH_MS).catch((error: unknown) => {
      const last = fresh.peek(STALE_MS);
      if (!last) throw error;
      return last;
    });
    fresh.get(NONCE_FRESH_MS).catch(this.#onError);
    return context;
  }

  /** The newest reading when signing begins. If its nonce is overtaken, the transaction is signed again. */
  async atSigning(accountId: string, publicKey: string): Promise<TransactionContext> {
    const { fresh } = this.#state(accountId, publicKey);
    return fresh.peek(STALE_MS) ?? fresh.get();
  }

  /** Reads it again, after the chain refused the last one as overtaken. */
  async renew(accountId: string, publicKey: string): Promise<TransactionContext> {
    return this.#state(accountId, publicKey).fresh.renew();
  }

  /** The chain refused a nonce and named this one: the next nonces start above it, even if a reading lags. */
  overtaken(accountId: string, publicKey: string, nonce: bigint): void {
    const state = this.#state(accountId, publicKey);
    state.overtakenUpTo = larger(state.overtakenUpTo, nonce);
  }

  /** Stores a reading that another call made. */
  learn(accountId: string, publicKey: string, accessKey: AccessKeyView): void {
    this.#state(accountId, publicKey).fresh.set(toContext(accessKey));
  }

  /** Keeps the context fresh in the background while a user looks at the confirmer. */
  keep(accountId: string, publicKey: string): () => void {
    return this.#state(accountId, publicKey).fresh.keep();
  }

  /** Reads it ahead, once the calls have paused for 400 ms. Resolves when it is there; never rejects. */
  prefetch(accountId: string, publicKey: string): Promise<void> {
    clearTimeout(this.#prefetchTimer);
    return new Promise((resolve) => {
      this.#prefetchWaiters.push(resolve);
      this.#prefetchTimer = setTimeout(() => {
        const waiters = this.#prefetchWaiters.splice(0);
        Promise.all([this.begin(accountId, publicKey), this.account(accountId)])
          .catch(this.#onError)
          .finally(() => {
            for (const done of waiters) done();
          });
      }, PREFETCH_DEBOUNCE_MS);
    });
  }

  /** The next nonces: above the chain's, above every one given out in any tab, and at least 1. */
  async reserve(accountId: string, publicKey: string, count: number): Promise<ReservedNonces> {
    const state = this.#state(accountId, publicKey);
    const known = state.fresh.peek();
    const onChain = BigInt(known?.accessKey.nonce ?? 0);
    // A wrong nonce from a faulty node must not stop the key from signing for good.
    const below = known && (BigInt(known.blockHeight) + 1n) * NONCES_PER_BLOCK;
    const believed = (nonce: bigint) => (below === undefined || nonce < below ? nonce : 0n);
    const taken = larger(believed(state.lastReserved), believed(state.overtakenUpTo));
    const atLeast = larger(onChain, taken) + 1n;
    // Taken before any await, so that a concurrent reservation gets other nonces even without the shared record.
    state.lastReserved = atLeast + BigInt(count) - 1n;
    const key = keyOf(accountId, publicKey);
    const first = (await this.#shared((records) => records.take(key, atLeast, count, below))) ?? atLeast;
    const next = first + BigInt(count);
    state.lastReserved = larger(state.lastReserved, next - 1n);
    return {
      nonces: Array.from({ length: count }, (_, index) => String(first + BigInt(index))),
      release: async (from = 0) => {
        const firstUnused = first + BigInt(from);
        if (from < count && state.lastReserved === next - 1n) state.lastReserved = firstUnused - 1n;
        if (from < count) await this.#shared((records) => records.giveBack(key, firstUnused, next));
      },
    };
  }

  /** Whether another tab took nonces above this one. */
  async isOvertaken(accountId: string, publicKey: string, lastNonce: bigint): Promise<boolean> {
    const next = await this.#shared((records) => records.next(keyOf(accountId, publicKey)));
    return next !== undefined && next !== null && next > lastNonce + 1n;
  }

  /** A failing record is no error: the chain refuses a nonce that was taken twice, and it is signed again. */
  async #shared<T>(ask: (records: NonceRecords) => Promise<T>): Promise<T | undefined> {
    if (!this.#records) return undefined;
    try {
      return await ask(this.#records);
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  /** Forgets everything, as at logout. */
  clear(): void {
    clearTimeout(this.#prefetchTimer);
    for (const done of this.#prefetchWaiters.splice(0)) done();
    for (const { fresh } of this.#states.values()) fresh.clear();
    for (const fresh of this.#accounts.values()) fresh.clear();
    this.#states.clear();
    this.#accounts.clear();
  }

  #state(accountId: string, publicKey: string): KeyState {
    const id = keyOf(accountId, publicKey);
    let state = this.#states.get(id);
    if (!state) {
      const read = async (signal: AbortSignal): Promise<TransactionContext> =>
        toContext(await viewOwnKey(this.#rpc, accountId, publicKey, { signal }));
      state = { fresh: new Fresh(read, BLOCK_FRESH_MS, this.#onError), lastReserved: 0n, overtakenUpTo: 0n };
      this.#states.set(id, state);
    }
    return state;
  }
}

/**
 * The account's key on the chain. Throws ACCOUNT_NOT_ON_CHAIN when the chain knows no such account (ACCOUNT_UNFUNDED where it
 * has no name), and DEVICE_KEY_REMOVED when the account is there without this key. Pass `agreed` to decide about the key itself; for its
 * nonce it is not needed, since the chain refuses a wrong one.
 */
export async function viewOwnKey(
  rpc: RpcClient,
  accountId: string,
  publicKey: string,
  view: AgreedViewOptions,
): Promise<AccessKeyView> {
  const accessKey = await rpc.viewAccessKey(accountId, publicKey, view);
  if (accessKey) return accessKey;
  const account = await rpc.viewAccount(accountId, view);
  const missing = isNearImplicitAccountId(accountId) ? ACCOUNT_UNFUNDED : ACCOUNT_NOT_ON_CHAIN;
  throw new LatchkeyError(account ? DEVICE_KEY_REMOVED : missing, { values: { account: accountId } });
}

function keyOf(accountId: string, publicKey: string): string {
  return `${accountId}|${publicKey}`;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function toContext(accessKey: AccessKeyView): TransactionContext {
  return { accessKey, blockHeight: String(accessKey.block_height), blockHash: accessKey.block_hash };
}

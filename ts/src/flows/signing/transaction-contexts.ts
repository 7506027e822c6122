/**
 * Nonce and block for the next signature of each key: fetched in one call, kept fresh, and each nonce given out once.
 */

import {
  ACCOUNT_NOT_ON_CHAIN,
  ACCOUNT_UNFUNDED,
  DEVICE_KEY_REMOVED,
  INVALID_ACTION,
  isCancellation,
  isLatchkeyError,
  LatchkeyError,
} from '../../errors/wallet.js';
import { isNearImplicitAccountId } from '../../near/account-id.js';
import {
  type AccessKeyView,
  type AccountView,
  type AgreedViewOptions,
  gasKeyView,
  NONCES_PER_BLOCK,
  type RpcClient,
} from '../../near/index.js';
import { isUniversalAccountId } from '../../near/universal-account.js';
import type { KeyList } from '../../registry/registry.js';
import { within } from '../../sleep.js';
import { Fresh } from '../fresh.js';

const NONCE_FRESH_MS = 5_000;
/** A key that was on the account so short ago is not looked up again. Its nonces are given out here. */
const KEY_FRESH_MS = 60_000;
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
  /** Set before the first state of a universal account, which takes the one nonce after `accessKey.nonce`, again and again. */
  readonly isBootstrap?: boolean;
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
  /** When the chain last showed the key, in milliseconds since 1970. */
  seenAt: number;
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

  /**
   * The context when an approval begins. Its block is at most 5 s old. The chain is asked for the key only if it has not shown it
   * for a minute: the next nonce is known here, and one that is taken elsewhere is refused and renewed. For a lane of a gas
   * key, throws INVALID_ACTION where the key has no such lane.
   */
  async begin(accountId: string, publicKey: string, lane?: number): Promise<TransactionContext> {
    // The dialog needs the balance anyway, and it shows whether the account is still there.
    return this.#begin(accountId, publicKey, lane, async () => (await this.account(accountId)) !== undefined);
  }

  /** The same for a key that signs without a dialog: reads no balance. The chain tells whether the account is still there. */
  async beginWithoutDialog(accountId: string, publicKey: string, lane?: number): Promise<TransactionContext> {
    return this.#begin(accountId, publicKey, lane, async () => true);
  }

  async #begin(
    accountId: string,
    publicKey: string,
    lane: number | undefined,
    isThere: () => Promise<boolean>,
  ): Promise<TransactionContext> {
    const { fresh, seenAt } = this.#state(accountId, publicKey, lane);
    const last = fresh.peek();
    const isKnown = last && !last.isBootstrap && Date.now() - seenAt <= KEY_FRESH_MS;
    if (!isKnown || fresh.peek(NONCE_FRESH_MS)) return fresh.get(NONCE_FRESH_MS);
    if (!(await isThere())) return fresh.get(NONCE_FRESH_MS);
    const { height, hash } = await this.#rpc.head(NONCE_FRESH_MS);
    const context = { ...last, blockHeight: String(height), blockHash: hash };
    fresh.set(context);
    return context;
  }

  /** The account's balance and storage, as old as the nonce may be; undefined when they could not be read in time. */
  async account(accountId: string): Promise<AccountView | undefined> {
    const reading = this.#accountState(accountId)
      .get()
      .catch((error: unknown) => {
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
  async renew(accountId: string, publicKey: string, lane?: number): Promise<TransactionContext> {
    return this.#state(accountId, publicKey, lane).fresh.renew();
  }

  /** The chain refused a nonce and named this one: the next nonces start above it, even if a reading lags. */
  overtaken(accountId: string, publicKey: string, nonce: bigint, lane?: number): void {
    const state = this.#state(accountId, publicKey, lane);
    state.overtakenUpTo = larger(state.overtakenUpTo, nonce);
  }

  /** Stores a reading that another call made. */
  learn(accountId: string, publicKey: string, accessKey: AccessKeyView): void {
    const state = this.#state(accountId, publicKey);
    state.fresh.set(toContext(accessKey));
    state.seenAt = Date.now();
  }

  /** Stores the key's part of a list that another call read. The next approval still looks whether the account is there. */
  learnFrom(accountId: string, publicKey: string, { keys, height, hash }: KeyList): void {
    const key = keys.find(({ public_key }) => public_key === publicKey)?.access_key;
    if (!key) return;
    const state = this.#state(accountId, publicKey);
    state.fresh.set(toContext({ ...key, block_height: height, block_hash: hash }), NONCE_FRESH_MS + 1);
    state.seenAt = Date.now();
  }

  /** Stores a reading of the account that another call made. */
  learnAccount(accountId: string, account: AccountView): void {
    this.#accountState(accountId).set(account);
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

  /** The next nonces, of a lane for a gas key: above the chain's, above every one given out in any tab, and at least 1. */
  async reserve(accountId: string, publicKey: string, count: number, lane?: number): Promise<ReservedNonces> {
    const state = this.#state(accountId, publicKey, lane);
    const known = state.fresh.peek();
    const onChain = BigInt(known?.accessKey.nonce ?? 0);
    // A wrong nonce from a faulty node must not stop the key from signing for good.
    const below = known?.isBootstrap
      ? onChain + 1n
      : known && (BigInt(known.blockHeight) + 1n) * NONCES_PER_BLOCK;
    const believed = (nonce: bigint) => (below === undefined || nonce < below ? nonce : 0n);
    const taken = larger(believed(state.lastReserved), believed(state.overtakenUpTo));
    const atLeast = larger(onChain, taken) + 1n;
    // Taken before any await, so that a concurrent reservation gets other nonces even without the shared record.
    state.lastReserved = atLeast + BigInt(count) - 1n;
    const key = keyOf(accountId, publicKey, lane);
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
  async isOvertaken(
    accountId: string,
    publicKey: string,
    lastNonce: bigint,
    lane?: number,
  ): Promise<boolean> {
    const next = await this.#shared((records) => records.next(keyOf(accountId, publicKey, lane)));
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

  #accountState(accountId: string): Fresh<AccountView | null> {
    let fresh = this.#accounts.get(accountId);
    if (!fresh) {
      fresh = new Fresh((signal) => this.#rpc.viewAccount(accountId, { signal }), NONCE_FRESH_MS);
      this.#accounts.set(accountId, fresh);
    }
    return fresh;
  }

  async #read(
    accountId: string,
    publicKey: string,
    lane: number | undefined,
    signal: AbortSignal,
  ): Promise<TransactionContext> {
    if (lane === undefined) {
      // A node that lags may not show the first money yet, which is the one that makes the account.
      const view = { signal, certain: isNearImplicitAccountId(accountId) };
      return viewOwnKey(this.#rpc, accountId, publicKey, view).then(toContext, (error: unknown) =>
        bootstrapOf(this.#rpc, accountId, signal, error),
      );
    }
    const lanes = this.#rpc.viewGasKeyNonces(accountId, publicKey, { signal, afterWrites: true });
    const [{ accessKey }, view] = await Promise.all([this.begin(accountId, publicKey), lanes]);
    assertLane(publicKey, accessKey, lane);
    const nonce = view?.nonces[lane];
    if (!view || nonce === undefined)
      throw new LatchkeyError(DEVICE_KEY_REMOVED, { values: { account: accountId } });
    const { block_height, block_hash } = view;
    return toContext({ ...accessKey, nonce, block_height, block_hash });
  }

  #state(accountId: string, publicKey: string, lane?: number): KeyState {
    const id = keyOf(accountId, publicKey, lane);
    let state = this.#states.get(id);
    if (!state) {
      const read = async (signal: AbortSignal): Promise<TransactionContext> => {
        const context = await this.#read(accountId, publicKey, lane, signal);
        created.seenAt = Date.now();
        return context;
      };
      const fresh = new Fresh(read, BLOCK_FRESH_MS, this.#onError);
      const created: KeyState = { fresh, seenAt: 0, lastReserved: 0n, overtakenUpTo: 0n };
      state = created;
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
  if (!account) throw notOnChain(accountId);
  // The account may be younger than the block at which it had no key.
  const now = { blockHash: account.block_hash, agreed: view.agreed, signal: view.signal };
  const keyNow = await rpc.viewAccessKey(accountId, publicKey, now);
  if (keyNow) return keyNow;
  throw new LatchkeyError(DEVICE_KEY_REMOVED, { values: { account: accountId } });
}

/** The error for an account that the chain does not know: where it has no name, its first money makes it. */
export function notOnChain(account: string): LatchkeyError {
  const missing = isNearImplicitAccountId(account) ? ACCOUNT_UNFUNDED : ACCOUNT_NOT_ON_CHAIN;
  return new LatchkeyError(missing, { values: { account } });
}

/**
 * The context of a universal account before its first state: it has no keys, and one of that state signs. Rejects with `error`
 * for any other account.
 */
async function bootstrapOf(
  rpc: RpcClient,
  accountId: string,
  signal: AbortSignal,
  error: unknown,
): Promise<TransactionContext> {
  if (!isUniversalAccountId(accountId) || !isLatchkeyError(error, 'DEVICE_KEY_REMOVED')) throw error;
  const account = await rpc.viewAccount(accountId, { signal });
  if (account?.state !== 'uninitialized' || account.bootstrap_nonce === undefined) throw error;
  const { bootstrap_nonce: nonce, block_height, block_hash } = account;
  return { ...toContext({ nonce, permission: 'FullAccess', block_height, block_hash }), isBootstrap: true };
}

/**
 * Throws INVALID_ACTION for a lane that the key does not have, and for a gas key without a lane: the chain refuses both.
 */
export function assertLane(publicKey: string, accessKey: AccessKeyView, lane: number | undefined): void {
  const lanes = gasKeyView(accessKey)?.num_nonces;
  if (lanes === undefined ? lane === undefined : lane !== undefined && lane < lanes) return;
  const has = lanes === undefined ? 'is no gas key, and has no lanes' : `has the lanes 0 to ${lanes - 1}`;
  const asked =
    lane === undefined ? 'and a transaction needs one of them' : `and the transaction has ${lane}`;
  throw new LatchkeyError(INVALID_ACTION, { values: { reason: `The key ${publicKey} ${has}, ${asked}` } });
}

function keyOf(accountId: string, publicKey: string, lane?: number): string {
  return lane === undefined ? `${accountId}|${publicKey}` : `${accountId}|${publicKey}|${lane}`;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function toContext(accessKey: AccessKeyView): TransactionContext {
  return { accessKey, blockHeight: String(accessKey.block_height), blockHash: accessKey.block_hash };
}

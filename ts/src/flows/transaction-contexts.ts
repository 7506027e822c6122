/**
 * Nonce and block for the next signature of each key: fetched in one call, kept fresh, and each nonce given out once.
 */
import { LatchkeyError } from '../errors.js';
import { type AccessKeyView, type RpcClient, rpcFailure } from '../near/index.js';
import { Fresh } from './fresh.js';

const NONCE_FRESH_MS = 5_000;
const BLOCK_FRESH_MS = 20_000;
const PREFETCH_DEBOUNCE_MS = 400;

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
  /** Gives them back when nothing was signed with them, or nothing signed has left. */
  release(): void;
}

interface KeyState {
  readonly fresh: Fresh<TransactionContext>;
  /** The highest nonce given out so far. */
  lastReserved: bigint;
}

export class TransactionContexts {
  readonly #rpc: RpcClient;
  readonly #onError: (error: unknown) => void;
  readonly #states = new Map<string, KeyState>();
  readonly #prefetchWaiters: (() => void)[] = [];
  #prefetchTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(rpc: RpcClient, onError: (error: unknown) => void) {
    this.#rpc = rpc;
    this.#onError = onError;
  }

  /** The context for an approval that begins: nonce at most 5 s old, else read anew. */
  async begin(accountId: string, publicKey: string): Promise<TransactionContext> {
    return this.#state(accountId, publicKey).fresh.get(NONCE_FRESH_MS);
  }

  /** The context at the click: block at most 20 s old. The nonce may be overtaken; then it is re-signed. */
  async atClick(accountId: string, publicKey: string): Promise<TransactionContext> {
    return this.#state(accountId, publicKey).fresh.get(BLOCK_FRESH_MS);
  }

  /** Reads it anew, after the chain said that the last one was overtaken. */
  async renew(accountId: string, publicKey: string): Promise<TransactionContext> {
    return this.#state(accountId, publicKey).fresh.renew();
  }

  /** A reading that another call made. */
  learn(accountId: string, publicKey: string, accessKey: AccessKeyView): void {
    this.#state(accountId, publicKey).fresh.set(toContext(accessKey));
  }

  /** Keeps the context fresh behind while a person looks at the confirmer. */
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
        this.begin(accountId, publicKey)
          .catch(this.#onError)
          .finally(() => {
            for (const done of waiters) done();
          });
      }, PREFETCH_DEBOUNCE_MS);
    });
  }

  /** The next nonces: above the chain's, above every one given out, and at least 1. */
  reserve(accountId: string, publicKey: string, count: number): ReservedNonces {
    const state = this.#state(accountId, publicKey);
    const before = state.lastReserved;
    const onChain = BigInt(state.fresh.peek()?.accessKey.nonce ?? 0);
    const first = (onChain > before ? onChain : before) + 1n;
    const last = first + BigInt(count) - 1n;
    state.lastReserved = last;
    return {
      nonces: Array.from({ length: count }, (_, index) => String(first + BigInt(index))),
      release: () => {
        if (state.lastReserved === last) state.lastReserved = before;
      },
    };
  }

  /** Forgets everything, as at logout. */
  clear(): void {
    clearTimeout(this.#prefetchTimer);
    for (const done of this.#prefetchWaiters.splice(0)) done();
    for (const { fresh } of this.#states.values()) fresh.clear();
    this.#states.clear();
  }

  #state(accountId: string, publicKey: string): KeyState {
    const id = `${accountId}|${publicKey}`;
    let state = this.#states.get(id);
    if (!state) {
      const read = async (signal: AbortSignal): Promise<TransactionContext> =>
        toContext(await viewOwnKey(this.#rpc, accountId, publicKey, signal));
      state = { fresh: new Fresh(read, BLOCK_FRESH_MS, this.#onError), lastReserved: 0n };
      this.#states.set(id, state);
    }
    return state;
  }
}

/** The account's key on the chain. Throws ACCOUNT_NOT_ON_CHAIN when the chain knows no such account or key. */
export async function viewOwnKey(
  rpc: RpcClient,
  accountId: string,
  publicKey: string,
  signal: AbortSignal,
): Promise<AccessKeyView> {
  const notOnChain = (cause?: unknown) =>
    new LatchkeyError('ACCOUNT_NOT_ON_CHAIN', { values: { account: accountId }, cause });
  try {
    const accessKey = await rpc.viewAccessKey(accountId, publicKey, { signal });
    if (!accessKey) throw notOnChain();
    return accessKey;
  } catch (error) {
    throw rpcFailure(error)?.kind === 'unknown_account' ? notOnChain(error) : error;
  }
}

function toContext(accessKey: AccessKeyView): TransactionContext {
  return { accessKey, blockHeight: String(accessKey.block_height), blockHash: accessKey.block_hash };
}

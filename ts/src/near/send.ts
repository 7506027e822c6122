/**
 * Sends one transaction for everyone who sends: signs it, has the copy noted, sends it, and signs it again after a refusal
 * that can be cured. What became of it has one answer, a {@link TransactionFate}.
 *
 * A copy is noted before it leaves, so that what an interruption loses can be looked up. Another copy is signed only once
 * the chain will never take the last one: the transaction runs at most once.
 */
import * as v from 'valibot';
import { isCancellation } from '../errors/core.js';
import { sleep } from '../sleep.js';
import type { TransactionFate, WaitUntil } from '../types.js';
import {
  type AccessKeyView,
  executionFailure,
  type TransactionOutcome,
  type TransactionState,
  WholeNumberSchema,
} from './rpc-answer.js';
import type { RpcClient } from './rpc-client.js';
import { isTransient, outcomeUnknown, type RpcFailure, rpcFailure } from './rpc-error.js';
import type { SendOptions } from './transaction-sending.js';

/** How often a transaction is signed unless its sender says otherwise: a nonce can be overtaken while it is signed again. */
const MOST_COPIES = 4;
/** The chain's names for a copy that came too late: signed again, it may be taken. */
const OVERTAKEN: readonly unknown[] = ['InvalidNonce', 'Expired'];

/** A signed transaction as it is sent. */
export interface SignedCopy {
  readonly borshBytes: Uint8Array;
  /** The transaction's id: base58. */
  readonly hash: string;
}

/** A copy that the chain refused and will never take. */
export interface RefusedCopy<C> {
  readonly copy: C;
  readonly failure: RpcFailure;
  readonly error: unknown;
}

/** Asking again when no node answered, with the same bytes once they are signed. */
export interface Patience {
  readonly attempts: number;
  readonly pauseMs: number;
  /** No attempt begins after this long: each one has a patience of its own. */
  readonly forMs: number;
}

export interface ToSend<C extends SignedCopy> {
  /** The level that it has to reach. */
  readonly level?: WaitUntil | undefined;
  /** How to send each copy. Its signal ends the wait, not what was sent. */
  readonly sending?: Pick<SendOptions, 'signal' | 'untilEnded' | 'essence'>;
  /** Stops what has not left yet. */
  readonly signal?: AbortSignal | undefined;
  /** The copy that may have left before: the nodes look for its end, and no other is signed before they tell it. */
  readonly earlier?: C | undefined;
  /** Signs a copy with a free nonce and a recent block; after a refusal, gets what the chain refused. */
  sign(refused?: RefusedCopy<C>): Promise<C>;
  /** Notes a copy; it leaves once this resolves. `isRepeated`: the same bytes may have left before. */
  leaves?(copy: C, isRepeated: boolean): void | Promise<void>;
  /** Called after each refusal: whether another copy may be signed. Default: its nonce or its block was overtaken. */
  isCurable?(refused: RefusedCopy<C>): boolean | Promise<boolean>;
  readonly mostCopies?: number;
  /** The pause before the next copy, after this many. Default: none. */
  pauseMs?(copies: number): number;
  /** Default: an error of the nodes ends it. */
  readonly patience?: Patience;
}

/** What became of the last copy: the chain's answer, or the error that ended the sending. */
export type Settled<C> =
  | { readonly copy: C; readonly fate: 'executed' | 'failed' | 'sent'; readonly outcome: TransactionOutcome }
  | (RefusedCopy<C> & { readonly fate: 'refused' })
  | {
      readonly copy: C;
      readonly fate: 'not-sent' | 'sent' | 'unknown';
      readonly error: unknown;
      /** What the nodes said; undefined for an abort. */
      readonly failure: RpcFailure | undefined;
    };

/** Sends copies until the chain takes one. Rejects only with what the sender's own steps throw, or when a pause is stopped. */
export async function sendUntilTaken<C extends SignedCopy>(
  rpc: Pick<RpcClient, 'sendTransaction'>,
  toSend: ToSend<C>,
): Promise<Settled<C>> {
  const { signal, isCurable = isOvertaken, mostCopies = MOST_COPIES, pauseMs, patience } = toSend;
  const lastAt = Date.now() + (patience?.forMs ?? 0);
  let { earlier } = toSend;
  let refused: RefusedCopy<C> | undefined;
  let copies = 1;

  const attempt = async (): Promise<Settled<C>> => {
    const isRepeated = earlier !== undefined;
    const copy = earlier ?? (await toSend.sign(refused));
    if (!isRepeated && signal?.aborted) {
      return { copy, fate: 'not-sent', error: signal.reason, failure: undefined };
    }
    await toSend.leaves?.(copy, isRepeated);
    earlier = copy;
    return sendCopy(rpc, copy, isRepeated, toSend);
  };

  for (let attempts = 1; ; ) {
    const mayRepeat = (failure: RpcFailure | undefined): boolean =>
      attempts < (patience?.attempts ?? 1) && isOpen(failure) && Date.now() < lastAt;
    const settled = await attempt().catch((error: unknown) => {
      if (!mayRepeat(rpcFailure(error))) throw error;
    });
    if (settled?.fate === 'refused') {
      if (!(await isCurable(settled)) || copies === mostCopies) return settled;
      if (pauseMs) await sleep(pauseMs(copies), signal);
      copies += 1;
      refused = settled;
      earlier = undefined;
    } else {
      if (settled && ('outcome' in settled || !mayRepeat(settled.failure))) return settled;
      attempts += 1;
      await sleep(patience?.pauseMs ?? 0, signal);
    }
  }
}

/** Sends one copy, and tells what became of it. */
export async function sendCopy<C extends SignedCopy>(
  rpc: Pick<RpcClient, 'sendTransaction'>,
  copy: C,
  isRepeated: boolean,
  { level, sending }: Pick<ToSend<C>, 'level' | 'sending'>,
): Promise<Settled<C>> {
  let seen: TransactionState['name'] = isRepeated ? 'in-pool' : 'not-seen';
  const onState = ({ name }: TransactionState): void => {
    seen = name;
  };
  const options = { ...sending, wasSentBefore: isRepeated, onState };
  try {
    const outcome = await rpc.sendTransaction(copy.borshBytes, level, options);
    return { copy, fate: fateOfOutcome(outcome), outcome };
  } catch (thrown) {
    // The caller stopped waiting after it left: it may still be executed, so it was not cancelled.
    const error = isCancellation(thrown) ? outcomeUnknown(copy.hash, seen, thrown) : thrown;
    const failure = rpcFailure(error);
    if (failure?.kind === 'invalid_transaction') return { copy, fate: 'refused', error, failure };
    if (failure?.kind === 'outcome_unknown') {
      return { copy, fate: isInBlock(failure.state) ? 'sent' : 'unknown', error, failure };
    }
    return { copy, fate: isRepeated ? 'unknown' : 'not-sent', error, failure };
  }
}

/** What the chain's answer tells about a transaction that it took. */
export function fateOfOutcome(outcome: TransactionOutcome): 'executed' | 'failed' | 'sent' {
  const { status } = outcome;
  if (executionFailure(outcome)) return 'failed';
  const hasEnded = typeof status === 'object' && ('SuccessValue' in status || 'SuccessReceiptId' in status);
  return hasEnded ? 'executed' : 'sent';
}

/** What a look at the chain tells; `unknown` also where it may still come. */
export function fateOfState(state: TransactionState): TransactionFate {
  if ('outcome' in state) return fateOfOutcome(state.outcome);
  return state.name === 'refused' || state.name === 'expired' ? 'refused' : 'unknown';
}

/** Whether it may have been sent, or may be sent later: no node answered, or none tells its end. */
export function isOpen(failure: RpcFailure | undefined): boolean {
  return failure !== undefined && (isTransient(failure) || failure.kind === 'outcome_unknown');
}

function isOvertaken({ failure }: { readonly failure: RpcFailure }): boolean {
  return OVERTAKEN.includes(failure.reason);
}

function isInBlock(state: TransactionState['name'] | undefined): boolean {
  return state === 'included' || state === 'executed' || state === 'final';
}

/**
 * The chain accepts no nonce from block height times this upwards (nearcore's ACCESS_KEY_NONCE_RANGE_MULTIPLIER).
 * Nodes do not check that when they take a transaction: it is lost later.
 */
export const NONCES_PER_BLOCK = 1_000_000n;

const InvalidNonceSchema = v.object({ ak_nonce: WholeNumberSchema });

/** The nonce that the key has reached on the chain, as a refusal for `InvalidNonce` names it. */
export function reachedNonce(refusal: RpcFailure | undefined): bigint | undefined {
  const named = v.safeParse(InvalidNonceSchema, refusal?.info);
  return refusal?.reason === 'InvalidNonce' && named.success ? BigInt(named.output.ak_nonce) : undefined;
}

/**
 * The nonce that the key has reached by a reading and by a refusal: the node that refused may be ahead of the one that
 * was read. Ignores a refusal that names a nonce which the chain could not have accepted.
 */
export function highestNonce(
  { nonce, block_height }: AccessKeyView,
  refusal: RpcFailure | undefined,
): bigint {
  const read = BigInt(nonce);
  const named = reachedNonce(refusal) ?? 0n;
  return named > read && named < BigInt(block_height) * NONCES_PER_BLOCK ? named : read;
}

/**
 * Tells the client of the blocks in which an outcome took its last effects; see {@link RpcClient.noteWrite}. Asks no node. A
 * receipt never runs before the one that made it, and a refund, which burns nothing, changes a balance alone.
 */
export function noteOutcome(
  rpc: Pick<RpcClient, 'noteWrite'>,
  { transaction_outcome: own, receipts_outcome: receipts = [] }: Partial<TransactionOutcome>,
): void {
  const effects = receipts.filter(({ outcome }) => outcome.tokens_burnt !== '0');
  const ids = new Set(effects.map(({ id }) => id));
  const last = effects.filter(({ outcome }) => !outcome.receipt_ids.some((id) => ids.has(id)));
  for (const { block_hash: hash } of last.length > 0 || !own ? last : [own]) {
    if (typeof hash === 'string') rpc.noteWrite(hash);
  }
}

/**
 * Knows what became of a transaction: sends its bytes and looks for it, until its fate is certain.
 *
 * ```text
 *   not-seen ──send──▶ in-pool ──▶ included ──▶ executed ──▶ final
 *       └──────────────────┴─────▶ refused, expired: in no block, and never will be
 *                          └─────▶ unknown: the nodes have forgotten, or do not answer
 * ```
 *
 * How nodes answer (nearcore, `chain/jsonrpc/src/lib.rs`) makes the rules:
 *
 * - Look-ups ask for level NONE: every other level makes the node wait before it says no.
 * - A transaction that no block holds may wait in a pool, or be lost: nodes forward it once. Sending the same bytes
 *   again is harmless, because the chain executes them once.
 * - A transaction is refused when a final block has spent its nonce, and look-ups after that find nothing. It has
 *   expired when the final block is too far above the block that it names and its nonce is still free.
 * - A nonce spent on an expired transaction proves nothing: nodes forget outcomes that are as old.
 * - What would make someone pay again takes the word of several providers, where several must agree: that the transaction
 *   is refused, and that it failed. A node that turns the bytes away, because it is busy, may keep them: their outcome is
 *   unknown, unless every node is on this machine.
 */
import { base64 } from '@scure/base';
import * as v from 'valibot';
import type { WaitUntil } from '../types.js';
import { executionFailure, outcomeReader, queryResult, reader } from './rpc-answer.js';
import { isTransient, type RpcFailure, rpcError, rpcFailure } from './rpc-error.js';
import {
  AccessKeyViewSchema,
  BlockViewSchema,
  hasReached,
  type TransactionOutcome,
  TransactionOutcomeSchema,
  type TransactionState,
} from './rpc-types.js';
import { sleep } from './sleep.js';
import { readSignedTransaction } from './transaction-id.js';

/**
 * The chain accepts a transaction for this many blocks after its named block (nearcore's
 * transaction_validity_period). Nodes remember outcomes for at least as many.
 */
export const VALIDITY_BLOCKS = 86_400;

type Params = Readonly<Record<string, unknown>>;

/** Asks one node. */
export type Ask = <T>(method: string, params: Params, read: (result: unknown) => T) => Promise<T>;

/** How the nodes are asked. */
export interface RequestOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /** Whether an answer is good enough; if not, the next node is asked, and the last answer stands. */
  readonly accept?: ((value: T) => boolean) | undefined;
  /** Whether the chain's own refusal comes from a node that lags, so that the next one is asked. */
  readonly isLate?: ((refusal: RpcFailure) => boolean) | undefined;
  readonly onFailedNode?: (failure: RpcFailure) => void;
  /** Time limit of one node's answer. */
  readonly timeoutMs?: number;
  /** Begins with a later node each time this number grows. */
  readonly turn?: number;
}

/** The nodes that are asked. */
export interface Nodes {
  /** Asks one node after the other until one gives an answer that counts. */
  request<T>(
    method: string,
    params: Params,
    read: (result: unknown) => T,
    options: RequestOptions<T>,
  ): Promise<T>;
  /** Whether as many nodes as must agree each confirm it. Skips nodes that do not answer. */
  allSay(isSo: (ask: Ask) => Promise<boolean>, signal: AbortSignal | undefined): Promise<boolean>;
  readonly agreement: number;
  /** Whether all of them are on this machine, so that a busy one keeps nothing. */
  readonly areOwn: boolean;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** The same bytes were sent before with an unknown outcome: look the transaction up before sending. */
  readonly wasSentBefore?: boolean;
  /** Also wait until the transaction's own call has ended, but not for what it started (a yielded call, say). */
  readonly untilEnded?: boolean;
  /**
   * The part of an outcome that as many providers as must agree must have. Default: a failure, which would make someone pay
   * again; a success needs one provider.
   */
  readonly essence?: ((outcome: TransactionOutcome) => unknown) | undefined;
  /** Called with each new state, also before the call is aborted. */
  readonly onState?: (state: TransactionState) => void;
}

/** A transaction without its bytes, as a journal keeps it. */
export interface NotedTransaction {
  readonly transactionId: string;
  readonly signerId: string;
  /** The key that signed it. */
  readonly publicKey: string;
  readonly nonce: bigint;
  /** Of the block that it names. */
  readonly blockHeight: number;
}

/** Upper limit of one call, while nodes are busy, the pool holds the transaction, or its receipts are slow. */
const PATIENCE_MS = 40_000;
/** Attempts in a row that no node answers, before the call gives up. */
const MAX_SILENT_RETRIES = 5;
/** A node may keep `send_tx` waiting this long before the client looks for itself; doubled when no node answers. */
const ANSWER_MS = 4_000;
const LONGEST_ANSWER_MS = 16_000;
const LOOK_MS = 4_000;
const BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 3_200;
const JITTER_MS = 150;
/** Between two looks at a transaction that is in a block. */
const POLL_MS = 300;
/** Time in which an executed transaction usually becomes final. */
const FINALITY_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 10_000;
/** Number of fruitless looks required where a node behind the one that answered may lag. */
const LOOKS = 3;
/** The same where only look-ups tell: they take 6 s, longer than nodes behind one address usually lag. */
const LOOKS_ALONE = 6;
/** Refusals that a lagging node gives for a transaction that the others accept. */
const MAY_BE_LAG: ReadonlySet<string | undefined> = new Set([
  'InvalidNonce',
  'Expired',
  'InvalidAccessKeyError',
  'SignerDoesNotExist',
  'NotEnoughBalance',
]);
/** Of these, the ones that may also answer a second copy of a transaction that is on the chain or on its way. */
const MAY_BE_A_COPY: ReadonlySet<string | undefined> = new Set(['InvalidNonce', 'Expired']);
/** Levels at which an answer must contain the execution's status. */
const TELLING: ReadonlySet<WaitUntil> = new Set(['EXECUTED_OPTIMISTIC', 'EXECUTED', 'FINAL']);

/** Sends until the transaction has reached a level. `RpcClient.sendTransaction` says how it ends. */
export async function sendTransaction(
  nodes: Nodes,
  signed: Uint8Array,
  waitUntil: WaitUntil,
  options: SendOptions,
): Promise<TransactionOutcome> {
  const { transactionId, signerId, accessKey, blockHash } = await readSignedTransaction(signed);
  // At NONE a node checks nothing, and its answer is no acceptance.
  const level = waitUntil === 'NONE' ? 'INCLUDED' : waitUntil;
  const copy = { transactionId, signerId, ...accessKey, names: { block_id: blockHash }, signed, level };
  return new Sending(nodes, copy, options).run();
}

/**
 * Looks a noted transaction up, and tells `refused` and `expired` only for certain. Waits some seconds for one that a
 * block holds to become final. Sends nothing.
 */
export async function transactionState(
  nodes: Nodes,
  noted: NotedTransaction,
  signal?: AbortSignal,
): Promise<TransactionState> {
  const giveUpAt = Date.now() + FINALITY_MS;
  for (let looksInVain = 0; ; ) {
    // Must precede the look: what no block holds once its nonce is spent can never enter one.
    const end = await endOf(nodes, { ...noted, names: noted.blockHeight }, true, signal);
    const seen = await look(nodes, noted, signal);
    if (seen !== 'in-no-block') {
      const isSettled = seen.name === 'final' || seen.name === 'in-pool';
      if (isSettled || Date.now() >= giveUpAt) {
        return (await isBelieved(nodes, noted, seen, signal)) ? seen : { name: 'in-pool' };
      }
      await sleep(POLL_MS, signal);
      continue;
    }
    if (!end || end === 'nameless') return { name: 'in-pool' };
    looksInVain += 1;
    if (looksInVain === LOOKS_ALONE) return { name: end === 'forgotten' ? 'unknown' : end };
    await sleep(backoffMs(looksInVain - 1), signal);
  }
}

interface Copy extends Searched {
  readonly signed: Uint8Array;
  readonly level: WaitUntil;
}

/** One call of {@link sendTransaction}: rounds of looking and sending, until one of the states is certain. */
class Sending {
  readonly #nodes: Nodes;
  readonly #copy: Copy;
  readonly #options: SendOptions;
  readonly #giveUpAt = Date.now() + PATIENCE_MS;
  #state: TransactionState;
  /** The answer to the newest copy, if it was a refusal. */
  #refusal: { readonly error: unknown; readonly reason: string | undefined } | undefined;
  #end: End | undefined;
  #looksInVain = 0;
  #silentRetries = 0;
  #retries = 0;
  /** Whether a node that turned the bytes away may keep them and send them later. */
  #mayBeKept = false;

  constructor(nodes: Nodes, copy: Copy, options: SendOptions) {
    this.#nodes = nodes;
    this.#copy = copy;
    this.#options = options;
    this.#state = { name: options.wasSentBefore ? 'in-pool' : 'not-seen' };
  }

  async run(): Promise<TransactionOutcome> {
    for (;;) {
      const before = this.#state;
      const failure = await this.#round();
      const state = this.#state;
      if (state.name !== before.name) this.#options.onState?.(state);
      const { signal, essence } = this.#options;
      if ('outcome' in state && this.#isDone(state.outcome)) {
        if (await isBelieved(this.#nodes, this.#copy, state, signal, essence)) return state.outcome;
        // The next look begins with another node.
        this.#retries += 1;
      }
      if (this.#isRefused() && (await this.#isRefusedByAll())) {
        throw this.#end === 'forgotten' ? this.#unknown(this.#refusal?.error) : this.#refusal?.error;
      }
      if (failure && !mayPass(failure.details)) throw this.#givenUp(failure.error);
      if (this.#silentRetries > MAX_SILENT_RETRIES || Date.now() >= this.#giveUpAt) {
        throw this.#givenUp(failure?.error ?? this.#refusal?.error);
      }
      await sleep(this.#pauseMs(failure?.details), signal);
    }
  }

  /** Whether as many providers as must agree refuse the same bytes. If one takes them, the transaction is on its way. */
  async #isRefusedByAll(): Promise<boolean> {
    const { signed, level, transactionId } = this.#copy;
    const params = { signed_tx_base64: base64.encode(signed), wait_until: level };
    const isRefused = await haveSaid(this.#nodes, this.#options.signal, (ask) =>
      ask('send_tx', params, outcomeReader(transactionId)).then(
        () => false,
        (error: unknown) => {
          if (rpcFailure(error)?.kind === 'invalid_transaction') return true;
          throw error;
        },
      ),
    );
    if (isRefused) return true;
    this.#state = { name: 'in-pool' };
    this.#refusal = undefined;
    this.#looksInVain = 0;
    return false;
  }

  /** Looks for the transaction and, while no block holds it, sends it. Returns why it could not. */
  async #round(): Promise<{ error: unknown; details: RpcFailure } | undefined> {
    try {
      await this.#look();
      if (!('outcome' in this.#state) && !this.#isRefused()) await this.#send();
      this.#silentRetries = 0;
      return undefined;
    } catch (error) {
      const details = rpcFailure(error);
      if (!details) throw error;
      if (!isAnswer(details)) this.#silentRetries += 1;
      return { error, details };
    }
  }

  async #look(): Promise<void> {
    const { signal } = this.#options;
    const refusal = this.#refusal;
    const isOut = this.#state.name !== 'not-seen';
    if (!refusal && !isOut) return;
    if (refusal && isOut && (!this.#end || this.#end === 'nameless')) {
      // Must precede the look: what no block holds once its nonce is spent can never enter one.
      this.#end = await endOf(this.#nodes, this.#copy, refusal.reason === 'Expired', signal);
    }
    const seen = await look(this.#nodes, this.#copy, signal, this.#retries);
    if (seen !== 'in-no-block') this.#state = seen;
    else if (isOut) this.#state = { name: 'in-pool' };
    const isOver = !isOut || (this.#end && this.#end !== 'nameless');
    if (seen === 'in-no-block' && refusal && isOver) this.#looksInVain += 1;
  }

  async #send(): Promise<void> {
    const { signed, level, transactionId } = this.#copy;
    const { signal } = this.#options;
    const answerMs = Math.min(ANSWER_MS * 2 ** this.#silentRetries, LONGEST_ANSWER_MS);
    const tooLong = AbortSignal.timeout(answerMs);
    this.#refusal = undefined;
    try {
      const outcome = await this.#nodes.request(
        'send_tx',
        { signed_tx_base64: base64.encode(signed), wait_until: level },
        outcomeReader(transactionId),
        {
          signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong,
          onFailedNode: (failure) => this.#learn(failure),
          turn: this.#retries,
        },
      );
      this.#state = stateOf(outcome);
    } catch (error) {
      if (tooLong.aborted && !signal?.aborted) {
        this.#state = { name: 'in-pool' };
        throw rpcError({ kind: 'unreachable' }, { reason: `no answer within ${answerMs} ms` }, error);
      }
      const failure = rpcFailure(error);
      if (failure?.kind !== 'invalid_transaction') throw error;
      this.#refusal = { error, reason: failure.reason };
      if (MAY_BE_A_COPY.has(failure.reason)) this.#state = { name: 'in-pool' };
    }
  }

  /** A node that failed may have taken the copy; one that stopped waiting may say how far it came. */
  #learn(failure: RpcFailure): void {
    if (failure.notDelivered) {
      this.#mayBeKept ||= failure.kind !== 'unreachable' && !this.#nodes.areOwn;
      return;
    }
    this.#state = pendingState(failure, this.#copy.transactionId) ?? { name: 'in-pool' };
  }

  #isDone({ final_execution_status: reached, status }: TransactionOutcome): boolean {
    const { level } = this.#copy;
    const mustTell = this.#options.untilEnded || TELLING.has(level);
    return hasReached(reached, level) && (!mustTell || typeof status === 'object');
  }

  #isRefused(): boolean {
    return this.#refusal !== undefined && this.#looksInVain >= this.#looksNeeded(this.#refusal.reason);
  }

  #looksNeeded(reason: string | undefined): number {
    // A node looks for the transaction itself before it refuses its nonce (nearcore, `tx_exists`).
    if (reason === 'InvalidNonce') return LOOKS;
    // A transaction that removed its own key is refused because of that key, wherever a second copy arrives.
    if (this.#state.name !== 'not-seen') return LOOKS_ALONE;
    return MAY_BE_LAG.has(reason) ? LOOKS : 1;
  }

  /** The error when time is over: a refusal that nothing contradicts, `outcome_unknown`, or why no node had it. */
  #givenUp(last: unknown): unknown {
    if (this.#refusal && this.#end === 'nameless') return this.#refusal.error;
    return this.#state.name === 'not-seen' && !this.#mayBeKept ? last : this.#unknown(last);
  }

  #unknown(cause: unknown): unknown {
    const { transactionId } = this.#copy;
    const { name: state } = this.#state;
    const reason = `what became of transaction ${transactionId} is not known, and it may still happen`;
    return rpcError({ kind: 'outcome_unknown', transactionId, state }, { reason }, cause);
  }

  #pauseMs(failure: RpcFailure | undefined): number {
    if (!failure && 'outcome' in this.#state) return POLL_MS;
    // A refusal is examined immediately.
    if (this.#refusal && this.#retries === 0) return this.#retries++;
    const retryAfterMs = Math.min(failure?.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
    return Math.max(retryAfterMs, backoffMs(this.#retries++));
  }
}

/** Whether a state may be acted on: its essence, if it has one, counts once as many providers as must agree have it. */
async function isBelieved(
  nodes: Nodes,
  { transactionId, signerId }: Pick<Searched, 'transactionId' | 'signerId'>,
  state: TransactionState,
  signal: AbortSignal | undefined,
  essence: (outcome: TransactionOutcome) => unknown = executionFailure,
): Promise<boolean> {
  const own = 'outcome' in state ? essence(state.outcome) : null;
  if (own === null) return true;
  const params = lookUpParams(transactionId, signerId);
  return haveSaid(nodes, signal, async (ask) => {
    const outcome = await ask('tx', params, outcomeReader(transactionId));
    return JSON.stringify(essence(outcome)) === JSON.stringify(own);
  });
}

/** Whether as many providers as must agree say so; where one is enough, it has said so already. */
async function haveSaid(
  nodes: Nodes,
  signal: AbortSignal | undefined,
  isSo: (ask: Ask) => Promise<boolean>,
): Promise<boolean> {
  if (nodes.agreement < 2) return true;
  return nodes.allSay(isSo, signal).catch((error: unknown) => {
    if (!rpcFailure(error)) throw error;
    return false;
  });
}

const lookUpParams = (tx_hash: string, sender_account_id: string) => ({
  tx_hash,
  sender_account_id,
  wait_until: 'NONE',
});

/** What a node has in its blocks; `in-no-block` only if every node says so. */
async function look(
  nodes: Nodes,
  { transactionId, signerId }: Pick<Searched, 'transactionId' | 'signerId'>,
  signal: AbortSignal | undefined,
  turn?: number,
): Promise<TransactionState | 'in-no-block'> {
  const outcome = await lookUp(nodes, transactionId, signerId, signal, turn);
  return outcome ? stateOf(outcome) : 'in-no-block';
}

/** What the nodes have of a transaction now; null if every node says that it is in no block. */
export async function lookUp(
  nodes: Nodes,
  transactionId: string,
  signerId: string,
  signal: AbortSignal | undefined,
  turn = 0,
): Promise<TransactionOutcome | null> {
  try {
    return await nodes.request('tx', lookUpParams(transactionId, signerId), outcomeReader(transactionId), {
      signal,
      turn,
      timeoutMs: LOOK_MS,
      // A node that does not track the signer's shard has nothing to tell.
      accept: isInBlock,
    });
  } catch (error) {
    const kind = rpcFailure(error)?.kind;
    if (kind === 'unknown_transaction' || kind === 'invalid_transaction') return null;
    throw error;
  }
}

function isInBlock({ final_execution_status: level }: TransactionOutcome): boolean {
  return level !== 'NONE';
}

function stateOf(outcome: TransactionOutcome): TransactionState {
  if (!isInBlock(outcome)) return { name: 'in-pool' };
  if (typeof outcome.status !== 'object') return { name: 'included', outcome };
  return { name: outcome.final_execution_status === 'FINAL' ? 'final' : 'executed', outcome };
}

/** The state that a node tells when it stops waiting (`TimeoutErrorCause::Pending`, from nearcore 2.14 on). */
function pendingState({ kind, info }: RpcFailure, transactionId: string): TransactionState | undefined {
  if (kind !== 'timeout') return undefined;
  const { success, output } = v.safeParse(PendingSchema, info);
  return success ? stateOf(outcomeReader(transactionId)(output.status)) : undefined;
}

const PendingSchema = v.object({ cause: v.literal('PENDING'), status: TransactionOutcomeSchema });

/** A transaction that is searched for. */
interface Searched {
  readonly transactionId: string;
  readonly signerId: string;
  /** Unknown for later versions, which may number differently. */
  readonly publicKey?: string;
  readonly nonce?: bigint;
  /** The block that it names, or its height. */
  readonly names: { readonly block_id: string | null } | number;
}

/**
 * Why no later block can hold a transaction. `forgotten`: it expired after its nonce was spent, perhaps by itself.
 * `nameless`: its nonce is free, and no node knows the block that it names, which is too old or too new for them.
 */
type End = 'refused' | 'expired' | 'forgotten' | 'nameless';

/** Asks as many nodes as must agree; undefined while it can still come, or if too few nodes answer. */
async function endOf(
  nodes: Nodes,
  searched: Searched,
  asksAge: boolean,
  signal: AbortSignal | undefined,
): Promise<End | undefined> {
  try {
    const isOld = asksAge && (await isTooOld(nodes, searched.names, signal));
    const isSpent = await isNonceSpent(nodes, searched, signal);
    if (isOld === 'nameless') return isSpent ? 'forgotten' : 'nameless';
    if (isOld) return isSpent ? 'forgotten' : 'expired';
    return isSpent ? 'refused' : undefined;
  } catch (error) {
    if (!rpcFailure(error)) throw error;
    return undefined;
  }
}

/** Whether a final block has spent the nonce or removed the key. */
async function isNonceSpent(
  nodes: Nodes,
  { signerId, publicKey, nonce }: Searched,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (publicKey === undefined || nonce === undefined) return false;
  const params = {
    request_type: 'view_access_key',
    account_id: signerId,
    public_key: publicKey,
    finality: 'final',
  };
  const read = (result: unknown) => reader(AccessKeyViewSchema)(queryResult(result));
  return nodes.allSay(async (ask) => {
    try {
      return BigInt((await ask('query', params, read)).nonce) >= nonce;
    } catch (error) {
      const kind = rpcFailure(error)?.kind;
      if (kind === 'unknown_access_key' || kind === 'unknown_account') return true;
      throw error;
    }
  }, signal);
}

/** Whether the chain has advanced too far to accept a transaction that names this block. */
async function isTooOld(
  nodes: Nodes,
  names: Searched['names'],
  signal: AbortSignal | undefined,
): Promise<boolean | 'nameless'> {
  if (typeof names === 'object' && names.block_id === null) return false;
  try {
    return await nodes.allSay(async (ask) => {
      const heightOf = async (reference: Params) =>
        (await ask('block', reference, reader(BlockViewSchema))).header.height;
      const named = typeof names === 'number' ? names : await heightOf(names);
      return (await heightOf({ finality: 'final' })) > named + VALIDITY_BLOCKS;
    }, signal);
  } catch (error) {
    if (rpcFailure(error)?.causeName === 'UNKNOWN_BLOCK') return 'nameless';
    throw error;
  }
}

/** Whether the same bytes may be accepted later: the node or the shard is busy, or did not answer. */
function mayPass(failure: RpcFailure): boolean {
  return isTransient(failure) || isBusy(failure);
}

/** Whether a node answered, even if only to say that it is busy or has stopped waiting. */
function isAnswer(failure: RpcFailure): boolean {
  return failure.kind === 'timeout' || isBusy(failure);
}

/** Rate limits (429, and 403 at some providers), a node's patience (408), and a shard that takes nothing now. */
function isBusy({ kind, status }: RpcFailure): boolean {
  return kind === 'busy' || (kind === 'http' && (status === 403 || status === 408 || status === 429));
}

/** 200 ms, doubled each time, plus up to 150 ms so that clients do not all return together. */
function backoffMs(retry: number): number {
  return Math.min(BACKOFF_MS * 2 ** retry, LONGEST_BACKOFF_MS) + Math.random() * JITTER_MS;
}

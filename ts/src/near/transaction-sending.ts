/** One call that sends a transaction's bytes: rounds of looking and sending, until its fate is certain. */
import { base64 } from '@scure/base';
import { sleep } from '../sleep.js';
import type { WaitUntil } from '../types.js';
import { outcomeReader, type TransactionOutcome, type TransactionState } from './rpc-answer.js';
import type { Nodes } from './rpc-client.js';
import { isTransient, outcomeUnknown, type RpcFailure, rpcError, rpcFailure } from './rpc-error.js';
import { readSignedTransaction } from './transaction-id.js';
import {
  backoffMs,
  type End,
  endOf,
  haveSaid,
  isBelieved,
  LOOKS_ALONE,
  look,
  POLL_MS,
  pendingState,
  type Searched,
  stateOf,
} from './transaction-state.js';
import { hasReached } from './wait-levels.js';

export { lookUp, transactionState } from './transaction-state.js';

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

/** Upper limit of one call, while nodes are busy, the pool holds the transaction, or its receipts are slow. */
const PATIENCE_MS = 40_000;
/** Attempts in a row that no node answers, before the call gives up. */
const MAX_SILENT_RETRIES = 5;
/** A node may keep `send_tx` waiting this long before the client looks for itself; doubled when no node answers. */
const ANSWER_MS = 4_000;
const LONGEST_ANSWER_MS = 16_000;
/** Number of fruitless looks required where a node behind the one that answered may lag. */
const LOOKS = 3;
/** Refusals that may also answer a second copy of a transaction that is on the chain or on its way. */
const MAY_BE_A_COPY: ReadonlySet<string | undefined> = new Set(['InvalidNonce', 'Expired']);
/** Other refusals that a lagging node gives for a transaction that the others accept. */
const MAY_BE_LAG: ReadonlySet<string | undefined> = new Set([
  'InvalidAccessKeyError',
  'SignerDoesNotExist',
  'NotEnoughBalance',
  'LackBalanceForState',
  'InvalidNonceIndex',
  'NotEnoughGasKeyBalance',
  'NotEnoughBalanceForDeposit',
]);
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

/** A signed transaction and the level that it is to reach. */
interface Copy extends Searched {
  readonly signed: Uint8Array;
  readonly level: WaitUntil;
}

/** Rounds of looking and sending, until one of the states is certain. */
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
    return outcomeUnknown(this.#copy.transactionId, this.#state.name, cause);
  }

  #pauseMs(failure: RpcFailure | undefined): number {
    if (!failure && 'outcome' in this.#state) return POLL_MS;
    // A refusal is examined immediately.
    if (this.#refusal && this.#retries === 0) return this.#retries++;
    return backoffMs(this.#retries++);
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

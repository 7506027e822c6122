/**
 * One transaction for one job, whatever becomes of its answer.
 *
 * A transaction whose answer was lost is kept: the same job asks what became of it, and never signs a second one before
 * that is known. A refusal of the chain that can be cured (a stale nonce, an old block hash) is cured, and the job is
 * signed anew.
 */

import { isTransient, type RpcClient, rpcFailure, type TransactionOutcome } from '../../near/index.js';
import { dropOldest } from '../http/drop-oldest.js';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../observe/log.js';
import type { Relayer, SignedCall } from './relayer.js';
import { burntYocto, type SpendMeter, type SpendReservation } from './spend.js';

export interface SettlerOptions {
  readonly rpc: RpcClient;
  readonly relayer: Pick<Relayer, 'accountId' | 'learn'>;
  readonly spend: SpendMeter;
  readonly log: Log;
  /** What is sent, in a word: `registration`. It begins the events of the log and is named in what clients are told. */
  readonly noun: string;
}

/** A transaction that is about to be signed, and what it costs. */
export interface Payment {
  /** The most that it may take from the relayer, gas at its purchase price included. */
  readonly mostYocto: bigint;
  /** Where this payment counts; by default on the settler's meter. */
  readonly spend?: SpendMeter;
  sign(): Promise<SignedCall>;
  /** The deposit that did not come back, by what the chain says of the transaction. */
  keptDeposit(outcome: TransactionOutcome): bigint;
}

interface Sent {
  readonly call: SignedCall;
  readonly payment: Payment;
  readonly reservation: SpendReservation;
}

const MAX_SIGNINGS = 20;
/** Doubled with every signing: relays that signed with one key at the same time must not do so again. */
const RESIGN_PAUSE_MS = 40;
const MAX_RESIGN_PAUSE_MS = 1500;
const MAX_REMEMBERED = 10_000;
const RETRY_AFTER_SECONDS = 5;

export class Settler {
  readonly #options: SettlerOptions;
  /** Sent, and not known what became of it. */
  readonly #unsettled = new Map<string, Sent>();

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /** Whether a transaction of this job was sent whose end nobody knows yet. */
  isUnsettled(id: string): boolean {
    return this.#unsettled.has(id);
  }

  /** The ids of the transactions that were sent and whose end nobody knows yet. */
  unfinished(): string[] {
    return [...this.#unsettled.values()].map(({ call }) => call.hash);
  }

  /** What became of the job's transaction is known now: the next one of this job is signed anew. */
  settled(id: string): void {
    this.#unsettled.delete(id);
  }

  /**
   * Sends the job's transaction and resolves with its final outcome, also when the execution failed. The transaction
   * stays this job's until {@link settled} is called. Rejects with a {@link Refusal}.
   */
  async send(id: string, requestId: string, prepare: () => Promise<Payment>): Promise<TransactionOutcome> {
    const { rpc, relayer, log, noun } = this.#options;
    for (let signing = 1; ; signing += 1) {
      const kept = this.#unsettled.get(id);
      const sent = kept ?? (await this.#sign(prepare));
      const { call, reservation } = sent;
      this.#unsettled.set(id, sent);
      dropOldest(this.#unsettled, MAX_REMEMBERED);
      log.info(`${noun}_sent`, { requestId, transactionHash: call.hash, isRepeated: kept !== undefined });
      try {
        const outcome = await rpc.sendTransaction(call.bytes, 'FINAL', { wasSentBefore: kept !== undefined });
        await reservation.commit(spentYocto(sent, outcome));
        return outcome;
      } catch (error) {
        const failure = rpcFailure(error);
        if (failure?.kind !== 'invalid_transaction') {
          // No node was reached, or none can read it: nothing is on its way, unless it is so from an earlier try.
          const isNotTaken = failure?.notDelivered || failure?.kind === 'invalid_request';
          if (isNotTaken && !kept) {
            this.#unsettled.delete(id);
            await reservation.release();
            throw this.notSent(error);
          }
          const what = `The ${noun} was sent, but the chain did not say what became of it`;
          throw this.unknown(what, call.hash, error);
        }
        this.#unsettled.delete(id);
        await reservation.release();
        log.warn(`${noun}_refused`, { requestId, transactionHash: call.hash, reason: failure.reason });
        const isCured = await relayer.learn(call, failure).catch((cause) => {
          throw this.notSent(cause);
        });
        if (!isCured || signing === MAX_SIGNINGS) throw this.#notTaken(failure.reason, error);
        const pauseMs = Math.random() * Math.min(RESIGN_PAUSE_MS * 2 ** signing, MAX_RESIGN_PAUSE_MS);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  /** An error before anything was sent. */
  notSent(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    const failure = rpcFailure(error);
    if (failure && isTransient(failure)) {
      const message = 'The chain cannot be reached now. Nothing was sent; try again in a few seconds.';
      return new Refusal('chain_unreachable', message, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    }
    const message = `The chain refused to prepare the ${this.#options.noun}. Nothing was sent; tell the relay's operator.`;
    return new Refusal('chain_rejected', message, { cause: error });
  }

  /** An error after something may have been sent. */
  unknown(what: string, transactionHash: string | null, cause: unknown): Refusal {
    const message = `${what}. Ask again with the same request: it is not paid for twice.`;
    return new Refusal('outcome_unknown', message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
      ...(transactionHash && { transactionHash }),
    });
  }

  async #sign(prepare: () => Promise<Payment>): Promise<Sent> {
    let reservation: SpendReservation | undefined;
    try {
      const payment = await prepare();
      const { spend = this.#options.spend, mostYocto } = payment;
      reservation = await spend.reserve(mostYocto);
      return { call: await payment.sign(), payment, reservation };
    } catch (error) {
      await reservation?.release();
      throw this.notSent(error);
    }
  }

  /** The chain refused the transaction for good. */
  #notTaken(reason: string | undefined, cause: unknown): Refusal {
    const { log, relayer, noun } = this.#options;
    if (reason === 'NotEnoughBalance' || reason === 'LackBalanceForState') {
      log.error('relayer_unfunded', { accountId: relayer.accountId });
      const message = `The relay has run out of funds. Its operator must fund ${relayer.accountId}.`;
      return new Refusal('relayer_unfunded', message, { retryAfterSeconds: 60, cause });
    }
    const message = `The chain did not take the ${noun}, and nothing was done. Try again later.`;
    return new Refusal('chain_rejected', message, { cause });
  }
}

/** Where a node does not tell what was burnt, all that was reserved counts as spent. */
function spentYocto({ payment }: Sent, outcome: TransactionOutcome): bigint {
  const burnt = burntYocto(outcome);
  return burnt === undefined ? payment.mostYocto : burnt + payment.keptDeposit(outcome);
}

/**
 * One transaction for one job, even if its answer is lost.
 *
 * A transaction whose answer was lost is kept: the same job asks for its outcome, and signs no second one before it
 * is known. After a curable refusal of the chain (a stale nonce, an old block hash), the settler cures the cause and
 * signs the job again.
 *
 * A lie must not free money that is spent. A refusal frees the reservation only where the client's nodes are witnessed:
 * several providers agree, or they are this machine's. Otherwise it counts until it leaves the meter's window of 24 hours,
 * and the block that the transaction names has expired by then (86,400 blocks). What a node turned away, and may have kept,
 * has an unknown outcome: the transaction stays the job's, and the same bytes are sent again.
 */

import {
  isLatchkeyError,
  isTransient,
  messageOf,
  type RefusedCopy,
  type RpcClient,
  type RpcFailure,
  rpcFailure,
  sendCopy,
  sendUntilTaken,
  type TransactionOutcome,
} from 'latchkey/internal/server';
import { dropOldest } from '../http/drop-oldest.js';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../observe/log.js';
import type { JobClaim, JobStore, StoredJob } from './jobs.js';
import { isUnfunded, type Relayer, type SignedCall } from './relayer.js';
import { burntYocto, type SpendMeter, type SpendReservation } from './spend.js';

export interface SettlerOptions {
  readonly rpc: RpcClient;
  readonly relayer: Pick<Relayer, 'accountId' | 'learn'>;
  readonly spend: SpendMeter;
  readonly log: Log;
  /** One word for the job: `registration`. Prefixes the log events and appears in messages to clients. */
  readonly noun: string;
  /** The part of the attached deposit that did not return, according to the outcome. */
  keptDeposit(outcome: TransactionOutcome, depositYocto: bigint): bigint | Promise<bigint>;
  /** The jobs of all relays. Default: no other relay works on this one's jobs. */
  readonly jobs?: JobStore | null;
}

/** A transaction about to be signed, and its cost. */
export interface Payment {
  /** The most that it can take from the relayer, including gas at its purchase price. */
  readonly mostYocto: bigint;
  /** The part of it that is attached. */
  readonly depositYocto: bigint;
  /** The meter for this payment; default: the settler's. */
  readonly spend?: SpendMeter;
  sign(): Promise<SignedCall>;
}

interface Sent extends SignedCall {
  readonly payment: Pick<Payment, 'mostYocto' | 'depositYocto'>;
  readonly reservation: SpendReservation;
  /** Since its outcome is unknown and no request waits for it: when to look for it again, in monotonic ms. */
  lookAt?: number | undefined;
}

const MAX_SIGNINGS = 20;
/** Doubled with every signing, so that relays that signed with one key at the same time do not collide again. */
const RESIGN_PAUSE_MS = 40;
const MAX_RESIGN_PAUSE_MS = 1500;
const MAX_REMEMBERED = 10_000;
const RETRY_AFTER_SECONDS = 5;
const TAKEN_OVER = 'Another instance of this relay has taken the request over. Nothing was sent; ask again.';
const STAYS_STORED = 'did not run yet, and the store of all relays still has it';
/** While the relay has other work, it looks for a lost transaction as often. */
const LOOK_AGAIN_MS = 30_000;

const UNTIL_FINAL = { level: 'FINAL', sending: { essence: ends } } as const;

export class Settler {
  readonly #options: SettlerOptions;
  /** Sent, with an unknown outcome. */
  readonly #unsettled = new Map<string, Sent>();

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /** Whether a transaction of this job was sent and its outcome is unknown. */
  isUnsettled(id: string): boolean {
    return this.#unsettled.has(id);
  }

  /** Like {@link isUnsettled}, at any relay that shares its jobs. Rejects with a {@link Refusal} without their store. */
  async isOpen(id: string): Promise<boolean> {
    return this.isUnsettled(id) || ((await this.#options.jobs?.isOpen(this.#jobName(id))) ?? false);
  }

  /** The ids of sent transactions with an unknown outcome. */
  unfinished(): string[] {
    return [...this.#unsettled.values()].map(({ hash }) => hash);
  }

  /**
   * The outcome of the job's transaction is known: the job's next one gets a new signature. If it is `done`, another
   * relay that was asked at the same time still finds this outcome.
   */
  settled(id: string, end: 'done' | 'failed' = 'failed'): void {
    const sent = this.#unsettled.get(id);
    if (sent) void this.#forget(id, sent, end);
  }

  /**
   * Ends what relays that were killed left, a few transactions at a time: sends the same bytes, and counts what they cost. Rejects
   * with a {@link Refusal} without the store.
   */
  async sweep(): Promise<void> {
    const { jobs, noun } = this.#options;
    if (!jobs) return;
    const names = await jobs.due(noun);
    await Promise.all(names.map((name) => this.#sweepJob(jobs, name.slice(noun.length + 1))));
  }

  /**
   * Sends the job's transaction and resolves with its final outcome, even if the execution failed. The transaction
   * stays this job's until {@link settled} is called. Rejects with a {@link Refusal}.
   */
  async send(id: string, requestId: string, prepare: () => Promise<Payment>): Promise<TransactionOutcome> {
    this.#lookForLost();
    const claim = await this.#options.jobs?.claim(this.#jobName(id), (sent) => this.#underWay(sent));
    try {
      if (claim) this.#adopt(id, claim.sent);
      return await this.#sendClaimed(id, requestId, prepare, claim);
    } finally {
      await claim?.release();
    }
  }

  async #sendClaimed(
    id: string,
    requestId: string,
    prepare: () => Promise<Payment>,
    claim: JobClaim | undefined,
  ): Promise<TransactionOutcome> {
    const { rpc, log, noun } = this.#options;
    const kept = this.#unsettled.get(id);
    const settled = await sendUntilTaken(rpc, {
      ...UNTIL_FINAL,
      earlier: kept,
      sign: () => this.#sign(prepare, claim),
      leaves: (sent, isRepeated) => {
        sent.lookAt = undefined;
        this.#unsettled.set(id, sent);
        dropOldest(this.#unsettled, MAX_REMEMBERED);
        log.info(`${noun}_sent`, { requestId, transactionHash: sent.hash, isRepeated });
      },
      isCurable: (refused) => this.#isCurable(id, requestId, refused),
      mostCopies: MAX_SIGNINGS,
      pauseMs: (copies) => Math.random() * Math.min(RESIGN_PAUSE_MS * 2 ** copies, MAX_RESIGN_PAUSE_MS),
    });
    const { copy: sent } = settled;
    if ('outcome' in settled) {
      await this.#spent(id, sent, settled.outcome).catch((error) => {
        throw this.#lost(sent, error);
      });
      return settled.outcome;
    }
    const { fate, failure, error } = settled;
    if (fate === 'refused') throw this.#notTaken(failure, error);
    // An error that is none of the client's tells nothing.
    if (fate !== 'not-sent' || !failure) throw this.#lost(sent, error);
    if (!(await this.#forget(id, sent, 'failed', sent.reservation.tickets))) {
      throw this.unknown(`The ${noun} ${STAYS_STORED}`, sent.hash, error);
    }
    await sent.reservation.release();
    throw this.notSent(error);
  }

  /** After the chain refused the transaction for good: whether the job may be signed again. */
  async #isCurable(
    id: string,
    requestId: string,
    { copy: sent, failure, error }: RefusedCopy<Sent>,
  ): Promise<boolean> {
    const { rpc, relayer, log, noun } = this.#options;
    // Signed again, the stored job would no longer name this reservation, which nothing then ends.
    if (!(await this.#refused(id, sent))) {
      throw this.unknown(`The ${noun} ${STAYS_STORED}`, sent.hash, error);
    }
    log.warn(`${noun}_refused`, {
      requestId,
      transactionHash: sent.hash,
      reason: failure.reason,
      staysReserved: !rpc.isWitnessed,
    });
    return relayer.learn(sent, failure).catch((cause) => {
      throw this.notSent(cause);
    });
  }

  /** For a transaction that was sent and whose outcome is unknown: it stays the job's, and the relay looks for it later. */
  #lost(sent: Sent, cause: unknown): Refusal {
    sent.lookAt = performance.now() + LOOK_AGAIN_MS;
    const what = `The ${this.#options.noun} was sent, but the chain did not report its outcome`;
    return this.unknown(what, sent.hash, cause);
  }

  /** For an error before anything was sent. */
  notSent(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    if (isLatchkeyError(error, 'REGISTRY_UNKNOWN')) {
      return new Refusal('chain_rejected', `${error.message} Nothing was sent.`, { cause: error });
    }
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

  /** For an error after something may have been sent. */
  unknown(what: string, transactionHash: string | null, cause: unknown): Refusal {
    const message = `${what}. Ask again with the same request: it is not paid for twice.`;
    return new Refusal('outcome_unknown', message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
      ...(transactionHash && { transactionHash }),
    });
  }

  /** In the background, ends the reservations of lost transactions whose requests never came back. */
  #lookForLost(): void {
    const now = performance.now();
    for (const [id, sent] of this.#unsettled) {
      if (sent.lookAt === undefined || sent.lookAt > now) continue;
      sent.lookAt = now + LOOK_AGAIN_MS;
      void this.#settleLost(id, sent);
    }
  }

  /** Looks for the transaction of a job on which no relay works. */
  async #sweepJob(jobs: JobStore, id: string): Promise<void> {
    const { log, noun } = this.#options;
    const claim = await jobs
      .claim(this.#jobName(id), (sent) => this.#underWay(sent))
      .catch((error: unknown) => {
        if (error instanceof Refusal) return null;
        throw error;
      });
    if (!claim) return;
    try {
      if (!claim.sent) return;
      const transactionHash = claim.sent.call.hash;
      const known = this.#unsettled.get(id);
      const sent = known?.hash === transactionHash ? known : sentFrom(claim.sent);
      if (await this.#settleLost(id, sent)) log.info(`${noun}_swept`, { transactionHash });
    } finally {
      await claim.release();
    }
  }

  /** Looks for a lost transaction. Resolves with whether it has come to its end, and warns if not. */
  #settleLost(id: string, sent: Sent): Promise<boolean> {
    const { log, noun } = this.#options;
    return this.#sendAgain(id, sent).then(
      () => true,
      (error: unknown) => {
        log.warn(`${noun}_unsettled`, { transactionHash: sent.hash, reason: messageOf(error) });
        return false;
      },
    );
  }

  /** Sends the same bytes again. The job's own request, should it come, finds the outcome in the same way. */
  async #sendAgain(id: string, sent: Sent): Promise<void> {
    const settled = await sendCopy(this.#options.rpc, sent, true, UNTIL_FINAL);
    if ('outcome' in settled) {
      await this.#spent(id, sent, settled.outcome);
      sent.lookAt = undefined;
    } else if (settled.fate === 'refused') {
      await this.#refused(id, sent);
    } else {
      throw settled.error;
    }
  }

  /** Counts what the transaction cost. One provider's word that the deposit came back is not enough. */
  async #spent(id: string, { hash, payment, reservation }: Sent, outcome: TransactionOutcome): Promise<void> {
    const { mostYocto, depositYocto } = payment;
    const burnt = burntYocto(outcome);
    const kept = await this.#options.keptDeposit(outcome, depositYocto);
    const isCertain = burnt !== undefined && (this.#options.rpc.isWitnessed || kept === depositYocto);
    await reservation.commit(isCertain ? burnt + kept : mostYocto);
    this.#options.jobs?.counted(this.#jobName(id), hash);
  }

  /** Resolves as {@link #forget} does. */
  async #refused(id: string, sent: Sent): Promise<boolean> {
    const { isWitnessed } = this.#options.rpc;
    const { reservation } = sent;
    const isForgotten = await this.#forget(id, sent, 'failed', isWitnessed ? reservation.tickets : []);
    if (isWitnessed && isForgotten) await reservation.release();
    return isForgotten;
  }

  async #sign(prepare: () => Promise<Payment>, claim: JobClaim | undefined): Promise<Sent> {
    let reservation: SpendReservation | undefined;
    /** Whether a relay may find the signed bytes in the store and send them, which the reservation then pays for. */
    let mayBeKept = false;
    try {
      const payment = await prepare();
      const { spend = this.#options.spend, mostYocto, depositYocto } = payment;
      reservation = await spend.reserve(mostYocto);
      const call = await payment.sign();
      if (claim) {
        mayBeKept = true;
        // Before it is sent: a relay that takes the job over sends these bytes, and signs no others.
        mayBeKept = await claim.keep({ call, mostYocto, depositYocto, tickets: reservation.tickets ?? [] });
        if (!mayBeKept) throw new Refusal('not_ready', TAKEN_OVER);
      }
      return { ...call, payment, reservation };
    } catch (error) {
      if (!mayBeKept) await reservation?.release();
      throw this.notSent(error);
    }
  }

  #jobName(id: string): string {
    return `${this.#options.noun}:${id}`;
  }

  /** The store knows better than this process what was sent for a job. */
  #adopt(id: string, stored: StoredJob | null): void {
    const known = this.#unsettled.get(id);
    if (known && stored?.call.hash === known.hash) return;
    this.#unsettled.delete(id);
    if (!stored) return;
    this.#unsettled.set(id, sentFrom(stored));
  }

  /**
   * The transaction is no longer the job’s. Resolves with whether no relay can send it now, so that money may be freed that
   * was reserved for it.
   */
  async #forget(
    id: string,
    sent: Sent,
    end: 'done' | 'failed',
    freed: readonly string[] = [],
  ): Promise<boolean> {
    if (this.#unsettled.get(id) === sent) this.#unsettled.delete(id);
    const { jobs } = this.#options;
    return !jobs || jobs.settled(this.#jobName(id), sent.hash, end, freed);
  }

  /** Another relay works on the job. */
  #underWay(transactionHash: string | null): Refusal {
    const what = `Another instance of this relay works on the ${this.#options.noun} now`;
    return this.unknown(what, transactionHash, undefined);
  }

  /** The chain refused the transaction for good. */
  #notTaken(failure: RpcFailure, cause: unknown): Refusal {
    const { log, relayer, noun } = this.#options;
    if (isUnfunded(failure)) {
      log.error('relayer_unfunded', { accountId: relayer.accountId });
      const message = `The relay has run out of funds. Its operator must fund ${relayer.accountId}.`;
      return new Refusal('relayer_unfunded', message, { retryAfterSeconds: 60, cause });
    }
    const message = `The chain did not accept the ${noun}, and nothing was done. Try again later.`;
    return new Refusal('chain_rejected', message, { cause });
  }
}

function sentFrom({ call, mostYocto, depositYocto, reservation }: StoredJob): Sent {
  return { ...call, payment: { mostYocto, depositYocto }, reservation };
}

/** What providers must agree on: how the transaction and its receipts ended, and what they burnt. */
function ends({ status, transaction_outcome: own, receipts_outcome: receipts = [] }: TransactionOutcome) {
  const parts = [own, ...receipts].map(
    (part) => part && [part.id, part.outcome.tokens_burnt, part.outcome.status],
  );
  return [status, ...parts];
}

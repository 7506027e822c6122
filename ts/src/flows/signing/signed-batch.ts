/**
 * What one approval signed: transactions whose approval is still open, which covers signing them again, and what pages got to
 * send by themselves.
 */
import { BATCH_SIGNING_FAILED, LatchkeyError, WORKER_CLOSED } from '../../errors/wallet.js';
import type { SignedTransaction, TransactionRequest } from '../../types.js';
import type { SignedMessage } from '../../workers/signer-api.js';
import type { FlowContext } from '../context.js';
import { laneOf } from './send.js';
import type { ReservedNonces } from './transaction-contexts.js';

/** One signing of all of them, with nonces that rise from the first to the last. */
export interface Signing {
  readonly signed: readonly SignedTransaction[];
  readonly reserved: ReservedNonces;
  /** The height of the block that all of them name: none runs later than a validity period after it. */
  readonly blockHeight: string;
}

export interface SignedBatchParts {
  readonly accountId: string;
  readonly publicKey: string;
  /** The caller's transactions, then those that joined. */
  readonly requests: readonly TransactionRequest[];
  /** How many are the caller's. */
  readonly count: number;
  /** The message that the same prompt signed. */
  readonly message?: SignedMessage | undefined;
  readonly signing: Signing;
  /** Signs all of them with the next nonces and the newest block. */
  readonly signAgain: () => Promise<Signing>;
  /** Ends the approval. */
  readonly end: () => void;
}

export class SignedBatch {
  readonly accountId: string;
  readonly publicKey: string;
  readonly requests: readonly TransactionRequest[];
  readonly message: SignedMessage | undefined;
  readonly #count: number;
  readonly #signAgain: () => Promise<Signing>;
  readonly #end: () => void;
  #signing: Signing;
  #renewing: Promise<void> | undefined;
  /** The highest index whose copy of the newest signing was handed out to be sent. */
  #highestTaken = -1;
  #hasEnded = false;

  constructor(parts: SignedBatchParts) {
    this.accountId = parts.accountId;
    this.publicKey = parts.publicKey;
    this.requests = parts.requests;
    this.message = parts.message;
    this.#count = parts.count;
    this.#signing = parts.signing;
    this.#signAgain = parts.signAgain;
    this.#end = parts.end;
    checkComplete(parts.signing.signed, parts.requests);
  }

  /** The newest copy of each of the caller's transactions. */
  get signed(): readonly SignedTransaction[] {
    return this.#signing.signed.slice(0, this.#count);
  }

  /** The newest copy of each that joined. Their nonces come last: they are sent after the others. */
  get also(): readonly SignedTransaction[] {
    return this.#signing.signed.slice(this.#count);
  }

  /** The highest nonce of the newest signing, of each lane for a gas key. */
  get lastNonces(): ReadonlyMap<number | undefined, bigint> {
    return new Map(this.#signing.signed.map((copy) => [laneOf(copy), BigInt(copy.transaction.nonce)]));
  }

  get blockHeight(): string {
    return this.#signing.blockHeight;
  }

  /** The newest copy of one, to be sent now. */
  take(index: number): SignedTransaction {
    const transaction = this.#signing.signed[index];
    if (!transaction) throw new LatchkeyError(BATCH_SIGNING_FAILED);
    this.#highestTaken = Math.max(this.#highestTaken, index);
    return transaction;
  }

  /**
   * The copy to send in place of one that the chain refused because its nonce or its block was overtaken. Signs all of
   * them again, so that their nonces stay in order; copies that were refused together share one new signing. The newer
   * copy of a transaction that the chain already took is thrown away unsent.
   */
  async retake(index: number, refused: SignedTransaction): Promise<SignedTransaction> {
    const isRenewed = this.#signing.signed[index] !== refused;
    // A later one of the newest signing has left: it would overtake this one again.
    if (!isRenewed || this.#highestTaken > index) await this.renew();
    return this.take(index);
  }

  /** Signs all of them again. */
  async renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
  }

  /** Gives back the nonces of copies that were never handed out: they will never be sent. */
  async returnUnsent(): Promise<void> {
    await this.#signing.reserved.release(this.#highestTaken + 1);
  }

  /** Ends the signer worker, and the private key with it. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#end();
  }

  async #renewOnce(): Promise<void> {
    if (this.#hasEnded) throw new LatchkeyError(WORKER_CLOSED);
    const signing = await this.#signAgain();
    checkComplete(signing.signed, this.requests);
    this.#signing = signing;
    this.#highestTaken = -1;
  }
}

function checkComplete(signed: readonly SignedTransaction[], requested: readonly TransactionRequest[]): void {
  const complete = signed.every(({ transaction, signature }) => transaction && signature);
  if (signed.length !== requested.length || !complete) throw new LatchkeyError(BATCH_SIGNING_FAILED);
}

/** As many as one approval signs. */
const MOST_KEPT = 100;

type OfWallet = Pick<FlowContext, 'store'>;

const kept = new WeakMap<FlowContext['store'], Map<string, SignedTransaction>>();

/** Keeps the latest ones until the page ends. */
export function keepSigned({ store }: OfWallet, signed: readonly SignedTransaction[]): void {
  const all = new Map([...(kept.get(store) ?? []), ...signed.map((copy) => [copy.hash, copy] as const)]);
  kept.set(store, new Map([...all].slice(-MOST_KEPT)));
}

/** The transaction of this id as it was signed here; undefined for any other. */
export function signedHere({ store }: OfWallet, transactionId: string): SignedTransaction | undefined {
  return kept.get(store)?.get(transactionId);
}

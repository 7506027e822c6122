/** What the funder's key signs, and what it costs, on nodes that lag each other: Latchkey's own sending and reading. */
import { base58 } from '@scure/base';
import { type actions, createTransaction, KeyPair, KeyPairSigner } from 'near-api-js';
import {
  createRpcClient,
  executionFailure,
  type RpcClient,
  type TransactionOutcome,
} from '../../ts/src/near/index.js';
import { noteOutcome, type SignedCopy, sendUntilTaken } from '../../ts/src/near/send.js';
import { within } from '../faults/steps.js';
import type { Network } from './network.js';

/** A nonce can be overtaken again while its transaction is signed again: the relay signs with the same key. */
const MOST_COPIES = 5;
/** A node may lag behind the one that answered a step. */
const SEEN_MS = 30_000;
const LOOK_MS = 500;
/** How many nodes are asked for their newest block: behind one address there may be several. */
const SAMPLES = 8;
/** A node that lags further than this behind our writes is out of order. In blocks; at 0.6 s a block, 12 s. */
const LAG_BLOCKS = 20;
/** How long the chain may take to make them, skipped heights included. */
const SHOWN_MS = 60_000;

type Action = ReturnType<typeof actions.transfer>;

/** The funder's key, on its own account and on those that it made. */
export class Funder {
  readonly #rpc: RpcClient;
  readonly #key: KeyPair;

  constructor({ rpcUrls, funder }: Network) {
    this.#rpc = createRpcClient({ urls: rpcUrls });
    this.#key = KeyPair.fromString(funder.privateKey);
  }

  get publicKey(): string {
    return this.#key.getPublicKey().toString();
  }

  /** Signs for this account, sends, and returns the transaction's id when it is final. Throws if its execution fails. */
  async send(signerId: string, receiverId: string, toDo: Action[]): Promise<string> {
    const settled = await sendUntilTaken(this.#rpc, {
      level: 'FINAL',
      sign: () => this.#sign(signerId, receiverId, toDo),
      mostCopies: MOST_COPIES,
    });
    if (!('outcome' in settled)) throw settled.error;
    const { outcome } = settled;
    noteOutcome(this.#rpc, outcome);
    const failure = executionFailure(outcome);
    if (failure)
      throw new Error(`The transaction ${outcome.transactionId} failed: ${JSON.stringify(failure)}`);
    return outcome.transactionId;
  }

  /**
   * Waits until nodes that lag show what was sent until now. Behind a balancer no look at one node tells that of the
   * others, so the chain's own height counts: {@link LAG_BLOCKS} more than now.
   */
  async shown(): Promise<void> {
    const height = async () => (await this.#rpc.block()).header.height;
    const until = (await height()) + LAG_BLOCKS;
    if (!(await within(SHOWN_MS, async () => (await height()) >= until, LOOK_MS)))
      throw new Error(`The chain made no ${LAG_BLOCKS} blocks within ${SHOWN_MS / 1000} s`);
  }

  /** Lets the next balances count a transaction that another key signed. */
  async see(transactionId: string, signerId: string): Promise<void> {
    let found: TransactionOutcome | null = null;
    const isFinal = async () => {
      found = await this.#rpc.transactionStatus(transactionId, signerId);
      return found?.final_execution_status === 'FINAL';
    };
    if (!(await within(SEEN_MS, isFinal, LOOK_MS)))
      throw new Error(`No node shows the end of the transaction ${transactionId}`);
    if (found) noteOutcome(this.#rpc, found);
  }

  /** In yoctoNEAR, no older than the funder's own transactions; 0 if there is no such account. */
  async balance(accountId: string): Promise<bigint> {
    // Earlier writes, such as a former run's, are at most as new as the newest block.
    await Promise.all(Array.from({ length: SAMPLES }, () => this.#rpc.block()));
    return BigInt((await this.#rpc.viewAccount(accountId, { afterWrites: true }))?.amount ?? 0);
  }

  async #sign(signerId: string, receiverId: string, toDo: Action[]): Promise<SignedCopy> {
    const view = { finality: 'optimistic', afterWrites: true } as const;
    const accessKey = await this.#rpc.viewAccessKey(signerId, this.publicKey, view);
    if (!accessKey) throw new Error(`${this.publicKey} is no key of ${signerId}`);
    const { header } = await this.#rpc.block();
    const nonce = BigInt(accessKey.nonce) + 1n;
    const blockHash = Uint8Array.from(base58.decode(header.hash));
    const key = this.#key.getPublicKey();
    const transaction = createTransaction(signerId, key, receiverId, nonce, toDo, blockHash);
    const { signedTransaction, txHash } = await new KeyPairSigner(this.#key).signTransaction(transaction);
    return { borshBytes: signedTransaction.encode(), hash: base58.encode(txHash) };
  }
}

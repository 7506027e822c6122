/** A near-api-js Account whose transactions the wallet itself sends. */
import { Account, type Provider, type SignedTransaction, type Signer } from 'near-api-js';
import { batchError } from '../client-errors.js';
import type { ActionResult } from '../types.js';
import { LatchkeySigner } from './signer.js';

type SendOne = Parameters<Account['signAndSendTransaction']>[0];
type SendMany = Parameters<Account['signAndSendTransactions']>[0];
type Response = Awaited<ReturnType<Account['signAndSendTransaction']>>;

/**
 * As near-api-js's Account, for a {@link LatchkeySigner}: a batch is one prompt, and the wallet signs an overtaken nonce
 * again inside the same approval. With another signer it is an Account.
 */
export class LatchkeyAccount extends Account {
  /** Sends with one prompt. `retries` changes nothing: no error asks the user again. */
  override async signAndSendTransaction(args: SendOne): Promise<Response> {
    const { receiverId, actions, waitUntil, throwOnFailure = true, signer = this.getSigner() } = args;
    if (!(signer instanceof LatchkeySigner)) return super.signAndSendTransaction(args);
    const [response] = await this.#send(signer, [{ receiverId, actions }], waitUntil, throwOnFailure);
    if (!response) throw new Error('The wallet gave no result');
    return response;
  }

  /** Sends a batch with one prompt, in order. A failure ends it; the error's `details.results` has the result of each. */
  override async signAndSendTransactions(args: SendMany): Promise<Response[]> {
    const { transactions, waitUntil, throwOnFailure = true, signer = this.getSigner() } = args;
    if (!(signer instanceof LatchkeySigner)) return super.signAndSendTransactions(args);
    return this.#send(signer, transactions, waitUntil, throwOnFailure);
  }

  async #send(
    signer: LatchkeySigner,
    transactions: SendMany['transactions'],
    waitUntil: SendMany['waitUntil'],
    throwOnFailure: boolean,
  ): Promise<Response[]> {
    if (transactions.length === 0) return [];
    const results = await signer.signAndSend(this.accountId, this.provider, transactions, waitUntil);
    const responses: Response[] = [];
    // In their order: the first that failed is the reason why the later ones were not sent.
    for (const result of results) responses.push(await this.#settle(signer, result, throwOnFailure, results));
    return responses;
  }

  /**
   * The chain's answer. Throws near-api-js's own error for an execution that failed, the wallet's for the rest, both with
   * the results of the whole batch.
   */
  async #settle(
    signer: Signer,
    result: ActionResult,
    throwOnFailure: boolean,
    results: readonly ActionResult[],
  ): Promise<Response> {
    if (result.result === null) throw batchError(results, result);
    const answered = new Answered(this.accountId, signer, result.result as Response);
    try {
      return await answered.signAndSendTransaction({
        receiverId: this.accountId,
        actions: [],
        throwOnFailure,
      });
    } catch (error) {
      throw error instanceof Error ? Object.assign(error, { details: { results } }) : error;
    }
  }
}

/** Judges an answer of the chain as Account does: near-api-js does not export the function. */
class Answered extends Account {
  constructor(accountId: string, signer: Signer, response: Response) {
    super(accountId, { sendTransactionUntil: async () => response } as unknown as Provider, signer);
  }

  /** It is signed and sent already. */
  override async createSignedTransaction(): Promise<SignedTransaction> {
    return {} as SignedTransaction;
  }
}

/** What the chain says about a registration: before the relay pays for it, and afterwards. */

import type { RegistryAt, RegistryCapabilities } from 'latchkey/internal/server';
import {
  executionFailure,
  noteOutcome,
  orRegistryError,
  type RpcClient,
  returnedBytes,
  sleep,
  type TransactionOutcome,
  viewVerdict,
} from 'latchkey/internal/server';
import { Refusal } from '../http/refusal.js';
import type { RegistrationRequest } from '../http/wire.js';
import type { Settler } from '../relayer/settle.js';
import type { Price } from './price.js';
import {
  CheckSchema,
  forRegistry,
  identityOf,
  logsOf,
  notVerified,
  readJson,
  reasonIn,
  VerdictSchema,
} from './registry-answer.js';

export interface ChainVerdictOptions {
  readonly registry: RegistryAt;
  readonly settler: Pick<Settler, 'notSent' | 'settled' | 'unknown'>;
  /** Forgotten when the registry refuses what it accepted before: it may ask for another deposit. */
  readonly price: Pick<Price, 'forget'>;
  readonly readCapabilities: () => Promise<RegistryCapabilities>;
}

const KEY_LIST_TRIES = 6;
const KEY_LIST_PAUSE_MS = 500;

/** Every method rejects with a {@link Refusal}. */
export class ChainVerdict {
  readonly #options: ChainVerdictOptions;

  constructor(options: ChainVerdictOptions) {
    this.#options = options;
  }

  get #rpc(): RpcClient {
    return this.#options.registry.rpc;
  }

  /** Checks for free what the transaction would be refused for. True if this registration is already on the chain. */
  async checkChain(request: RegistrationRequest): Promise<boolean> {
    const { new_account_id: accountId } = request;
    const [account, { verdict, logs }] = await Promise.all([
      this.#rpc.viewAccount(accountId, { agreed: true, finality: 'optimistic' }),
      this.#askRegistry(request),
    ]).catch((error) => {
      throw this.#options.settler.notSent(error);
    });
    // This registration may be in progress, sent by a relay that has since stopped: it will be final in a moment. The
    // verdict of a node that lags may not know of it yet.
    if ((account || verdict.user_exists) && (await this.holdsOnly(request, KEY_LIST_TRIES))) return true;
    if (account) {
      throw new Refusal('account_exists', `Account ${accountId} already exists. Choose another name.`);
    }
    if (verdict.user_exists) throw this.#underWay(accountId, null);
    if (!verdict.verified) throw notVerified(reasonIn(logs));
    return false;
  }

  /** The registry's free check of a registration. */
  async #askRegistry(request: RegistrationRequest) {
    const { registry } = this.#options;
    const { contractId } = registry.config;
    const { vrf_data, webauthn_registration, authenticator_options } = forRegistry(
      await this.#options.readCapabilities(),
      request,
    );
    const args = {
      vrf_data,
      webauthn_registration,
      ...(authenticator_options && { authenticator_options }),
    };
    const { bytes, logs } = await orRegistryError(
      registry,
      viewVerdict(
        registry.rpc,
        [contractId, 'check_can_register_user', args],
        vrf_data.block_height,
        (answer) => readJson(CheckSchema, answer.bytes)?.verified === true,
      ),
    );
    const verdict = readJson(CheckSchema, bytes);
    if (verdict) return { verdict, logs };
    const message = `${contractId} gave an answer that is not one of the registry's. Nothing was sent; tell the relay's operator.`;
    throw new Refusal('chain_rejected', message);
  }

  /** Throws unless the outcome is a registration of exactly the requested account and key. */
  async judge(request: RegistrationRequest, outcome: TransactionOutcome): Promise<void> {
    const { new_account_id: accountId } = request;
    const id = identityOf(request);
    const { transactionId: transactionHash } = outcome;
    const failure = executionFailure(outcome);
    if (failure) {
      this.#options.settler.settled(id);
      const message = 'The registration failed on the chain, and nothing was created. Try again later.';
      throw new Refusal('chain_rejected', message, {
        transactionHash,
        cause: new Error(JSON.stringify(failure)),
      });
    }
    const verdict = readJson(VerdictSchema, returnedBytes(outcome));
    if (!verdict?.verified) {
      this.#options.price.forget();
      // An account that the registry saw exists for the node that is asked next.
      noteOutcome(this.#rpc, outcome);
      const refusedAndUnseen = (error: unknown) => {
        const what = 'The registry refused, and the account cannot be read now';
        throw this.#options.settler.unknown(what, transactionHash, error);
      };
      const account = await this.#rpc.viewAccount(accountId, { agreed: true }).catch(refusedAndUnseen);
      // If it holds the requested key, an earlier transaction of the same request created it.
      if (account && (await this.#isTheirs(request, transactionHash))) return;
      if (!account) {
        // The registry reserves a name before the account exists: another transaction's may be in progress.
        const { verdict: now } = await this.#askRegistry(request).catch(refusedAndUnseen);
        this.#options.settler.settled(id);
        throw now.user_exists
          ? this.#underWay(accountId, transactionHash)
          : notVerified(reasonIn(logsOf(outcome)), transactionHash);
      }
      this.#options.settler.settled(id);
      const message = `Account ${accountId} already exists. Choose another name.`;
      throw new Refusal('account_exists', message, { transactionHash });
    }
    if (!(await this.#isTheirs(request, transactionHash))) {
      this.#options.settler.settled(id);
      const message = `Account ${accountId} was created with other keys than the requested one. Do not use it.`;
      throw new Refusal('key_mismatch', message, { transactionHash });
    }
  }

  /**
   * Like {@link holdsOnly}, for an account known to exist: if no node shows a key of it, the answer is still
   * unknown.
   */
  async #isTheirs(request: RegistrationRequest, transactionHash: string): Promise<boolean> {
    const isTheirs = await this.holdsOnly(request, KEY_LIST_TRIES, transactionHash);
    if (isTheirs !== undefined) return isTheirs;
    const what = `The keys of account ${request.new_account_id} are not visible yet`;
    throw this.#options.settler.unknown(what, transactionHash, undefined);
  }

  /**
   * Whether the account holds the requested key with full access and no other key; undefined if it shows no key. Asks
   * again, because nodes may lag.
   */
  async holdsOnly(
    request: RegistrationRequest,
    tries: number,
    transactionHash: string | null = null,
  ): Promise<boolean | undefined> {
    for (let left = tries; ; left -= 1) {
      try {
        const { keys } = await this.#rpc.viewAccessKeyList(request.new_account_id, { agreed: true });
        const [key] = keys;
        if (key) {
          const isRequested = key.public_key === request.new_public_key;
          return keys.length === 1 && isRequested && key.access_key.permission === 'FullAccess';
        }
        if (left === 1) return undefined;
      } catch (error) {
        if (left === 1)
          throw this.#options.settler.unknown('The account cannot be read now', transactionHash, error);
      }
      await sleep(KEY_LIST_PAUSE_MS);
    }
  }

  /** The name is reserved, perhaps by the same request at another relay. */
  #underWay(accountId: string, transactionHash: string | null): Refusal {
    return this.#options.settler.unknown(
      `Account ${accountId} is being registered now`,
      transactionHash,
      undefined,
    );
  }
}

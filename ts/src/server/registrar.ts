/**
 * Registration: the relay pays for a new account and its first authenticator, in one call of the registry.
 *
 * 1. Nothing is paid before a free view call has accepted the proof and the name is known to be free.
 * 2. One transaction is signed and sent. If its answer is lost, it is kept: the same request asks what became of it,
 *    and never signs a second one before that is known.
 * 3. Success is told only after finality, when the contract said verified and the new account holds the requested key
 *    and no other.
 */
import * as v from 'valibot';
import { accountIdProblem, MAX_REGISTRABLE_LENGTH } from '../account-id.js';
import {
  type AccessKeyList,
  executionFailure,
  isTransient,
  type RpcClient,
  returnedBytes,
  rpcFailure,
  type TransactionOutcome,
} from '../near/index.js';
import type { Log } from './log.js';
import { Refusal } from './refusal.js';
import type { Relayer, SignedCall } from './relayer.js';
import type { RegistrationRequest } from './wire.js';

export interface Registered {
  /** base58. Null when the registration was found done, by a transaction that this relay has no record of. */
  readonly transactionHash: string | null;
}

export interface RegistrarOptions {
  readonly rpc: RpcClient;
  readonly relayer: Relayer;
  readonly contractId: string;
  readonly initialBalanceYocto: bigint;
  readonly gas: bigint;
  readonly log: Log;
  /** How many registrations may run at a time; further ones are told to come back. Default 64. */
  readonly maxParallel?: number;
}

const METHOD = 'create_account_and_register_user';
const MAX_SIGNINGS = 8;
const MAX_REMEMBERED = 10_000;
const COST_FRESH_MS = 300_000;
const KEY_LIST_TRIES = 6;
const KEY_LIST_PAUSE_MS = 500;
const RETRY_AFTER_SECONDS = 5;

const CheckSchema = v.object({ verified: v.boolean(), user_exists: v.boolean() });
const VerdictSchema = v.object({ verified: v.boolean() });
/** yoctoNEAR, below 0.1 NEAR: what a faulty node says must not empty the relayer. */
const CostSchema = v.pipe(v.string(), v.regex(/^\d{1,23}$/));

export class Registrar {
  readonly #options: RegistrarOptions;
  readonly #running = new Map<string, { readonly publicKey: string; readonly result: Promise<Registered> }>();
  /** Sent, and not known what became of it. */
  readonly #unsettled = new Map<string, SignedCall>();
  /** Done by this relay, with its transaction. The chain is asked whether it still stands. */
  readonly #done = new Map<string, Registered>();
  #cost: { readonly yocto: bigint; readonly at: number } | undefined;

  constructor(options: RegistrarOptions) {
    this.#options = options;
  }

  /**
   * Registers, and answers when it is final. The same request (account and key) made again, during or after, gets the
   * same answer and costs nothing. Rejects with a {@link Refusal}.
   */
  register(request: RegistrationRequest, requestId: string): Promise<Registered> {
    const { new_account_id: accountId, new_public_key: publicKey } = request;
    const running = this.#running.get(accountId);
    if (running?.publicKey === publicKey) return running.result;
    if (running) {
      return refuse(
        'account_exists',
        `Account ${accountId} is being registered by someone else. Choose another name.`,
      );
    }
    const id = identityOf(request);
    const isNew = !this.#unsettled.has(id) && !this.#done.has(id);
    if (isNew && this.#running.size >= (this.#options.maxParallel ?? 64)) {
      const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
      return refuse(
        'too_many_requests',
        'Too many registrations at a time. Try again in a few seconds.',
        retry,
      );
    }
    const result = this.#register(request, requestId).finally(() => this.#running.delete(accountId));
    this.#running.set(accountId, { publicKey, result });
    return result;
  }

  /** Resolves when no registration runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.allSettled([...this.#running.values()].map(({ result }) => result));
    }
  }

  async #register(request: RegistrationRequest, requestId: string): Promise<Registered> {
    const id = identityOf(request);
    const { new_account_id: accountId } = request;
    const done = this.#done.get(id);
    if (done && (await this.#holdsOnly(request, 1, done.transactionHash))) return done;
    this.#done.delete(id);
    if (!this.#unsettled.has(id)) {
      this.#checkNames(request);
      const isDone = await this.#checkChain(request);
      if (isDone) return this.#remember(id, { transactionHash: null });
    }
    const outcome = await this.#send(id, request, requestId);
    await this.#judge(request, outcome);
    this.#unsettled.delete(id);
    this.#options.log.info('registered', { requestId, accountId, transactionHash: outcome.transactionId });
    return this.#remember(id, { transactionHash: outcome.transactionId });
  }

  #checkNames({ new_account_id: accountId, vrf_data }: RegistrationRequest): void {
    const { contractId } = this.#options;
    const problem = accountIdProblem(accountId);
    if (problem) throw new Refusal('invalid_request', `new_account_id: ${problem}`);
    const [, ...parent] = accountId.split('.');
    if (parent.join('.') !== contractId) {
      throw new Refusal('invalid_request', `new_account_id must be of the form <name>.${contractId}`);
    }
    if (accountId.length > MAX_REGISTRABLE_LENGTH) {
      throw new Refusal(
        'invalid_request',
        `new_account_id must have at most ${MAX_REGISTRABLE_LENGTH} characters`,
      );
    }
    if (vrf_data.user_id !== accountId) {
      throw new Refusal('invalid_request', 'vrf_data.user_id must be new_account_id');
    }
  }

  /** Asks for free what the transaction would be refused for. True when this registration is on the chain already. */
  async #checkChain(request: RegistrationRequest): Promise<boolean> {
    const { rpc, contractId } = this.#options;
    const { new_account_id: accountId, vrf_data, webauthn_registration, authenticator_options } = request;
    const [account, check] = await Promise.all([
      rpc.viewAccount(accountId, { finality: 'optimistic' }),
      rpc.callFunction(
        contractId,
        'check_can_register_user',
        { vrf_data, webauthn_registration, ...(authenticator_options && { authenticator_options }) },
        // A node that lags does not know the challenge's block yet; the next one may.
        { finality: 'optimistic', accept: ({ bytes }) => readJson(CheckSchema, bytes)?.verified === true },
      ),
    ]).catch((error) => {
      throw this.#notSent(error);
    });
    const verdict = readJson(CheckSchema, check.bytes);
    if (!verdict) {
      throw new Refusal('chain_rejected', `${contractId} gave an answer that is not one of the registry's.`);
    }
    // This very registration may be under way, sent by a relay that has ended since: it is final in a moment.
    if (verdict.user_exists && (await this.#holdsOnly(request, KEY_LIST_TRIES))) return true;
    if (account) {
      throw new Refusal('account_exists', `Account ${accountId} already exists. Choose another name.`);
    }
    if (verdict.user_exists) {
      throw new Refusal('account_exists', `Account ${accountId} is being registered. Choose another name.`);
    }
    if (!verdict.verified) throw notVerified(check.logs);
    return false;
  }

  async #send(id: string, request: RegistrationRequest, requestId: string): Promise<TransactionOutcome> {
    const { rpc, relayer, log } = this.#options;
    for (let signing = 1; ; signing += 1) {
      const kept = this.#unsettled.get(id);
      const call = kept ?? (await this.#sign(request));
      this.#keepUnsettled(id, call);
      log.info('registration_sent', {
        requestId,
        transactionHash: call.hash,
        isRepeated: kept !== undefined,
      });
      try {
        return await rpc.sendTransaction(call.bytes, 'FINAL', { wasSentBefore: kept !== undefined });
      } catch (error) {
        const failure = rpcFailure(error);
        if (failure?.kind !== 'invalid_transaction') {
          // Nothing left this machine, unless it did so at an earlier try.
          if (failure?.notDelivered && !kept) {
            this.#unsettled.delete(id);
            throw this.#notSent(error);
          }
          const what = 'The registration was sent, but the chain did not say what became of it';
          throw this.#unknown(what, call.hash, error);
        }
        this.#unsettled.delete(id);
        log.warn('registration_refused', { requestId, transactionHash: call.hash, reason: failure.reason });
        const isCured = await relayer.learn(call, failure).catch((cause) => {
          throw this.#notSent(cause);
        });
        if (!isCured || signing === MAX_SIGNINGS) throw this.#notTaken(failure.reason, error);
      }
    }
  }

  async #sign(request: RegistrationRequest): Promise<SignedCall> {
    const { relayer, contractId, gas, initialBalanceYocto } = this.#options;
    const { device_number: _, ...args } = request;
    try {
      const depositYocto = initialBalanceYocto + (await this.#registrationCost());
      return await relayer.sign({
        receiverId: contractId,
        methodName: METHOD,
        args: JSON.stringify(args),
        gas,
        depositYocto,
      });
    } catch (error) {
      throw this.#notSent(error);
    }
  }

  async #registrationCost(): Promise<bigint> {
    if (!this.#cost || Date.now() - this.#cost.at > COST_FRESH_MS) {
      const { rpc, contractId } = this.#options;
      const yocto = await rpc.callFunctionJson(CostSchema, contractId, 'get_registration_cost');
      this.#cost = { yocto: BigInt(yocto), at: Date.now() };
    }
    return this.#cost.yocto;
  }

  /** Throws unless the outcome is a registration of exactly what was requested. */
  async #judge(request: RegistrationRequest, outcome: TransactionOutcome): Promise<void> {
    const { new_account_id: accountId } = request;
    const id = identityOf(request);
    const { transactionId: transactionHash } = outcome;
    const failure = executionFailure(outcome);
    if (failure) {
      this.#unsettled.delete(id);
      const message = 'The registration failed on the chain, and nothing was created. Try again later.';
      throw new Refusal('chain_rejected', message, {
        transactionHash,
        cause: new Error(JSON.stringify(failure)),
      });
    }
    const verdict = readJson(VerdictSchema, returnedBytes(outcome));
    if (!verdict?.verified) {
      this.#cost = undefined;
      const account = await this.#options.rpc.viewAccount(accountId).catch((error) => {
        throw this.#unknown(
          'The registry refused, and the account cannot be looked at now',
          transactionHash,
          error,
        );
      });
      // With the requested key, an earlier transaction of this very request made it.
      if (account && (await this.#holdsOnly(request, 1, transactionHash))) return;
      this.#unsettled.delete(id);
      if (!account) throw notVerified(logsOf(outcome), transactionHash);
      const message = `Account ${accountId} already exists. Choose another name.`;
      throw new Refusal('account_exists', message, { transactionHash });
    }
    if (!(await this.#holdsOnly(request, KEY_LIST_TRIES, transactionHash))) {
      const message = `Account ${accountId} was created with other keys than the requested one. Do not use it.`;
      throw new Refusal('key_mismatch', message, { transactionHash });
    }
  }

  /** Whether the account holds the requested key with full access, and no other key. A node that lags is asked again. */
  async #holdsOnly(
    request: RegistrationRequest,
    tries: number,
    transactionHash: string | null = null,
  ): Promise<boolean> {
    for (let left = tries; ; left -= 1) {
      try {
        const keys = await this.#keysOf(request.new_account_id);
        const [key] = keys;
        if (keys.length > 0 || left === 1) {
          const isRequested = key?.public_key === request.new_public_key;
          return keys.length === 1 && isRequested && key.access_key.permission === 'FullAccess';
        }
      } catch (error) {
        if (left === 1) throw this.#unknown('The account cannot be looked at now', transactionHash, error);
      }
      await new Promise((resolve) => setTimeout(resolve, KEY_LIST_PAUSE_MS));
    }
  }

  async #keysOf(accountId: string): Promise<AccessKeyList['keys']> {
    try {
      return (await this.#options.rpc.viewAccessKeyList(accountId)).keys;
    } catch (error) {
      if (rpcFailure(error)?.kind === 'unknown_account') return [];
      throw error;
    }
  }

  /** An error before anything was sent. */
  #notSent(error: unknown): Refusal {
    const failure = rpcFailure(error);
    if (failure && isTransient(failure)) {
      const message = 'The chain cannot be reached now. Nothing was sent; try again in a few seconds.';
      return new Refusal('chain_unreachable', message, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    }
    return new Refusal('chain_rejected', 'The chain refused to prepare the registration. Nothing was sent.', {
      cause: error,
    });
  }

  #unknown(what: string, transactionHash: string | null, cause: unknown): Refusal {
    const message = `${what}. Ask again with the same request: it is not paid for twice.`;
    return new Refusal('outcome_unknown', message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
      ...(transactionHash && { transactionHash }),
    });
  }

  /** The chain refused the transaction for good. */
  #notTaken(reason: string | undefined, cause: unknown): Refusal {
    if (reason === 'NotEnoughBalance' || reason === 'LackBalanceForState') {
      this.#options.log.error('relayer_unfunded', { accountId: this.#options.relayer.accountId });
      const message = `The relay has run out of funds. Its operator must fund ${this.#options.relayer.accountId}.`;
      return new Refusal('relayer_unfunded', message, { retryAfterSeconds: 60, cause });
    }
    const message = 'The chain did not take the registration, and nothing was created. Try again later.';
    return new Refusal('chain_rejected', message, { cause });
  }

  #keepUnsettled(id: string, call: SignedCall): void {
    this.#unsettled.set(id, call);
    dropOldest(this.#unsettled);
  }

  #remember(id: string, registered: Registered): Registered {
    this.#done.set(id, registered);
    dropOldest(this.#done);
    return registered;
  }
}

function identityOf({ new_account_id, new_public_key }: RegistrationRequest): string {
  return `${new_account_id}|${new_public_key}`;
}

function refuse(...args: ConstructorParameters<typeof Refusal>): Promise<never> {
  return Promise.reject(new Refusal(...args));
}

function dropOldest(map: Map<string, unknown>): void {
  if (map.size <= MAX_REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

/** The registry logs why it refuses: `refused: <reason>`. */
function notVerified(logs: readonly string[], transactionHash?: string): Refusal {
  const reason = logs
    .map((line) => /^refused: (.{1,300})/.exec(line)?.[1])
    .find((text) => text !== undefined);
  const message = `The registry did not accept this passkey${reason ? `: ${reason}` : ''}. Start the registration again.`;
  return new Refusal('not_verified', message, transactionHash ? { transactionHash } : {});
}

function logsOf(outcome: TransactionOutcome): string[] {
  return outcome.receipts_outcome?.flatMap((receipt) => receipt.outcome.logs) ?? [];
}

function readJson<S extends v.GenericSchema>(schema: S, bytes: Uint8Array | null): v.InferOutput<S> | null {
  try {
    return v.parse(schema, JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())));
  } catch {
    return null;
  }
}

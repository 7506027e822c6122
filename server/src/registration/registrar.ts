/**
 * Registration: the relay pays for a new account and its first authenticator, in one call of the registry.
 *
 * 1. Asks no node before names, voucher and proof have passed, which this process checks alone; pays nothing before a
 *    free view call has accepted the proof and shown that the name is free.
 * 2. Signs and sends one transaction. If its answer is lost, keeps it: the same request asks for its outcome, and no
 *    second transaction is signed before that is known.
 * 3. Reports success only after finality, if the contract answered verified and the new account holds the requested
 *    key and no other.
 */

import type {
  RegistryAt,
  RegistryCapabilities,
  RpcClient,
  TransactionOutcome,
} from 'latchkey/internal/server';
import {
  accountIdProblem,
  isDirectChildOf,
  MAX_REGISTRABLE_LENGTH,
  messageOf,
  readCapabilities,
  rulesBelow,
} from 'latchkey/internal/server';
import { toClientKey, UNKNOWN } from '../http/client-address.js';
import { Refusal, type RefusalCode } from '../http/refusal.js';
import { Slots } from '../http/slots.js';
import type { RegistrationRequest } from '../http/wire.js';
import type { Log } from '../observe/log.js';
import type { RelayMetrics } from '../observe/metrics.js';
import type { Secret } from '../platform/secret.js';
import type { JobStore } from '../relayer/jobs.js';
import { Once } from '../relayer/once.js';
import type { Relayer } from '../relayer/relayer.js';
import { type Payment, Settler } from '../relayer/settle.js';
import type { Shares } from '../relayer/shares.js';
import { createJointSpendMeter, type SpendMeter } from '../relayer/spend.js';
import { ChainVerdict } from './chain-verdict.js';
import { Price } from './price.js';
import { forRegistry, identityOf, notVerified, sentBack } from './registry-answer.js';
import type { Signup, SignupGate } from './signup.js';

export interface Registered {
  /** base58. Null for a registration found complete, by a transaction that this relay has no record of. */
  readonly transactionHash: string | null;
}

/** The client that asks for a registration. */
export interface Registrant {
  /** The client's IP address; undefined if nothing shows one. */
  readonly address?: string | undefined;
  readonly voucher?: Secret | undefined;
}

export interface RegistrarOptions {
  readonly rpc: RpcClient;
  readonly relayer: Pick<Relayer, 'accountId' | 'sign' | 'learn'>;
  readonly spend: SpendMeter;
  /** Default: none; a client may spend all that `spend` allows. */
  readonly shares?: Shares | null | undefined;
  /** Default: none; anyone may register. */
  readonly signup?: SignupGate | null | undefined;
  /** Default: none; the registry alone judges a proof. */
  readonly checkProof?: CheckProof | null | undefined;
  /** Default: no other relay works on this one's registrations. */
  readonly jobs?: JobStore | null | undefined;
  readonly contractId: string;
  readonly initialBalanceYocto: bigint;
  readonly gas: bigint;
  readonly log: Log;
  readonly metrics: RelayMetrics;
  /**
   * Maximum number of parallel registrations, a quarter of them for one network; further ones are refused with
   * Retry-After. Default 64.
   */
  readonly maxParallel?: number | undefined;
}

/** Why no registry accepts the request's proof, in the registry's words; undefined if only the registry can tell. */
export type CheckProof = (request: RegistrationRequest) => string | undefined;

const METHOD = 'create_account_and_register_user';

export class Registrar {
  readonly #options: RegistrarOptions;
  readonly #settler: Settler;
  readonly #registry: RegistryAt;
  readonly #verdict: ChainVerdict;
  readonly #slots: Slots;
  /** What this relay completed, with the transaction, is checked against the chain before reuse. */
  readonly #once = new Once<Registered>();
  /** For each name, the last of its queued registrations. */
  readonly #latest = new Map<string, Promise<Registered>>();
  /** What a registration costs. */
  readonly price: Price;

  constructor(options: RegistrarOptions) {
    this.#options = options;
    const { rpc, relayer, spend, log, contractId, jobs = null, maxParallel = 64 } = options;
    this.#slots = new Slots(maxParallel, 'registrations');
    const warn = (text: string) => log.warn('registry_protects_less', { text });
    this.#registry = { rpc, config: { contractId, logger: { warn } } };
    this.price = new Price(this.#registry, options, () => this.readCapabilities());
    this.#settler = new Settler({
      rpc,
      relayer,
      spend,
      log,
      noun: 'registration',
      jobs,
      keptDeposit: (outcome, depositYocto) => this.#keptDeposit(outcome, depositYocto),
    });
    this.#verdict = new ChainVerdict({
      registry: this.#registry,
      settler: this.#settler,
      price: this.price,
      readCapabilities: () => this.readCapabilities(),
    });
  }

  /**
   * Registers, and resolves once final. The same request (account and key), repeated during or after, gets the same
   * answer at no cost. Rejects with a {@link Refusal}.
   */
  register(
    request: RegistrationRequest,
    requestId: string,
    registrant: Registrant = {},
  ): Promise<Registered> {
    const id = identityOf(request);
    const running = this.#once.running(id);
    return running ?? this.#once.run(id, this.#findOrRegister(request, requestId, registrant));
  }

  /** Whether this request (account and key) is running, unsettled or done, so that repeating it costs nothing. */
  knows(request: RegistrationRequest): boolean {
    const id = identityOf(request);
    const known = this.#once.running(id) ?? this.#once.done(id);
    return known !== undefined || this.#settler.isUnsettled(id);
  }

  /** Resolves once no registration is running. */
  idle(): Promise<void> {
    return this.#once.idle();
  }

  /**
   * Learns which registry this is. Throws a `chain_rejected` refusal that names one that the relay cannot use, and
   * another refusal while the chain does not answer.
   */
  async readCapabilities(): Promise<RegistryCapabilities> {
    try {
      return await readCapabilities(this.#registry);
    } catch (error) {
      throw this.#settler.notSent(error);
    }
  }

  /** Ends registrations that killed relays left. Rejects with a {@link Refusal} while their store cannot be used. */
  sweep(): Promise<void> {
    return this.#settler.sweep();
  }

  /** The ids of sent transactions with an unknown outcome. */
  unfinished(): string[] {
    return this.#settler.unfinished();
  }

  async #findOrRegister(
    request: RegistrationRequest,
    requestId: string,
    registrant: Registrant,
  ): Promise<Registered> {
    const id = identityOf(request);
    const done = this.#once.done(id);
    if (done && (await this.#verdict.holdsOnly(request, 1, done.transactionHash))) return done;
    this.#once.forget(id);
    if (this.#settler.isUnsettled(id)) return this.#inTurn(request, requestId, registrant);
    await this.#screen(request, registrant).catch((error) => this.#measured(Promise.reject(error)));
    const leave = this.#slots.take(registrant.address);
    return this.#inTurn(request, requestId, registrant).finally(leave);
  }

  /** Checks what costs no call of a node, unless any relay has sent this registration already. */
  async #screen(request: RegistrationRequest, registrant: Registrant): Promise<void> {
    const { signup, checkProof, contractId } = this.#options;
    checkNames(request, contractId);
    if (await this.#settler.isOpen(identityOf(request))) return;
    await signup?.screen(signupOf(request, registrant));
    const problem = checkProof?.(request);
    if (problem !== undefined) throw notVerified(problem);
  }

  /** Rivals for one name take turns: whether it is free is unknown until the first one ends. */
  #inTurn(request: RegistrationRequest, requestId: string, registrant: Registrant): Promise<Registered> {
    const { new_account_id: accountId } = request;
    const result = Promise.allSettled([this.#latest.get(accountId)])
      .then(() => this.#measured(this.#register(request, requestId, registrant)))
      .finally(() => {
        if (this.#latest.get(accountId) === result) this.#latest.delete(accountId);
      });
    this.#latest.set(accountId, result);
    return result;
  }

  async #measured(registering: Promise<Registered>): Promise<Registered> {
    const { metrics } = this.#options;
    const start = performance.now();
    let outcome: 'registered' | RefusalCode = 'internal';
    metrics.registrationStarted();
    try {
      const registered = await registering;
      outcome = 'registered';
      return registered;
    } catch (error) {
      if (error instanceof Refusal) outcome = error.code;
      throw error;
    } finally {
      metrics.registrationEnded(outcome, (performance.now() - start) / 1000);
    }
  }

  async #register(
    request: RegistrationRequest,
    requestId: string,
    registrant: Registrant,
  ): Promise<Registered> {
    const id = identityOf(request);
    const { new_account_id: accountId } = request;
    if (!(await this.#settler.isOpen(id))) {
      const isDone = await this.#verdict.checkChain(request);
      if (isDone) return this.#once.remember(id, { transactionHash: null });
    }
    let admitted: Promise<SpendMeter> | undefined;
    const outcome = await this.#settler.send(id, requestId, async () => {
      const payment = await this.#prepare(request);
      admitted ??= this.#admit(request, registrant);
      return { ...payment, spend: await admitted };
    });
    await this.#verdict.judge(request, outcome);
    this.#settler.settled(id, 'done');
    this.#options.log.info('registered', { requestId, accountId, transactionHash: outcome.transactionId });
    return this.#once.remember(id, { transactionHash: outcome.transactionId });
  }

  async #prepare(request: RegistrationRequest): Promise<Payment> {
    const { relayer, contractId, gas } = this.#options;
    const capabilities = await this.readCapabilities();
    const { device_number: _, ...args } = forRegistry(capabilities, request);
    const { depositYocto, mostYocto } = await this.price.read();
    const call = {
      receiverId: contractId,
      methodName: METHOD,
      args: JSON.stringify(args),
      gas,
      depositYocto,
    };
    return { mostYocto, depositYocto, sign: () => relayer.sign(call) };
  }

  /** The deposit, unless the outcome says that it returned. A registry that does not answer now says nothing. */
  async #keptDeposit(outcome: TransactionOutcome, depositYocto: bigint): Promise<bigint> {
    const { contractId, log } = this.#options;
    const capabilities = await this.readCapabilities().catch((error: unknown) => {
      log.warn('deposit_unread', { transactionHash: outcome.transactionId, reason: messageOf(error) });
      return null;
    });
    return capabilities && sentBack(outcome, contractId, capabilities) ? 0n : depositYocto;
  }

  /** Asks the operator's hook; the meters on which the registration then counts. */
  async #admit(request: RegistrationRequest, registrant: Registrant): Promise<SpendMeter> {
    const { signup, shares, spend } = this.#options;
    const once = await signup?.admit(signupOf(request, registrant));
    const share = shares?.(toClientKey(registrant.address ?? '') ?? UNKNOWN);
    return createJointSpendMeter([once, share, spend].filter((meter) => meter !== undefined));
  }
}

/** Throws a refusal unless the request names an account that the registry can create. */
function checkNames({ new_account_id: accountId, vrf_data }: RegistrationRequest, contractId: string): void {
  const problem = accountIdProblem(accountId, rulesBelow(contractId));
  if (problem) throw new Refusal('invalid_request', `new_account_id: ${problem}`);
  if (!isDirectChildOf(accountId, contractId)) {
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

function signupOf(
  { new_account_id: accountId, new_public_key: publicKey }: RegistrationRequest,
  { address, voucher }: Registrant,
): Signup {
  return { accountId, publicKey, address, voucher };
}

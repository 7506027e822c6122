/**
 * Delegates (NEP-366): the relay pays for a transaction that a user's account has signed.
 *
 * 1. The relay reads the bytes as strictly as the chain does, and checks the policy and the sender's signature.
 * 2. It asks the chain, for free, whether the chain would execute the delegate: key, nonce and time.
 * 3. It signs and sends one transaction. If the answer is lost, the same delegate asks for the outcome.
 * 4. It reports success only after finality, when the delegate's own receipt has succeeded: the transaction's status
 *    only says that the chain accepted the delegate.
 */
import { base58, base64urlnopad } from '@scure/base';
import {
  type AccessKeyView,
  actionErrorKind,
  type DelegateFailure,
  delegateEnd,
  describeChainError,
  isDelegateRefused,
  NONCES_PER_BLOCK,
  type RpcClient,
  rpcFailure,
} from 'latchkey/internal/server';
import * as v from 'valibot';
import { Refusal, type RefusalOptions } from '../http/refusal.js';
import { Slots } from '../http/slots.js';
import type { SignedDelegateRequest } from '../http/wire.js';
import type { Log } from '../observe/log.js';
import type { JobStore } from '../relayer/jobs.js';
import { KeyQueues } from '../relayer/key-queue.js';
import type { MeterFor } from '../relayer/meters.js';
import { Once } from '../relayer/once.js';
import type { Relayer } from '../relayer/relayer.js';
import { type Payment, Settler, type SettlerOptions } from '../relayer/settle.js';
import { createJointSpendMeter, type SpendMeter } from '../relayer/spend.js';
import { isSignatureValid, readSignedDelegate, type SignedDelegate } from './delegate-codec.js';
import { checkPolicy, type DelegatePolicy, depositOf, mostYoctoOf } from './delegate-policy.js';
import { meterOfSender } from './sender-spend.js';

export interface Delegated {
  /** base58: the transaction that carried the delegate. */
  readonly transactionHash: string;
}

export interface DelegatorOptions {
  readonly rpc: RpcClient;
  readonly relayer: Pick<Relayer, 'accountId' | 'signDelegate' | 'learn'>;
  readonly policy: DelegatePolicy;
  /** The relay's meter: delegates count on it as well as on the caps of their own policy. */
  readonly spend: SpendMeter;
  /** The meters of the caps that the policy names. */
  readonly meterFor: MeterFor;
  /** Default: no other relay works on this one's delegates. */
  readonly jobs?: JobStore | null | undefined;
  readonly log: Log;
  /** How many keys may have delegates running, a quarter of them for one network; a delegate of a further key is refused for now. Default 64. */
  readonly maxParallel?: number | undefined;
}

/** Delegates of one key run one after the other. At most this many may run and wait. */
const MAX_OF_ONE_KEY = 8;
/** Blocks between the relay's look at the chain and the block that executes the delegate. */
const MIN_BLOCKS_LEFT = 10n;
/** As long as a transaction's block hash is valid. A delegate that is valid for longer is a blank cheque. */
const MAX_BLOCKS_LEFT = 86_400n;
const MAX_REASON_LENGTH = 300;

const FunctionCallPermissionSchema = v.object({
  FunctionCall: v.object({ receiver_id: v.string(), method_names: v.array(v.string()) }),
});

/** Settles delegates. A relay without a policy for them only ends those of an earlier one. */
export const createDelegateSettler = (options: Omit<SettlerOptions, 'noun' | 'keptDeposit'>): Settler =>
  new Settler({
    ...options,
    noun: 'delegate',
    // The chain returns a failed delegate's deposits to its sender, except when it refused the delegate itself.
    keptDeposit: (outcome, depositYocto) => (isDelegateRefused(outcome) ? 0n : depositYocto),
  });

export class Delegator {
  readonly #options: DelegatorOptions;
  readonly #settler: Settler;
  readonly #once = new Once<Delegated>();
  readonly #queues = new KeyQueues();
  readonly #slots: Slots;
  /** Meters a sender's spending against its own cap, the cap of all delegates, and the relay's. */
  readonly #meterOf: (senderId: string) => SpendMeter;

  constructor(options: DelegatorOptions) {
    this.#options = options;
    const { rpc, relayer, policy, spend, meterFor, jobs = null, log, maxParallel = 64 } = options;
    this.#slots = new Slots(maxParallel, 'delegates');
    this.#settler = createDelegateSettler({ rpc, relayer, spend, log, jobs });
    const all = meterFor('delegates', { capYocto: policy.spendCapYocto, log });
    this.#meterOf = (senderId) =>
      createJointSpendMeter([meterOfSender(meterFor, senderId, policy.senderCapYocto), all, spend]);
  }

  /**
   * Carries out a delegate and resolves when it is final. The same delegate, posted again during or after that, gets
   * the same answer and costs nothing. `address` is the client's, undefined if nothing shows one. Rejects with a
   * {@link Refusal}.
   */
  async relay(request: SignedDelegateRequest, requestId: string, address?: string): Promise<Delegated> {
    const delegate = readSignedDelegate(request.signedDelegate);
    const { hash: id } = delegate;
    if (request.hash !== id && request.hash !== base64urlnopad.encode(base58.decode(id))) {
      throw new Refusal('invalid_request', 'hash is not the NEP-461 hash of signedDelegate.');
    }
    checkPolicy(this.#options.policy, delegate);
    if (!isSignatureValid(delegate)) {
      throw new Refusal('not_verified', "The signature over this delegate is not by the sender's key.");
    }
    const known = this.#once.running(id) ?? this.#once.done(id);
    return known ?? this.#enqueue(id, delegate, requestId, address);
  }

  /** Resolves when no delegate is running. */
  idle(): Promise<void> {
    return this.#once.idle();
  }

  /** Ends delegates that killed relays left. Rejects with a {@link Refusal} while their store cannot be used. */
  sweep(): Promise<void> {
    return this.#settler.sweep();
  }

  /** The ids of sent transactions whose outcome is unknown. */
  unfinished(): string[] {
    return this.#settler.unfinished();
  }

  #enqueue(id: string, delegate: SignedDelegate, requestId: string, address?: string): Promise<Delegated> {
    const key = `${delegate.senderId}|${delegate.publicKey}`;
    if (this.#queues.length(key) >= MAX_OF_ONE_KEY) {
      throw new Refusal('too_many_requests', 'Too many delegates at a time. Try again in a few seconds.');
    }
    // Only running delegates take a place from other keys: a few keys with long queues shut no other key out.
    const take = () => this.#slots.take(address);
    const carryOut = () => this.#carryOut(id, delegate, requestId);
    return this.#once.run(id, this.#queues.run(key, delegate.nonce, carryOut, take));
  }

  async #carryOut(id: string, delegate: SignedDelegate, requestId: string): Promise<Delegated> {
    const outcome = await this.#settler
      .send(id, requestId, () => this.#prepare(delegate))
      .catch((error: unknown) => {
        throw malformedActions(error) ?? error;
      });
    const { transactionId: transactionHash } = outcome;
    const end = delegateEnd(outcome);
    if (end.kind === 'untold') {
      throw this.#settler.unknown(
        'The chain did not report how the delegate ended',
        transactionHash,
        undefined,
      );
    }
    this.#settler.settled(id, end.kind === 'failed' ? 'failed' : 'done');
    if (end.kind === 'failed') throw failed(end.failure, transactionHash);
    const { senderId, receiverId } = delegate;
    this.#options.log.info('delegated', { requestId, senderId, receiverId, transactionHash });
    return this.#once.remember(id, { transactionHash });
  }

  /** Finds, for free, each reason for which the chain would refuse the delegate. */
  async #checkChain({ senderId, publicKey, ...delegate }: SignedDelegate): Promise<void> {
    // The chain takes the nonce only above this block, so the key's nodes are there, even if ours lag.
    const heldAt = Number(delegate.nonce / NONCES_PER_BLOCK) + 1;
    const key = await this.#readKey(senderId, publicKey, heldAt);
    if (!key) {
      throw new Refusal('not_verified', `${publicKey} is not an access key of ${senderId} on this chain.`);
    }
    const height = BigInt(key.block_height);
    if (delegate.nonce <= BigInt(key.nonce)) throw nonceUsed();
    if (delegate.nonce >= height * NONCES_PER_BLOCK) {
      throw new Refusal('invalid_request', "The delegate's nonce is larger than the chain accepts.");
    }
    const blocksLeft = delegate.maxBlockHeight - height;
    if (blocksLeft < MIN_BLOCKS_LEFT) throw expired();
    if (blocksLeft > MAX_BLOCKS_LEFT) {
      const message = `The delegate is valid for more than ${MAX_BLOCKS_LEFT} blocks. Sign it with a lower maxBlockHeight.`;
      throw new Refusal('invalid_request', message);
    }
    checkPermission(key, delegate);
  }

  async #readKey(senderId: string, publicKey: string, heldAt: number): Promise<AccessKeyView | null> {
    try {
      const view = { agreed: true, finality: 'optimistic', certain: true, heldAt } as const;
      return await this.#options.rpc.viewAccessKey(senderId, publicKey, view);
    } catch (error) {
      throw this.#settler.notSent(error);
    }
  }

  async #prepare(delegate: SignedDelegate): Promise<Payment> {
    await this.#checkChain(delegate);
    return {
      mostYocto: mostYoctoOf(delegate.actions),
      depositYocto: depositOf(delegate.actions),
      spend: this.#meterOf(delegate.senderId),
      sign: () => this.#options.relayer.signDelegate(delegate),
    };
  }
}

/** Allows what the chain allows a function-call key (nearcore, `check_permission`). */
function checkPermission(
  { permission }: AccessKeyView,
  { receiverId, actions }: Pick<SignedDelegate, 'receiverId' | 'actions'>,
): void {
  if (permission === 'FullAccess') return;
  const [action, ...others] = actions;
  // The relay does not know newer permissions (gas keys) and lets them do nothing.
  const { success, output } = v.safeParse(FunctionCallPermissionSchema, permission);
  const isAllowed =
    success &&
    others.length === 0 &&
    action?.kind === 'FunctionCall' &&
    action.depositYocto === 0n &&
    output.FunctionCall.receiver_id === receiverId &&
    (output.FunctionCall.method_names.length === 0 ||
      output.FunctionCall.method_names.includes(action.methodName ?? ''));
  if (!isAllowed) {
    throw new Refusal(
      'not_allowed',
      "The sender's access key does not permit these actions. Sign with another key.",
    );
  }
}

/** A refusal when the chain's error says that it accepts no such actions, such as a call without gas. */
function malformedActions(error: unknown): Refusal | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const failure = rpcFailure(error.cause);
  if (failure?.reason !== 'ActionsValidation') return undefined;
  const reason = describeChainError(failure.info);
  return new Refusal('invalid_request', `The chain does not accept these actions: ${reason}`, {
    cause: error.cause,
  });
}

function failed(failure: DelegateFailure, transactionHash: string): Refusal {
  const reason = JSON.stringify(failure);
  const cause = new Error(reason);
  switch (actionErrorKind(failure)) {
    case 'DelegateActionInvalidNonce':
      return nonceUsed({ transactionHash, cause });
    case 'DelegateActionExpired':
      return expired({ transactionHash, cause });
    default: {
      const message = `The chain took the delegate, but its actions failed: ${reason.slice(0, MAX_REASON_LENGTH)}`;
      return new Refusal('delegate_failed', message, { transactionHash, cause });
    }
  }
}

function nonceUsed(options?: RefusalOptions): Refusal {
  const message =
    'A delegate with this nonce or a higher one was carried out already. Unless it was this one, sign it again with the next nonce.';
  return new Refusal('nonce_used', message, options);
}

function expired(options?: RefusalOptions): Refusal {
  const message =
    'The delegate has expired, or will before the chain gets to it. Sign it with a higher maxBlockHeight.';
  return new Refusal('delegate_expired', message, options);
}

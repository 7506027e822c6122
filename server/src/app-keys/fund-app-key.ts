/**
 * App keys: the relay pays into a gas key of an account, in one TransferToGasKey.
 *
 * 1. The relay checks the voucher, alone. The app's server signed in it for which account and how much; it pays once.
 * 2. It reads the key on the chain: a gas key that may only call one contract, and not fuller than the chain can delete.
 * 3. It signs and sends one transaction. If the answer is lost, the same request asks for the outcome.
 * 4. It reports success only after finality.
 *
 * The money is given: the account can withdraw it from its key at any time. So all of it counts as spent.
 */
import {
  type AccessKeyView,
  executionFailure,
  gasKeyView,
  isFullAccessView,
  type RpcClient,
  writeNear,
} from 'latchkey/internal/server';
import { Refusal } from '../http/refusal.js';
import { Slots } from '../http/slots.js';
import type { FundAppKeyRequest } from '../http/wire.js';
import type { Log } from '../observe/log.js';
import type { Secret } from '../platform/secret.js';
import { shortHash } from '../registration/hash.js';
import type { SingleUse, SingleUses } from '../registration/single-use.js';
import { judgeFundVoucher, type VoucherPublicKey } from '../registration/voucher.js';
import type { JobStore } from '../relayer/jobs.js';
import { type MeterFor, meterOfOne } from '../relayer/meters.js';
import { Once } from '../relayer/once.js';
import type { Relayer } from '../relayer/relayer.js';
import { type Payment, Settler, type SettlerOptions } from '../relayer/settle.js';
import { createJointSpendMeter, gasReserveYocto, type SpendMeter } from '../relayer/spend.js';

/** What the relay pays into app keys. */
export interface FundPolicy {
  /** The keys that sign vouchers. */
  readonly voucherKeys: readonly VoucherPublicKey[];
  /** yoctoNEAR, with gas, that the keys of one account may cost within 24 hours. */
  readonly accountCapYocto: bigint;
  /** The same for all accounts together. */
  readonly spendCapYocto: bigint;
}

export interface Funded {
  /** base58. */
  readonly transactionHash: string;
}

/** The client that asks for it. */
export interface Asker {
  /** The client's IP address; undefined if nothing shows one. */
  readonly address?: string | undefined;
  readonly voucher?: Secret | undefined;
}

export interface AppKeyFunderOptions {
  readonly rpc: RpcClient;
  readonly relayer: Pick<Relayer, 'accountId' | 'signActions' | 'learn'>;
  readonly policy: FundPolicy;
  /** The relay's meter: what it pays counts on it as well as on the caps of the policy. */
  readonly spend: SpendMeter;
  /** The meters of the caps that the policy names. */
  readonly meterFor: MeterFor;
  /** The record of used vouchers. */
  readonly uses: SingleUses;
  /** Default: no other relay works on this one's requests. */
  readonly jobs?: JobStore | null | undefined;
  readonly log: Log;
  /** Maximum number of parallel requests, a quarter of them for one network. Default 64. */
  readonly maxParallel?: number | undefined;
}

/** A request whose voucher is sound. */
interface Asked {
  readonly id: string;
  readonly accountId: string;
  readonly publicKey: string;
  readonly amountYocto: bigint;
  readonly voucher: Secret | undefined;
}

/** What a key may hold: the chain deletes no key with more (GasKeyBalanceTooHigh). */
const MOST_ON_A_KEY_YOCTO = 10n ** 24n;

/** The most that a payment of this amount can cost the relayer, in yoctoNEAR. */
export function mostYoctoOfFunding(amountYocto: bigint): bigint {
  return amountYocto + gasReserveYocto(0n);
}

/** Settles payments into app keys. A relay that makes none only ends those of an earlier one. */
export const createFundingSettler = (options: Omit<SettlerOptions, 'noun' | 'keptDeposit'>): Settler =>
  new Settler({
    ...options,
    noun: 'payment',
    keptDeposit: (outcome, depositYocto) => (executionFailure(outcome) ? 0n : depositYocto),
  });

export class AppKeyFunder {
  readonly #options: AppKeyFunderOptions;
  readonly #settler: Settler;
  readonly #slots: Slots;
  readonly #once = new Once<Funded>();
  readonly #all: SpendMeter;

  constructor(options: AppKeyFunderOptions) {
    this.#options = options;
    const { rpc, relayer, policy, spend, meterFor, jobs = null, log, maxParallel = 64 } = options;
    this.#slots = new Slots(maxParallel, 'payments');
    this.#settler = createFundingSettler({ rpc, relayer, spend, log, jobs });
    this.#all = meterFor('app-keys', { capYocto: policy.spendCapYocto, log });
  }

  /**
   * Pays, and resolves once final. The same request, repeated during or after that, gets the same answer and costs nothing;
   * a relay that does not remember it refuses its voucher as used. Rejects with a {@link Refusal}.
   */
  async fund(
    request: FundAppKeyRequest,
    requestId: string,
    { address, voucher }: Asker = {},
  ): Promise<Funded> {
    const { account_id: accountId, public_key: publicKey, amount } = request;
    const amountYocto = BigInt(amount);
    const unnamed = { accountId, publicKey, amountYocto, voucher };
    const { id: voucherId } = await this.#judge(unnamed, { late: true });
    const id = await shortHash(`${voucherId}|${accountId}|${publicKey}|${amount}`);
    const known = this.#once.running(id) ?? this.#once.done(id);
    return known ?? this.#once.run(id, this.#inSlot({ ...unnamed, id }, requestId, address));
  }

  /** Resolves when no payment is running. */
  idle(): Promise<void> {
    return this.#once.idle();
  }

  /** Ends payments that killed relays left. Rejects with a {@link Refusal} while their store cannot be used. */
  sweep(): Promise<void> {
    return this.#settler.sweep();
  }

  /** The ids of sent transactions whose outcome is unknown. */
  unfinished(): string[] {
    return this.#settler.unfinished();
  }

  async #inSlot(asked: Asked, requestId: string, address: string | undefined): Promise<Funded> {
    const leave = this.#slots.take(address);
    try {
      return await this.#pay(asked, requestId);
    } finally {
      leave();
    }
  }

  async #pay(asked: Asked, requestId: string): Promise<Funded> {
    const { id, accountId, publicKey } = asked;
    const outcome = await this.#settler.send(id, requestId, () => this.#prepare(asked));
    const { transactionId: transactionHash } = outcome;
    const failure = executionFailure(outcome);
    this.#settler.settled(id, failure ? 'failed' : 'done');
    if (failure) {
      const message = `The chain gave the amount back: ${publicKey} was removed from ${accountId} meanwhile. Ask the app for another key.`;
      throw new Refusal('chain_rejected', message, {
        transactionHash,
        cause: new Error(JSON.stringify(failure)),
      });
    }
    this.#options.log.info('app_key_funded', { requestId, accountId, publicKey, transactionHash });
    return this.#once.remember(id, { transactionHash });
  }

  async #prepare(asked: Asked): Promise<Payment> {
    const { relayer, policy, spend, uses } = this.#options;
    const { accountId, publicKey, amountYocto } = asked;
    const once = await this.#judge(asked, { late: false });
    const mostYocto = mostYoctoOfFunding(amountYocto);
    // No later time would help: the amount exceeds the cap even of a day on which nothing was spent.
    if (mostYocto > policy.accountCapYocto) {
      throw notAllowed(
        `${writeNear(amountYocto)} NEAR: with gas, the most it pays for one account in a day is ${writeNear(policy.accountCapYocto)}`,
      );
    }
    checkKey(asked, await this.#readKey(accountId, publicKey));
    const ofAccount = this.#meterOf(accountId);
    const ofVoucher = uses.meterOf(once, { accountId, publicKey, amountYocto });
    return {
      mostYocto,
      depositYocto: amountYocto,
      spend: createJointSpendMeter([ofVoucher, ofAccount, this.#all, spend]),
      sign: () =>
        relayer.signActions(accountId, [
          { type: 'TransferToGasKey', publicKey, deposit: String(amountYocto) },
        ]),
    };
  }

  async #judge(asked: Omit<Asked, 'id'>, { late }: { readonly late: boolean }): Promise<SingleUse> {
    const verdict = await judgeFundVoucher(this.#options.policy.voucherKeys, asked, late);
    if (verdict.ok) return verdict.once;
    throw new Refusal('signup_refused', `${verdict.reason} Nothing was sent.`);
  }

  #meterOf(accountId: string): SpendMeter {
    const { meterFor, policy } = this.#options;
    return meterOfOne(meterFor, `app-key:${accountId}`, `app keys of ${accountId}`, policy.accountCapYocto);
  }

  async #readKey(accountId: string, publicKey: string): Promise<AccessKeyView | null> {
    try {
      // The wallet has just added it, so a node that lags may not know it.
      const view = { agreed: true, finality: 'optimistic', certain: true } as const;
      return await this.#options.rpc.viewAccessKey(accountId, publicKey, view);
    } catch (error) {
      throw this.#settler.notSent(error);
    }
  }
}

/** Throws a {@link Refusal} unless the key is a gas key for one contract, which the amount does not overfill. */
function checkKey({ accountId, publicKey, amountYocto }: Asked, key: AccessKeyView | null): void {
  if (!key) {
    const message = `${publicKey} is not an access key of ${accountId} on this chain. Nothing was sent; try again once it is.`;
    throw new Refusal('not_verified', message);
  }
  if (isFullAccessView(key)) throw notAllowed('keys with full access');
  const gasKey = gasKeyView(key);
  if (!gasKey) throw notAllowed('keys that are no gas keys');
  if (BigInt(gasKey.balance) + amountYocto > MOST_ON_A_KEY_YOCTO) {
    throw notAllowed(
      `more than ${writeNear(MOST_ON_A_KEY_YOCTO)} NEAR on one key, which the chain would not delete: ${publicKey} has ${writeNear(BigInt(gasKey.balance))}`,
    );
  }
}

function notAllowed(what: string): Refusal {
  return new Refusal('not_allowed', `This relay does not pay for ${what}. Nothing was sent.`);
}

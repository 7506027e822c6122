/** App keys: function-call access keys of an account. */
import type { CallArguments } from './actions.js';
import type { FlowOptions } from './flow.js';
import type { SignupPayment } from './registration.js';
import type { ActionOptions, ActionResult } from './transactions.js';

/** What an app key may do. */
export interface AppKeyToMake {
  /** The one contract that it may call. */
  readonly receiverId: string;
  /** The methods that it may call; empty (the default) allows every method. */
  readonly methodNames?: readonly string[] | undefined;
  /** How much of the account's yoctoNEAR its calls may cost in all, default 0.25 NEAR; null for no limit. */
  readonly allowance?: string | null | undefined;
  /**
   * What its calls may cost in all, in NEAR as a decimal text (`'0.1'`), moved to the key when it is added, in place of an
   * allowance. Where the network has gas keys (protocol 85), the key pays for its calls from it, and the account needs no
   * balance; elsewhere it is the allowance. What is left comes back when the key is revoked.
   */
  readonly prepaid?: string | undefined;
  /**
   * Who pays what is `prepaid`: the account (the default), in the transaction that adds the key; or the relay of the configuration, once
   * the key is there, for a voucher in `options.signupVoucher`. The relay pays into gas keys only: without them the call is refused
   * before the user is asked.
   */
  readonly paidBy?: 'account' | 'relay' | undefined;
  /**
   * How many tabs or devices can call side by side with a prepaid key, 1 to 1024, default 4. The account pays for the storage
   * of each: 83 bytes, of which four fit in what an account stores for nothing. Of no use without gas keys.
   */
  readonly lanes?: number | undefined;
  /**
   * When this wallet stops using the key and starts to remove it, in milliseconds since 1970; absent for no end. The
   * chain does not know it: it enforces the contract, the methods and the allowance.
   */
  readonly expiresAt?: number | undefined;
}

export interface AddAppKeyArgs extends AppKeyToMake {
  readonly nearAccountId: string;
  readonly options?: AddAppKeyOptions | undefined;
}

/** With `paidBy: 'relay'`, `signupVoucher` is a voucher of the app's server for this account and amount. */
export interface AddAppKeyOptions extends ActionOptions<AppKeyResult>, SignupPayment {}

export interface AppKeyResult extends ActionResult {
  /** `ed25519:...`; null when none was made. */
  readonly publicKey: string | null;
  /**
   * True when the chain's answer was lost: the next start, or getAppKeys, looks it up and keeps a key that is on the
   * chain.
   */
  readonly pending?: boolean;
  /**
   * What became of the relay's payment, with `paidBy: 'relay'`, once the key is on the account. `success` of the result says that the
   * key is there; that of `funding`, that it is filled. Where it is not, `fundAppKey` asks the relay again.
   */
  readonly funding?: ActionResult;
}

export interface FundAppKeyOptions extends FlowOptions<'action', ActionResult>, SignupPayment {}

export interface FundAppKeyArgs {
  readonly nearAccountId: string;
  /** `ed25519:...`: a prepaid key of the account. */
  readonly publicKey: string;
  /** What the relay pays into it, in NEAR as a decimal text (`'0.1'`). */
  readonly prepaid: string;
  readonly options?: FundAppKeyOptions | undefined;
}

/** A function-call access key of an account. */
export interface AppKey {
  readonly publicKey: string;
  readonly receiverId: string;
  /** Empty: every method. */
  readonly methodNames: readonly string[];
  /** The yoctoNEAR left of its allowance, or on a gas key; null for no limit. */
  readonly allowance: string | null;
  /** The number of lanes of a gas key, which pays for its calls itself; absent from any other key. */
  readonly lanes?: number;
  /** Whether this device holds the key, and can call with it. */
  readonly isHere: boolean;
  /** When this device stops using it, milliseconds since 1970; null for a key without an end, or of another device. */
  readonly expiresAt: number | null;
  /** True after that end: this device signs no call with it, and the next approved transaction deletes it. */
  readonly isExpired: boolean;
  /** False when it was revoked elsewhere: revokeAppKey then only removes it from this device. */
  readonly isOnChain: boolean;
}

/** A call without a deposit: the chain lets no app key attach one. */
export interface AppKeyCall {
  readonly receiverId: string;
  readonly methodName: string;
  readonly args: CallArguments;
  /** Default 30000000000000 (30 Tgas). */
  readonly gas?: string | undefined;
}

export interface CallWithAppKeyArgs extends AppKeyCall {
  readonly nearAccountId: string;
  readonly options?: ActionOptions | undefined;
}

export interface RevokeAppKeyArgs {
  readonly nearAccountId: string;
  readonly publicKey: string;
  readonly options?: ActionOptions | undefined;
}

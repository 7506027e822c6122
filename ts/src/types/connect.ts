/** Connecting a page to an account. */
import type { AppKeyToMake } from './app-keys.js';
import type { Outcome } from './flow.js';
import type { SignNep413Params, SignNep413Result } from './messages.js';
import type { SignupPayment } from './registration.js';
import type { ActionOptions, ActionResult } from './transactions.js';

/** Connecting a page to an account. */
export interface ConnectArgs {
  /** A message (NEP-413) that the account signs, such as a login challenge of the page's server. */
  readonly signMessage?: SignNep413Params | undefined;
  /** A function-call key of the page, which the account gets. */
  readonly addKey?: AppKeyToAdd | undefined;
  readonly options?: ConnectOptions | undefined;
}

/** A function-call key whose private half the page keeps. It has no end: the wallet cannot stop the page from using it. */
export interface AppKeyToAdd extends Omit<AppKeyToMake, 'expiresAt' | 'prepaid' | 'paidBy' | 'lanes'> {
  /** `ed25519:...` */
  readonly publicKey: string;
}

/** A voucher pays for the account that the user makes; it is not used for one that exists. */
export interface ConnectOptions extends ActionOptions<ConnectResult>, SignupPayment {}

/** The account that a page is connected to. */
export interface ConnectResult extends Outcome {
  /** Null when no account was connected. */
  readonly accountId: string | null;
  /** The key of this device for it. */
  readonly publicKey: string | null;
  /** The signed message, where one was asked for. */
  readonly signedMessage?: SignNep413Result;
  /** The transaction that added the key, where one was asked for. */
  readonly addedKey?: ActionResult;
}

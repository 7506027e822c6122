/**
 * The port between the flows and whatever draws the confirmation. The facade takes one {@link Confirmer};
 * latchkey-react implements it.
 */
import type { ConfirmationBehavior, Theme, TransactionRequest, UiMode } from '../types.js';

interface ConfirmModelBase {
  readonly accountId: string;
  /** The site the passkey belongs to. */
  readonly rpId: string;
  readonly networkId: string;
  /** The origin of the page that asks, where the wallet runs in a frame of it. The digest does not cover it. */
  readonly askedBy?: string;
  /** The intent digest, base64url of 32 bytes: computed from this model, bound into the passkey's challenge. */
  readonly digest: string;
  readonly uiMode: Exclude<UiMode, 'skip'>;
  /** With 'autoProceed' the flow goes on by itself after the delay: draw a loading state with a way to cancel. */
  readonly behavior: ConfirmationBehavior;
  readonly autoProceedDelayMs: number;
  readonly theme: Theme;
  /**
   * Set when an earlier prompt of this very request did not succeed: offer 'Try again', never go on alone.
   * `behavior` is 'requireClick' then.
   */
  readonly retry?: RetryReason;
  /** The text for `retry`, to be shown. */
  readonly error?: string;
}

export type RetryReason = 'cancelled' | 'timeout' | 'focus' | 'pending' | 'failed';

export interface RegistrationConfirmModel extends ConfirmModelBase {
  readonly kind: 'registration';
  readonly deviceNumber: number;
  /** Set when this device joins an account that exists: its name came from the chain, and the person must know it. */
  readonly joining?: JoiningModel;
}

/** What a person who links this device is told beside the account's name. */
export interface JoiningModel {
  /** 8 base32 characters, the same on both screens. */
  readonly checkCode: string;
  /** When the other device takes the temporary key away, in milliseconds since 1970; absent when it does not. */
  readonly deleteAt?: number;
}

export interface TransactionsConfirmModel extends ConfirmModelBase {
  readonly kind: 'transactions';
  /** Exactly what will be signed, in order. */
  readonly transactions: readonly TransactionRequest[];
  /** Set when the transactions let another device in. */
  readonly device?: LinkedDeviceModel;
  /** What they cost together, as the wallet estimates it. The digest does not cover it: it is no part of what is signed. */
  readonly cost?: CostModel;
  /** Set when the one transaction is signed as a delegate (NEP-366): somebody else submits it and pays. */
  readonly delegate?: DelegateModel;
}

/** An estimate, in yoctoNEAR. */
export interface CostModel {
  /** Paid for gas up front; what is not used comes back. */
  readonly gas: string;
  /** Transferred or attached. */
  readonly deposit: string;
  /** Both together. */
  readonly total: string;
  /** What the account can spend, its storage paid for; absent when it could not be read. */
  readonly available?: string;
}

/** Who gets a delegate, which the digest does not cover, and how long it can be used, which it does. */
export interface DelegateModel {
  /** The host of the relay that it goes to; null when the page that asks gets it, and may pass it to anyone. */
  readonly relay: string | null;
  /** Counted from the block at the passkey prompt. */
  readonly validForBlocks: number;
}

/** The device that a linking lets in, for the person to compare with what that device shows. */
export interface LinkedDeviceModel {
  /** `ed25519:...`: the key that the transactions add. */
  readonly publicKey: string;
  /** 8 base32 characters, the same on both screens. */
  readonly checkCode: string;
}

export interface Nep413ConfirmModel extends ConfirmModelBase {
  readonly kind: 'nep413';
  readonly message: string;
  readonly recipient: string;
  /** Standard base64 of 32 bytes. */
  readonly nonce: string;
  readonly callbackUrl?: string;
  readonly state?: string;
}

/** Everything the confirmer shows. It shows nothing else, and the digest covers what it asks for. */
export type ConfirmModel = RegistrationConfirmModel | TransactionsConfirmModel | Nep413ConfirmModel;

/** 'confirm' means a fresh click of the person in the confirmer. */
export type Decision = 'confirm' | 'cancel';

export interface Confirmer {
  /**
   * Shows the model and resolves with the person's decision. After 'confirm' the surface stays, busy, until
   * `signal` aborts (the flow is over) or `show` is called again (another try). When `signal` aborts before
   * a decision, take the surface away and resolve with 'cancel'.
   */
  show(model: ConfirmModel, signal: AbortSignal): Promise<Decision>;
}

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
}

export interface TransactionsConfirmModel extends ConfirmModelBase {
  readonly kind: 'transactions';
  /** Exactly what will be signed, in order. */
  readonly transactions: readonly TransactionRequest[];
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

/** Everything the confirmer shows. It shows nothing else, and the digest covers what it shows. */
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

import type { EncryptedVrfKeypair } from '../../wasm/vrf/vrf.js';
import type { FlowOptions, Outcome } from './flow.js';

export type { EncryptedVrfKeypair };

/** What the options of a call that may register an account have. */
export interface SignupPayment {
  /**
   * Shows the relay that this user may register at its expense: a voucher of the app's server
   * (`issueSignupVoucher` of the package latchkey-server), a Turnstile token, or what the relay's own hook takes. At most 4096
   * characters. It goes to the relay and is not stored.
   */
  readonly signupVoucher?: string | undefined;
}

export interface RegistrationOptions extends FlowOptions<'registration', RegistrationResult>, SignupPayment {}

export interface RegistrationResult extends Outcome {
  readonly nearAccountId: string;
  readonly clientNearPublicKey: string | null;
  readonly transactionId: string | null;
  /**
   * True when the relay's answer was lost, or the account's records could not be stored: the next start looks the
   * outcome up again and stores them.
   */
  readonly pending?: boolean;
  readonly vrfRegistration: {
    readonly success: boolean;
    readonly vrfPublicKey: string | null;
    readonly encryptedVrfKeypair: EncryptedVrfKeypair | null;
    readonly contractVerified: boolean;
    readonly error?: string;
  };
}

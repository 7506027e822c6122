import type { EncryptedVrfKeypair } from '../../wasm/vrf/vrf.js';
import type { FlowOptions, Outcome } from './flow.js';
import type { LoginState } from './session.js';
import type { ActionResult } from './transactions.js';

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

export interface CreateAccountOptions extends FlowOptions<'registration', CreatedAccount> {}

export interface CreateAccountArgs {
  /**
   * What lists of passkeys show for the account, at most 64 characters; the user sees it in the confirmation. Blank: `Wallet` and
   * the date.
   */
  readonly label?: string | undefined;
  readonly options?: CreateAccountOptions | undefined;
}

export interface CreatedAccount extends Outcome {
  /**
   * The account's id, 64 hex digits, which is the address that money is sent to. Show it only where the passkey is proven: money
   * sent to an account whose passkey gives other keys the next time is lost. Null where no account was made.
   */
  readonly nearAccountId: string | null;
  /** `ed25519:` and base58 of the same key. */
  readonly publicKey: string | null;
  /** Whether two ceremonies gave the same keys. Where not, call `checkPasskey` (one prompt) before the address is shown. */
  readonly passkeyProven: boolean;
  /** The login state afterwards: the session is unlocked. */
  readonly loginState?: LoginState;
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

export type RegisterDeviceOptions = FlowOptions<'action', RegisteredDevice>;

export interface RegisteredDevice extends ActionResult {
  /** The number of this device in the registry; null where it has no record. */
  readonly deviceNumber: number | null;
}

import type { FlowOptions, Outcome } from './flow.js';
import type { LoginState } from './session.js';

export interface RecoveryOptions extends FlowOptions<'recovery', RecoveryResult> {
  /**
   * Without a name: offers only the passkeys that the browser has at hand, where it can (Chromium, in a page without a frame,
   * within 5 s of a click). Where it has none, fails with NO_PASSKEY_HERE before any prompt. Default false.
   */
  readonly immediate?: boolean | undefined;
}

export interface RecoveryResult extends Outcome {
  /** The recovered account; after a failure the one that was typed or found, if any. */
  readonly accountId: string | null;
  readonly publicKey: string | null;
  /** The text for the user; after a failure the error, and what to do about it where there is something. */
  readonly message: string;
  /** The login state afterwards: the session is unlocked. */
  readonly loginState?: LoginState;
}

/** A passkey with which an account can be recovered. */
export interface RecoverableAccount {
  /** base64url. */
  readonly credentialId: string;
  readonly accountId: string;
  /** The access key that the registry names with it: `ed25519:` and base58. */
  readonly publicKey: string;
  /** `alice`, or `alice (device 2)`. */
  readonly displayName: string;
}

/** Known facts about the account to recover; all of them may be omitted. */
export interface RecoveryRequest {
  /** Blank: the user chooses a passkey, which names the account (one more prompt). */
  readonly accountId?: string | undefined;
  /** Only this one of the account's passkeys, base64url. Needs `accountId`. */
  readonly credentialId?: string | undefined;
  readonly options?: RecoveryOptions | undefined;
}

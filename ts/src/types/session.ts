/** Login, its state, and what the device keeps of a user. */
import type { FlowOptions, Outcome } from './flow.js';
import type { UserPreferences } from './preferences.js';

export type LoginOptions = FlowOptions<'login', LoginResult>;

export interface LoginResult extends Outcome {
  readonly nearAccountId: string | null;
  readonly loggedInNearAccountId: string | null;
  readonly clientNearPublicKey: string | null;
  /** How the session was unlocked. */
  readonly unlockedBy?: 'server-lock' | 'passkey';
}

export type PasskeyCheckOptions = FlowOptions<'action', PasskeyCheckResult>;

export interface PasskeyCheckResult extends Outcome {
  /** The account's address, where it has no name and its passkey is proven now; until then what stands for it. */
  readonly nearAccountId: string;
  /** Whether the passkey gave the same outputs again; false also where it was not asked to the end. */
  readonly passkeyProven: boolean;
}

export interface LoginState {
  readonly isLoggedIn: boolean;
  readonly nearAccountId: string | null;
  readonly publicKey: string | null;
  readonly vrfActive: boolean;
  readonly userData: UserData | null;
  /** Milliseconds since the VRF session was unlocked. */
  readonly vrfSessionDuration?: number;
}

export interface UserData {
  /** A placeholder for an account without a name, as in `CreatedAccount`, until its passkey is proven. */
  readonly nearAccountId: string;
  readonly deviceNumber: number;
  readonly registeredAt: number;
  readonly lastLogin: number | null;
  readonly lastUpdated: number;
  /** `ed25519:...`; empty where the id is a placeholder. */
  readonly clientNearPublicKey: string;
  readonly preferences: UserPreferences;
  /** Absent until a passkey's answer has said it. */
  readonly passkeyBackup?: PasskeyBackup;
  /**
   * Whether the passkey gave the same outputs in two ceremonies. Until then the account may be lost with the browser's
   * data: ask for `checkPasskey` before money comes in.
   */
  readonly passkeyProven: boolean;
}

/**
 * What the authenticator says of the passkey's backup (W3C WebAuthn Level 3, section 6.1.3): `backed-up`, in a passkey
 * manager's cloud for example; `not-backed-up`, although it may be; `device-bound`: it never will be.
 */
export type PasskeyBackup = 'backed-up' | 'not-backed-up' | 'device-bound';

export interface RecentLogins {
  readonly accountIds: readonly string[];
  readonly lastUsedAccountId: { readonly nearAccountId: string; readonly deviceNumber: number } | null;
}

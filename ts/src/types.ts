/** The public types of the facade. Bytes are `Uint8Array`; amounts, gas and nonces are decimal strings. */
import type { Action, SignedTransaction } from '../wasm/signer/signer.js';
import type { EncryptedVrfKeypair } from '../wasm/vrf/vrf.js';
import type { LatchkeyError, LatchkeyErrorCode } from './errors.js';
import type { EventListener, FlowName } from './events.js';

// ---------------------------------------------------------------- actions and transactions

// Defined in Rust: what is shown, hashed and signed is what the chain's encoding has.
export type {
  AccessKey,
  AccessKeyPermission,
  Action,
  FunctionCallPermission,
  SignedTransaction,
  Transaction,
  TransactionRequest,
} from '../wasm/signer/signer.js';

/** A function call as a caller may give it: arguments as an object or JSON text, gas and deposit optional. */
export interface FunctionCallInput {
  readonly type: 'FunctionCall';
  readonly methodName: string;
  readonly args: string | Readonly<Record<string, unknown>>;
  /** Default 30000000000000 (30 Tgas). */
  readonly gas?: string;
  /** yoctoNEAR, default 0. */
  readonly deposit?: string;
}

/** An action as a caller gives it. */
export type ActionInput = FunctionCallInput | Exclude<Action, { readonly type: 'FunctionCall' }>;

/** A transaction as a caller gives it. */
export interface TransactionInput {
  readonly receiverId: string;
  readonly actions: readonly ActionInput[];
}

export type { EncryptedVrfKeypair } from '../wasm/vrf/vrf.js';

// ---------------------------------------------------------------- configuration that people choose

export type UiMode = 'skip' | 'modal' | 'drawer';
export type ConfirmationBehavior = 'requireClick' | 'autoProceed';
export type Theme = 'dark' | 'light';

export interface ConfirmationConfig {
  readonly uiMode: UiMode;
  readonly behavior: ConfirmationBehavior;
  readonly autoProceedDelayMs: number;
  readonly theme: Theme;
}

/** How settled a transaction must be before a call answers. */
export type WaitUntil = 'NONE' | 'INCLUDED' | 'INCLUDED_FINAL' | 'EXECUTED' | 'FINAL' | 'EXECUTED_OPTIMISTIC';

// ---------------------------------------------------------------- options

/** Options of every flow. */
export interface FlowOptions<F extends FlowName, Result> {
  readonly onEvent?: EventListener<F>;
  readonly onError?: (error: LatchkeyError) => void;
  /** Runs before the flow's first step; a rejection ends the flow. */
  readonly beforeCall?: () => void | Promise<void>;
  /** Runs after the flow's end, with its result when it succeeded. */
  readonly afterCall?: (success: boolean, result?: Result) => void | Promise<void>;
  /** Ends the flow: what runs is cancelled, what waits is not begun. */
  readonly signal?: AbortSignal;
  /** Overrides the confirmation settings for this call. */
  readonly confirmationConfig?: Partial<ConfirmationConfig>;
}

export type RegistrationOptions = FlowOptions<'registration', RegistrationResult>;
export type LoginOptions = FlowOptions<'login', LoginResult>;
export interface ActionOptions<Result = ActionResult> extends FlowOptions<'action', Result> {
  /** Default EXECUTED_OPTIMISTIC. */
  readonly waitUntil?: WaitUntil;
}
export type SignTransactionsOptions = FlowOptions<'action', readonly SignTransactionResult[]>;
export type SignNep413Options = FlowOptions<'action', SignNep413Result>;

/** One after the other (default), or all of them, each `staggerMs` (default 75) after the one before. */
export type ExecutionWait =
  | { readonly mode: 'sequential'; readonly waitUntil?: WaitUntil }
  | { readonly mode: 'parallelStaggered'; readonly staggerMs?: number };

export interface SignAndSendOptions extends ActionOptions<readonly ActionResult[]> {
  readonly executionWait?: ExecutionWait;
}

// ---------------------------------------------------------------- results

/** A flow that ended without success says why, in words and by code. */
export interface Outcome {
  readonly success: boolean;
  readonly error?: string;
  readonly errorCode?: LatchkeyErrorCode;
}

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

export interface LoginResult extends Outcome {
  readonly nearAccountId: string | null;
  readonly loggedInNearAccountId: string | null;
  readonly clientNearPublicKey: string | null;
  /** How the session was unlocked. */
  readonly unlockedBy?: 'server-lock' | 'passkey';
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
  readonly nearAccountId: string;
  readonly deviceNumber: number;
  readonly registeredAt: number;
  readonly lastLogin: number | null;
  readonly lastUpdated: number;
  readonly clientNearPublicKey: string;
  readonly preferences: UserPreferences;
}

export interface UserPreferences {
  readonly useRelayer: boolean;
  readonly useNetwork: string;
  readonly confirmationConfig?: Partial<ConfirmationConfig>;
  readonly theme?: Theme;
}

export interface ActionResult extends Outcome {
  readonly transactionId: string | null;
  /** The chain's answer to `send_tx`. */
  readonly result: unknown;
}

export interface SignTransactionResult {
  readonly signedTransaction: SignedTransaction;
  readonly nearAccountId: string;
  readonly logs: readonly string[];
}

export interface SignNep413Params {
  readonly message: string;
  readonly recipient: string;
  /** 32 bytes; random when absent. */
  readonly nonce?: Uint8Array;
  /** Returned, not signed. */
  readonly state?: string;
  readonly callbackUrl?: string;
}

export interface SignNep413Result extends Outcome {
  readonly accountId: string;
  readonly publicKey: string | null;
  /** Standard base64, 64 bytes. */
  readonly signature: string | null;
  /** The 32-byte nonce used, standard base64. */
  readonly nonce: string | null;
  readonly state?: string;
}

export interface RecentLogins {
  readonly accountIds: readonly string[];
  readonly lastUsedAccountId: { readonly nearAccountId: string; readonly deviceNumber: number } | null;
}

/** The outcome of registrations whose answer had been lost, looked up at start. */
export interface ResumeResult {
  /** Registered after all, and stored. */
  readonly committed: readonly string[];
  /** Can no longer come to be; forgotten. */
  readonly dropped: readonly string[];
  /** Still unknown. */
  readonly pending: readonly string[];
  /** Created with other keys than ours. */
  readonly mismatched: readonly string[];
}

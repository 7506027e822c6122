/** The public types of the facade. Bytes are `Uint8Array`; amounts, gas and nonces are decimal strings. */
import type { Action, SignedTransaction } from '../wasm/signer/signer.js';
import type { EncryptedVrfKeypair } from '../wasm/vrf/vrf.js';
import type { LatchkeyError, LatchkeyErrorCode } from './errors/index.js';
import type { EventListener, FlowName } from './events.js';

// ---------------------------------------------------------------- actions and transactions

// Defined in Rust, so that what is shown, hashed and signed is what the chain's encoding has.
export type {
  AccessKey,
  AccessKeyPermission,
  Action,
  DeterministicStateInit,
  FunctionCallPermission,
  GlobalContractIdentifier,
  SignedTransaction,
  StateEntry,
  Transaction,
  TransactionRequest,
} from '../wasm/signer/signer.js';

/**
 * The arguments of a call: an object, which becomes JSON; a text, which must be JSON; or bytes, sent as they are, also none.
 * The confirmation shows bytes that are not JSON as bytes, and warns that they cannot be read.
 */
export type CallArguments = string | Uint8Array | Readonly<Record<string, unknown>>;

/** A function call as a caller may give it; gas and deposit are optional. */
export interface FunctionCallInput {
  readonly type: 'FunctionCall';
  readonly methodName: string;
  readonly args: CallArguments;
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
  /** Default `modal`. `skip` shows nothing where no click is needed. */
  readonly uiMode: UiMode;
  /** Default `autoProceed`. In a frame, a request that signs still needs a click. */
  readonly behavior: ConfirmationBehavior;
  /** How long `autoProceed` waits, 0 (the default) to 60000. */
  readonly autoProceedDelayMs: number;
  /** Default `dark`. */
  readonly theme: Theme;
}

/** Confirmation settings as a page gives them: some of them. Unknown names and values are refused with INVALID_CONFIG. */
export interface ConfirmationWish extends Partial<ConfirmationConfig> {
  /** Another name for `autoProceedDelayMs`, in milliseconds too. */
  readonly autoProceedDelay?: number;
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
  /** Ends the flow: cancels running work and starts none that still waits. */
  readonly signal?: AbortSignal;
  /** Overrides the confirmation settings for this call. */
  readonly confirmationConfig?: ConfirmationWish;
}

/** What the options of a call that may register an account have. */
export interface SignupPayment {
  /**
   * Shows the relay that this user may register at its expense: a voucher of the app's server
   * (`issueSignupVoucher` of `latchkey/server`), a Turnstile token, or what the relay's own hook takes. At most 4096
   * characters. It goes to the relay and is not stored.
   */
  readonly signupVoucher?: string;
}

export interface RegistrationOptions extends FlowOptions<'registration', RegistrationResult>, SignupPayment {}
export type LoginOptions = FlowOptions<'login', LoginResult>;
export type RecoveryOptions = FlowOptions<'recovery', RecoveryResult>;
export interface ActionOptions<Result = ActionResult> extends FlowOptions<'action', Result> {
  /** Default EXECUTED_OPTIMISTIC. */
  readonly waitUntil?: WaitUntil;
}
export type SignTransactionsOptions = FlowOptions<'action', readonly SignTransactionResult[]>;
export type SignNep413Options = FlowOptions<'action', SignNep413Result>;

/** How the key viewer looks; the confirmation settings fill in the rest. */
export interface ExportKeypairOptions extends FlowOptions<'export', ExportKeypairResult> {
  readonly variant?: Exclude<UiMode, 'skip'>;
  readonly theme?: Theme;
}

/**
 * One after the other (default), each when the one before has reached `waitUntil`; or all of them, each `staggerMs`
 * (default 75) after the one before, where each result waits for `waitUntil`. `waitUntil` here overrides that of the
 * call.
 */
export type ExecutionWait =
  | { readonly mode: 'sequential'; readonly waitUntil?: WaitUntil }
  | { readonly mode: 'parallelStaggered'; readonly staggerMs?: number; readonly waitUntil?: WaitUntil };

export interface SignAndSendOptions extends ActionOptions<readonly ActionResult[]> {
  readonly executionWait?: ExecutionWait;
  /**
   * The digest that an embedded transaction button showed at the user's click (base64url of 32 bytes). A wallet in this page
   * refuses to sign anything else (INTENT_DIGEST_MISMATCH), and takes the click as its own, unless the user chose to
   * confirm by a click there. A wallet in a frame does not see it.
   */
  readonly uiDigest?: string;
}

export type FinishLinkingOptions = FlowOptions<'linking', LinkedAccount>;
export interface Device2LinkingOptions extends FinishLinkingOptions {
  /** The account to join, if the user knows it: the passkey is then made before the code is shown. */
  readonly accountId?: string;
  /** How a wallet frame shows the code; the facade itself shows nothing. */
  readonly ui?: 'modal' | 'inline';
}

export type PrepareAdoptionOptions = FlowOptions<'linking', PreparedAdoption>;
export type AdoptAccountOptions = Pick<
  FlowOptions<'linking', LinkedAccount>,
  'onEvent' | 'signal' | 'confirmationConfig'
>;

// ---------------------------------------------------------------- arguments

export interface ExecuteActionArgs {
  readonly nearAccountId: string;
  readonly receiverId: string;
  readonly actionArgs: ActionInput | readonly ActionInput[];
  readonly options?: ActionOptions;
}

export interface SignTransactionsArgs {
  readonly nearAccountId: string;
  readonly transactions: readonly TransactionInput[];
  readonly options?: SignTransactionsOptions;
}

export interface SendTransactionArgs {
  readonly signedTransaction: SignedTransaction;
  readonly options?: ActionOptions;
}

export interface SignAndSendTransactionsArgs {
  readonly nearAccountId: string;
  readonly transactions: readonly TransactionInput[];
  readonly options?: SignAndSendOptions;
}

export interface SignNep413Args {
  readonly nearAccountId: string;
  readonly params: SignNep413Params;
  readonly options?: SignNep413Options;
}

/** A delegate action (NEP-366) to sign. */
export interface DelegateActionInput {
  readonly receiverId: string;
  readonly actions: ActionInput | readonly ActionInput[];
  /**
   * The nonce that it gets, a decimal string: above that of the account's key, by at most 1000. Default: the wallet's next
   * one.
   */
  readonly nonce?: string;
  /** The last block that may carry it, a decimal string: at most 86400 blocks ahead. Default: by `validForBlocks`. */
  readonly maxBlockHeight?: string;
}

export interface SignDelegateArgs extends DelegateActionInput {
  readonly nearAccountId: string;
  readonly options?: DelegateOptions;
}

export interface SignDelegatesArgs {
  readonly nearAccountId: string;
  /** In order; at most 100. */
  readonly delegateActions: readonly DelegateActionInput[];
  readonly options?: SignDelegatesOptions;
}

export interface ExecuteDelegateArgs extends Omit<SignDelegateArgs, 'options' | 'nonce' | 'maxBlockHeight'> {
  readonly options?: ExecuteDelegateOptions;
}

export interface AdoptAccountArgs {
  /** The account to bring: one that exists, and that the user controls with another wallet. */
  readonly accountId: string;
  /**
   * Asks that wallet for one transaction, the AddKey, and resolves when it is sent. Its result is ignored, because the
   * wallet asks the chain. A rejection means that it was refused.
   */
  readonly addKey: (key: KeyToAdd) => Promise<unknown>;
  readonly options?: AdoptAccountOptions;
}

/** The key of the new passkey, and the action that adds it to the account. */
export interface KeyToAdd {
  /** The signer of the transaction. */
  readonly accountId: string;
  /** Its receiver: the account itself. */
  readonly receiverId: string;
  /** `ed25519:...`. */
  readonly publicKey: string;
  /** The one action, in the form that near-connect takes. */
  readonly action: {
    readonly type: 'AddKey';
    readonly params: {
      readonly publicKey: string;
      readonly accessKey: { readonly permission: 'FullAccess' };
    };
  };
}

/** A recovery phrase to make, whose key the account gets. */
export interface AddRecoveryKeyArgs {
  readonly nearAccountId: string;
  readonly options?: ActionOptions<RecoveryKeyResult>;
}

/** An account to open again with its recovery phrase. */
export interface RecoverWithPhraseArgs {
  /** Default: the user is asked for it, next to the words. */
  readonly nearAccountId?: string;
  readonly options?: FlowOptions<'linking', RestoredAccount>;
}

export interface AddAppKeyArgs extends AppKeyToMake {
  readonly nearAccountId: string;
  readonly options?: ActionOptions<AppKeyResult>;
}

export interface CallWithAppKeyArgs extends AppKeyCall {
  readonly nearAccountId: string;
  readonly options?: ActionOptions;
}

/** Connecting a page to an account. */
export interface ConnectArgs {
  /** A message (NEP-413) that the account signs, such as a login challenge of the page's server. */
  readonly signMessage?: SignNep413Params;
  /** A function-call key of the page, which the account gets. */
  readonly addKey?: AppKeyToAdd;
  readonly options?: ConnectOptions;
}

/** A function-call key whose private half the page keeps. It has no end: the wallet cannot stop the page from using it. */
export interface AppKeyToAdd extends Omit<AppKeyToMake, 'expiresAt'> {
  /** `ed25519:...` */
  readonly publicKey: string;
}

/** A voucher pays for the account that the user makes; it is not used for one that exists. */
export interface ConnectOptions extends ActionOptions<ConnectResult>, SignupPayment {}

export interface RevokeAppKeyArgs {
  readonly nearAccountId: string;
  readonly publicKey: string;
  readonly options?: ActionOptions;
}

// ---------------------------------------------------------------- results

/** How a flow ended: without success, it says why, in words and by code. */
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
  /** Absent until a passkey's answer has said it. */
  readonly passkeyBackup?: PasskeyBackup;
}

/**
 * What the authenticator says of the passkey's backup (W3C WebAuthn Level 3, section 6.1.3): `backed-up`, in a passkey
 * manager's cloud for example; `not-backed-up`, although it may be; `device-bound`: it never will be.
 */
export type PasskeyBackup = 'backed-up' | 'not-backed-up' | 'device-bound';

export interface UserPreferences {
  readonly useRelayer: boolean;
  readonly useNetwork: string;
  /** What the user chose in the wallet; what a page sets is stored elsewhere. */
  readonly confirmationConfig?: Partial<ConfirmationConfig>;
  readonly theme?: Theme;
}

/** Choices to change; the rest stays. Null takes a choice back: the setting is as the page asks again. */
export type Choices<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** The changes to a user's preferences; the rest stays. */
export interface UserPreferencesChange extends Partial<Pick<UserPreferences, 'useRelayer' | 'useNetwork'>> {
  readonly confirmationConfig?: Choices<ConfirmationConfig>;
  readonly theme?: Theme | null;
}

/**
 * The fate of a transaction.
 * - `executed`: the chain executed it. `sent`: the chain took it; the awaited level says nothing further.
 * - `failed`: it was executed and failed; its fee is spent.
 * - `refused`: the chain did not take it, and never will.
 * - `unknown`: it was sent, and may still be executed. Look it up by its id before sending it again.
 * - `not-sent`: it never left the wallet, and never will.
 */
export type TransactionFate = 'executed' | 'sent' | 'failed' | 'refused' | 'unknown' | 'not-sent';

export interface ActionResult extends Outcome {
  readonly fate?: TransactionFate;
  /** Null when nothing was signed. */
  readonly transactionId: string | null;
  /** The chain's answer to `send_tx`. */
  readonly result: unknown;
}

/** What an app key may do. */
export interface AppKeyToMake {
  /** The one contract that it may call. */
  readonly receiverId: string;
  /** The methods that it may call; empty (the default) allows every method. */
  readonly methodNames?: readonly string[];
  /** How much of the account's yoctoNEAR its calls may cost in all, default 0.25 NEAR; null for no limit. */
  readonly allowance?: string | null;
  /**
   * When this wallet stops using the key and starts to remove it, in milliseconds since 1970; absent for no end. The
   * chain does not know it: it enforces the contract, the methods and the allowance.
   */
  readonly expiresAt?: number;
}

export interface RecoveryKeyResult extends ActionResult {
  /** `ed25519:...`, the key of the words; null when none were made. */
  readonly publicKey: string | null;
}

export interface AppKeyResult extends ActionResult {
  /** `ed25519:...`; null when none was made. */
  readonly publicKey: string | null;
  /**
   * True when the chain's answer was lost: the next start, or getAppKeys, looks it up and keeps a key that is on the
   * chain.
   */
  readonly pending?: boolean;
}

/** A function-call access key of an account. */
export interface AppKey {
  readonly publicKey: string;
  readonly receiverId: string;
  /** Empty: every method. */
  readonly methodNames: readonly string[];
  /** The yoctoNEAR left of its allowance; null for no limit. */
  readonly allowance: string | null;
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
  readonly gas?: string;
}

interface DelegateValidity {
  /** How many blocks after the prompt the delegate can be used: 10 to 86400, default 600. */
  readonly validForBlocks?: number;
}

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

export interface DelegateOptions extends FlowOptions<'action', SignDelegateResult>, DelegateValidity {}
export interface SignDelegatesOptions
  extends FlowOptions<'action', readonly SignDelegateResult[]>,
    DelegateValidity {}
export interface ExecuteDelegateOptions extends FlowOptions<'action', ActionResult>, DelegateValidity {}

/** A signed delegate (NEP-366); all null when it was not signed. Its holder can submit it once, and pays. */
export interface SignDelegateResult extends Outcome {
  /** Its NEP-461 hash, base58. */
  readonly hash: string | null;
  /** Its borsh bytes in standard base64: with `hash`, the body that a relay's POST /signed-delegate takes. */
  readonly signedDelegate: string | null;
  readonly publicKey: string | null;
  readonly nonce: string | null;
  /** The last block that may carry it. */
  readonly maxBlockHeight: string | null;
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

/** The outcome of Device1's part of a linking. The added key is deleted later unless a device makes it its own. */
export interface LinkDeviceResult extends Outcome {
  /** The key of the QR code; empty where it could not be read. */
  readonly device2PublicKey: string;
  /** Of the transaction that added the key. */
  readonly transactionId?: string;
  /** As given, in NEAR: validated and echoed; nothing is transferred. */
  readonly fundingAmount: string;
  readonly linkedToAccount?: string;
  /** The DeleteKey for that key, which the wallet itself sends when its time has come. */
  readonly signedDeleteKeyTransaction?: SignedTransaction;
}

export interface LinkDeviceOptions extends FlowOptions<'linking', LinkDeviceResult> {
  /** In NEAR, default `0.05`. */
  readonly fundingAmount?: string;
}

/** A device of an account, as the registry has it. */
export interface LinkedDevice {
  readonly deviceNumber: number;
  /** `Device N`. */
  readonly name: string;
  /** base64url. */
  readonly credentialId: string;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
  /** Whether it is this device. */
  readonly isCurrent: boolean;
  /** Its access key; null when that key is not, or no longer, on the account: it cannot sign; remove it again to finish. */
  readonly accessKey: string | null;
  /** The key that the registry recorded with it, for {@link deleteDeviceKey}, whether it is on the account or not. */
  readonly registeredKey: string | null;
}

/** Everything that can sign for an account with full access. */
export interface LinkedDevices {
  readonly accountId: string;
  /** The current device first, then by number. */
  readonly devices: readonly LinkedDevice[];
  /** Keys of linkings that were not completed. They are deleted automatically, or with the next confirmation. */
  readonly temporaryKeys: readonly {
    readonly publicKey: string;
    /** When the deletion is sent, milliseconds since 1970; null while that is not known. */
    readonly dueAt: number | null;
  }[];
  /** Other full-access keys, which belong to no registered device. */
  readonly otherKeys: readonly string[];
  /** Those of them that are a recovery phrase's, as far as this device made it; absent without one. */
  readonly recoveryKeys?: readonly string[];
}

export type DeleteDeviceKeyOptions = FlowOptions<'action', ActionResult>;

/** Success means that the viewer got the key; the caller never gets it. */
export interface ExportKeypairResult extends Outcome {
  readonly nearAccountId: string;
  readonly publicKey: string | null;
}

export interface RecentLogins {
  readonly accountIds: readonly string[];
  readonly lastUsedAccountId: { readonly nearAccountId: string; readonly deviceNumber: number } | null;
}

/** The content of a linking's QR code. */
export interface LinkDeviceQrData {
  /** `ed25519:` and base58 of 32 bytes: the key that Device1 adds to its account. */
  readonly device2PublicKey: string;
  /** The account that Device2 wants to join, if it knows it. */
  readonly accountId?: string;
  /** When the code was made, in milliseconds since 1970. */
  readonly timestamp: number;
  readonly version: '1.0';
}

/** A linking code that can be shown. */
export interface Device2Linking {
  readonly flowId: string;
  readonly qrData: LinkDeviceQrData;
  /** PNG, 256 x 256 pixels. */
  readonly qrCodeDataURL: string;
  /** 16 base32 characters (80 bits), the same on both screens; show it in groups of four. */
  readonly checkCode: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The account that this device has joined. */
export interface LinkedAccount extends Outcome {
  readonly nearAccountId: string;
  readonly deviceNumber: number | null;
  /** This device's own key. */
  readonly publicKey: string | null;
  /** The key swap, where there was one, and the registration. */
  readonly transactionIds: readonly string[];
  /** False when the user has to log in to the joined account separately. */
  readonly isLoggedIn: boolean;
}

/** The account that a recovery phrase let a new passkey into. */
export interface RestoredAccount extends Omit<LinkedAccount, 'nearAccountId'> {
  /** Null when the user named none. */
  readonly nearAccountId: string | null;
}

/** A passkey that waits for its key to be added to the account. */
export interface PreparedAdoption extends Outcome {
  readonly nearAccountId: string;
  /** The key to add; null when none was made. */
  readonly publicKey: string | null;
  /** True when the account has it already, after an interrupted earlier try. */
  readonly isAdded: boolean;
}

export interface AbandonedAdoption {
  /** True when the account has the key after all: the adoption can be finished, and nothing was rolled back. */
  readonly isAdded: boolean;
}

/** The outcome of registrations whose answer was lost, looked up at start. */
export interface ResumeResult {
  /** Registered after all, and stored. */
  readonly committed: readonly string[];
  /** Can no longer succeed; dropped. */
  readonly dropped: readonly string[];
  /** Still unknown. */
  readonly pending: readonly string[];
  /** Created with other keys than ours. */
  readonly mismatched: readonly string[];
  /** Accounts that a key of an earlier linking may still be deleted from; that continues in the background. */
  readonly deletions?: readonly string[];
  /** Accounts whose linking needs the user once more: `finishDeviceLinking`. */
  readonly unfinished?: readonly string[];
  /** Why some of `pending` could not be settled for reasons other than the chain: a full disk, for example. */
  readonly problems?: readonly ResumeProblem[];
  /** Batches whose page ended before the outcome of each transaction was known; absent when there were none. */
  readonly batches?: readonly ResumedBatch[];
  /** App keys that were being added when the page ended; absent when there were none. */
  readonly appKeys?: readonly ResumedAppKey[];
}

/** An app key of an earlier visit: `kept` when the chain has it, `expired` if its end is over, `dropped` when it never will. */
export interface ResumedAppKey {
  readonly nearAccountId: string;
  readonly receiverId: string;
  readonly publicKey: string;
  readonly outcome: 'kept' | 'expired' | 'dropped' | 'pending';
}

export interface ResumeProblem {
  readonly accountId: string;
  readonly errorCode: LatchkeyErrorCode;
  readonly error: string;
}

/** A batch of an earlier visit, in its current state on the chain. None of it is sent again. */
export interface ResumedBatch {
  readonly nearAccountId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** In their order. The next start looks up an `unknown` one again. */
  readonly transactions: readonly {
    /** Null for a delegate while no one has named the transaction that carries it. */
    readonly transactionId: string | null;
    readonly receiverId: string;
    readonly fate: TransactionFate;
  }[];
}

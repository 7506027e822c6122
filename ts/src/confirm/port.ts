/**
 * The port between the flows and whatever draws the confirmation. The facade takes one {@link Confirmer};
 * latchkey-react implements it.
 */
import type { LatchkeyError } from '../errors/latchkey-error.js';
import type { ViewerLook } from '../export/viewer-texts.js';
import type { ConfirmationBehavior, Theme, TransactionRequest, UiMode } from '../types.js';

interface ConfirmModelBase {
  readonly accountId: string;
  /** The site the passkey belongs to. */
  readonly rpId: string;
  readonly networkId: string;
  /** The origin of the page that asks, if the wallet runs in a frame of that page. The digest does not cover it. */
  readonly askedBy?: string;
  /** The intent digest, base64url of 32 bytes: computed from this model, bound into the passkey's challenge. */
  readonly digest: string;
  readonly uiMode: Exclude<UiMode, 'skip'>;
  /** With 'autoProceed' the flow goes on by itself after the delay: draw a loading state with a way to cancel. */
  readonly behavior: ConfirmationBehavior;
  readonly autoProceedDelayMs: number;
  readonly theme: Theme;
  /**
   * Set when an earlier prompt of the same request failed: offer 'Try again' and never go on without a click.
   * `behavior` is then 'requireClick'.
   */
  readonly retry?: RetryReason;
  /** The text to show with `retry`. */
  readonly error?: string;
  /** Set in a frame where the page asks often: offer 'stop' too. */
  readonly offersStop?: boolean;
}

export type RetryReason = 'cancelled' | 'timeout' | 'focus' | 'pending' | 'failed' | 'unverified';

export interface RegistrationConfirmModel extends ConfirmModelBase {
  readonly kind: 'registration';
  /**
   * Set for an account without a name, whose id follows from the passkey: what lists of passkeys will show for it.
   * `accountId` and `digest` are empty then.
   */
  readonly label?: string;
  readonly deviceNumber: number;
  /** Set when this device joins an existing account: its name came from the chain, and the user must recognise it. */
  readonly joining?: JoiningModel;
  /** Set when the registry is to record the passkey that the account has: no passkey is made. */
  readonly recording?: RecordingModel;
}

/** What the record of an account's own passkey costs the account, in yoctoNEAR next to the gas. */
export interface RecordingModel {
  /** Attached; what the record does not need comes back. */
  readonly depositYocto: string;
  /** About what the registry keeps of it. */
  readonly keptYocto: string;
  /** Set where this browser does not know the passkey's public key, and computes it from two of its answers. */
  readonly asksTwice?: boolean;
}

/** What the confirmer shows next to the account's name when a user links this device, or brings an account. */
export interface JoiningModel {
  /** 16 base32 characters (80 bits), the same on both screens; absent before this device's key is on the account. */
  readonly checkCode?: string;
  /** When the other device deletes the temporary key, in milliseconds since 1970; absent when it does not. */
  readonly deleteAt?: number;
}

export interface TransactionsConfirmModel extends ConfirmModelBase {
  readonly kind: 'transactions';
  /** Exactly what will be signed, in order. */
  readonly transactions: readonly TransactionRequest[];
  /** How many of the last transactions the wallet adds itself: they delete keys that it made and that are due. */
  readonly ownDeletions?: number;
  /** Set when the transactions let another device in. */
  readonly device?: LinkedDeviceModel;
  /** The wallet's estimate of their total cost. It is not signed, so the digest does not cover it. */
  readonly cost?: CostModel;
  /** Earlier payments equal to one of these, whose outcome is not known yet: 'confirm' may pay twice. Not signed either. */
  readonly repeats?: readonly RepeatedModel[];
  /** The account's devices whose key or registration these transactions delete, as the registry names them. Not signed either. */
  readonly removes?: readonly RemovedDeviceModel[];
  /** The app keys with an end, or paid for by the relay, that these transactions add or remove. Neither is signed. */
  readonly appKeys?: readonly AppKeyModel[];
  /** The key that these transactions add, set where it is that of a recovery phrase which the user has written down. */
  readonly recoveryKey?: string;
  /** What the contracts of the moved tokens say about them, where they answered in time. Not signed either. */
  readonly tokens?: readonly TokenModel[];
  /** The accounts that get something of value, other than this one and the registry. Not signed either. */
  readonly recipients?: readonly RecipientModel[];
  /** A message that the same prompt signs. */
  readonly withMessage?: MessageModel;
  /** Set when each transaction is signed as a delegate (NEP-366): another account submits them and pays. */
  readonly delegate?: DelegateModel;
}

/** A payment that left this device, and that no block is known to hold yet. */
export interface RepeatedModel {
  /** Null for a delegate while no one has named the transaction that carries it. */
  readonly transactionId: string | null;
  readonly receiverId: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** A contract's own words about its token (NEP-148): true only if that contract is honest, and the nodes that were asked. */
export interface TokenModel {
  readonly contractId: string;
  /** At most 16 characters, none of which is invisible or changes the direction. */
  readonly symbol: string;
  /** How many digits of an amount are decimals: 0 to 38. */
  readonly decimals: number;
}

/** An account that gets NEAR or tokens, or may take them. */
export interface RecipientModel {
  readonly accountId: string;
  /** No successful payment of this account from this device went there before. */
  readonly isNew: boolean;
  /** A known account that this one is easily taken for. */
  readonly looksLike?: string;
}

/** A device that can no longer sign for the account after these transactions. */
export interface RemovedDeviceModel {
  readonly deviceNumber: number;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
  /** What a list of passkeys shows for the device's own. */
  readonly passkeyName: string;
  /** Whether it is this device. */
  readonly isCurrent: boolean;
}

/** An app key of which more is to know than what is signed: its end, or that the relay pays into it. */
export interface AppKeyModel {
  /** `ed25519:...`. */
  readonly publicKey: string;
  /** The contract that it may call. */
  readonly receiverId: string;
  /** When this wallet stops using it and then removes it, milliseconds since 1970. Absent: no end. */
  readonly expiresAt?: number;
  /** What the relay of this host pays into it once it is on the account. */
  readonly paidByRelay?: { readonly amountYocto: string; readonly relay: string };
  readonly change: 'added' | 'removed';
}

/** An estimate, in yoctoNEAR. */
export interface CostModel {
  /**
   * Paid for gas up front, an upper bound of which the unused part comes back, and what publishing a contract burns: 0.0001 NEAR
   * a byte.
   */
  readonly gas: string;
  /** What of it such transactions usually burn. */
  readonly usual?: string;
  /** Transferred or attached. */
  readonly deposit: string;
  /** Both together. */
  readonly total: string;
  /** What the account can spend after its storage is paid for; absent when it could not be read. */
  readonly available?: string;
}

/** Where a delegate goes (not covered by the digest) and how long it can be used (covered). */
export interface DelegateModel {
  /** The host of the relay that gets it; null when the page that asks gets it and may pass it to anyone. */
  readonly relay: string | null;
  /** Counted from the block at the passkey prompt; with `maxBlockHeights` the most of them, from the last block, and not covered. */
  readonly validForBlocks: number;
  /** The last block that may carry each transaction, decimal strings. Set where the page chose one. */
  readonly maxBlockHeights?: readonly string[];
}

/** The device that a linking lets in; the user compares this with what that device shows. */
export interface LinkedDeviceModel {
  /** `ed25519:...`: the key that the transactions add. */
  readonly publicKey: string;
  /** 16 base32 characters (80 bits), the same on both screens. */
  readonly checkCode: string;
  /** When its code expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /**
   * The origin of the page that scanned the code, where the wallet did not: say so, and do not look like the dialog that
   * follows the wallet's own scan.
   */
  readonly scannedBy?: string;
}

/** A message (NEP-413) as the user sees it. */
export interface MessageModel {
  readonly message: string;
  readonly recipient: string;
  /** Set when the page that asks is not the recipient. Not signed. */
  readonly isForAnother?: boolean;
  /** Standard base64 of 32 bytes. */
  readonly nonce: string;
  readonly callbackUrl?: string;
  readonly state?: string;
  /** Set where the message is an authorization (NEP-641): what its recipient and its text say, read. */
  readonly authorization?: AuthorizationModel;
  /** Of the tokens that the message lets the recipient move; as in {@link TransactionsConfirmModel}. Not signed. */
  readonly tokens?: readonly TokenModel[];
  /** The accounts that get those tokens, the recipient and the tokens' contracts. Not signed either. */
  readonly recipients?: readonly RecipientModel[];
}

/** What an off-chain authorization binds. `domain`, `action` and `msg` are absent where the payload has another form. */
export interface AuthorizationModel {
  readonly chainId: string;
  /** The accounts that need it for their own: the direct parent first. Empty: the account authorizes for itself. */
  readonly path: readonly string[];
  /** RFC 3339. */
  readonly timestamp: string;
  /** The app that it is for, as the page says it. */
  readonly domain?: string;
  readonly action?: string;
  readonly msg?: string;
}

export interface Nep413ConfirmModel extends ConfirmModelBase, MessageModel {
  readonly kind: 'nep413';
}

/** The accounts that a page may be connected to, and what it asks for besides. */
export interface ConnectModel {
  readonly networkId: string;
  readonly theme: Theme;
  /** The site the passkeys belong to. */
  readonly rpId: string;
  /** The origin of the page that asks, if it is another one than the wallet's. */
  readonly askedBy?: string;
  /** The accounts of this device that may be shown, the one last used first. */
  readonly accountIds: readonly string[];
  /** New accounts are `<name>.<registry>`. */
  readonly registry: string;
  /** Whether a message is to be signed. The confirmation shows it. */
  readonly asksMessage: boolean;
  /** The contract that the key to add may call; absent where none is asked for. The confirmation shows its bounds. */
  readonly keyFor?: string;
  /** Why the last choice led nowhere: shown with the choice. */
  readonly error?: string;
  /** Set where the page asks often: offer 'stop' too. */
  readonly offersStop?: boolean;
}

/** What the user chose: an account of this device, a new one, or one to recover from its passkey. */
export type ConnectChoice =
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'new'; readonly accountId: string }
  | { readonly kind: 'recover' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'stop' };

/** Everything the confirmer shows, and nothing else; the digest covers the request. */
export type ConfirmModel = RegistrationConfirmModel | TransactionsConfirmModel | Nep413ConfirmModel;

/** What a request waits for before its confirmation, or a login before its end. No transaction is signed or sent yet. */
export interface WaitingModel {
  readonly networkId: string;
  readonly theme: Theme;
}

/** A QR code that the user holds before the camera. */
export interface ScanModel {
  readonly theme: Theme;
  /** Throws when the wallet has no use for this text: show the error's message, and offer another try. */
  check(text: string): void;
  /**
   * Another window can scan too: offer it after a failure of the camera, and reject with that failure when the user
   * chooses it.
   */
  readonly hasAnotherWay?: boolean;
}

/**
 * 'confirm' means a fresh click of the user in the confirmer. 'stop' is a 'cancel' of a user who wants no more questions
 * of this page; only where the model offers it.
 */
export type Decision = 'confirm' | 'cancel' | 'stop';

export interface Confirmer {
  /**
   * Shows the model and resolves with the user's decision. After 'confirm' the surface stays, busy, until
   * `signal` aborts (the flow is over) or `show` is called again (another try). If `signal` aborts before a decision,
   * close the surface and resolve with 'cancel'.
   */
  show(model: ConfirmModel, signal: AbortSignal): Promise<Decision>;
  /**
   * Shows what the request waits for, with a way to cancel it. Resolves when the user cancels, or when `signal`
   * aborts: the wait is over. A confirmer without it shows nothing until the confirmation, or the login's end.
   */
  wait?(model: WaitingModel, signal: AbortSignal): Promise<void>;
  /**
   * Asks which account to connect the page to. After a choice the surface stays, busy, until `signal` aborts or another
   * method is called. If `signal` aborts before a choice, close it and resolve with 'cancel'. Without this method the account
   * in use is connected.
   */
  choose?(model: ConnectModel, signal: AbortSignal): Promise<ConnectChoice>;
  /**
   * Scans a QR code with the camera; resolves with a text that `check` accepts. Rejects with CANCELLED when the user
   * closes the scanner, and with the signal's reason when `signal` aborts.
   */
  scan?(model: ScanModel, signal: AbortSignal): Promise<string>;
  /** How the key viewer, which is not this confirmer's, speaks and looks when it opens. Default: in English, unbranded. */
  viewerLook?(): Promise<ViewerLook>;
  /** An error's text in the language of the user. Default: its message. */
  errorText?(error: Pick<LatchkeyError, 'code' | 'message' | 'values'>): Promise<string>;
}

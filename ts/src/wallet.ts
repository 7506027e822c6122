/**
 * The contract of the wallet. PasskeyManager, the wallet in this page and the wallet in a frame implement it; the
 * frame's messages take their payloads and results from it.
 */
import type { AccessKeyList } from './near/index.js';
import type { AutofillOptions } from './types/autofill.js';
import type {
  AbandonedAdoption,
  ActionResult,
  AddAppKeyArgs,
  AddRecoveryKeyArgs,
  AppKey,
  AppKeyResult,
  CallWithAppKeyArgs,
  ConfirmationBehavior,
  ConfirmationConfig,
  ConfirmationWish,
  ConnectArgs,
  ConnectResult,
  CreateAccountArgs,
  CreatedAccount,
  DeleteDeviceKeyOptions,
  Device2Linking,
  Device2LinkingOptions,
  ExecuteActionArgs,
  ExecuteDelegateArgs,
  ExportKeypairOptions,
  ExportKeypairResult,
  FinishLinkingOptions,
  FundAppKeyArgs,
  LinkDeviceOptions,
  LinkDeviceQrData,
  LinkDeviceResult,
  LinkedAccount,
  LinkedDevices,
  LoginOptions,
  LoginResult,
  LoginState,
  Outcome,
  PasskeyCheckOptions,
  PasskeyCheckResult,
  PrepareAdoptionOptions,
  PreparedAdoption,
  RecentLogins,
  RecoverableAccount,
  RecoverWithPhraseArgs,
  RecoveryKeyResult,
  RecoveryOptions,
  RecoveryRequest,
  RecoveryResult,
  RegisterDeviceOptions,
  RegisteredDevice,
  RegistrationOptions,
  RegistrationResult,
  RestoredAccount,
  ResumeResult,
  RevokeAppKeyArgs,
  SendTransactionArgs,
  SignAndSendTransactionsArgs,
  SignDelegateArgs,
  SignDelegateResult,
  SignDelegatesArgs,
  SignNep413Args,
  SignNep413Result,
  SignNep641Args,
  SignNep641Result,
  SignTransactionResult,
  SignTransactionsArgs,
  Theme,
  UserPreferences,
  UserPreferencesChange,
} from './types.js';

/** The calls of the wallet. */
export interface Wallet {
  /** Looks up every registration whose outcome is unknown, and settles those that can be settled. */
  resume(): Promise<ResumeResult>;

  /** Makes a passkey and an account with it: `<name>.<registry account>`. One prompt (two where needed). */
  registerPasskey(nearAccountId: string, options?: RegistrationOptions): Promise<RegistrationResult>;

  /**
   * Makes a passkey and an account with it that has no name: its id is the key that the passkey gives. One prompt (two where
   * needed), and no request to a node or relay. The account is on the chain with the first NEAR sent to it; until then its
   * balance is 0.
   */
  createAccount(args?: CreateAccountArgs): Promise<CreatedAccount>;

  /**
   * Has the registry record the passkey of an account without a name, once there is money: what it approves then needs the
   * registry's verdict, and other devices can be linked. The account pays for gas and the storage of the record. One prompt; two
   * in a browser that recovered the account, which computes the passkey's public key from two answers (ES256 alone). Sends
   * nothing where the passkey is recorded already.
   */
  registerDevice(nearAccountId: string, options?: RegisterDeviceOptions): Promise<RegisteredDevice>;

  /**
   * Connects this page to an account: the user chooses one of this device, or makes one. On request the account also signs a
   * message and gets a function-call key of the page. An account that exists needs one prompt in all where its session opens
   * without one.
   */
  connect(args?: ConnectArgs): Promise<ConnectResult>;

  /** Unlocks the session: silently by the server lock, or by a passkey prompt. */
  loginPasskey(nearAccountId: string, options?: LoginOptions): Promise<LoginResult>;

  /**
   * Recovers an account from its passkey alone, and logs it in. One prompt when the account's name is given; without
   * it two, because the user first chooses the passkey. An account without a name needs one.
   */
  recoverAccountFlow(request?: RecoveryRequest): Promise<RecoveryResult>;

  /**
   * Lists the passkeys that can recover an account: those that the registry has for it, or the one that the user
   * chooses (one prompt). Rejects with a LatchkeyError. Most hosts want {@link recoverAccountFlow}, or the class
   * AccountRecoveryFlow.
   */
  discoverRecoverableAccounts(
    nearAccountId?: string,
    options?: RecoveryOptions,
  ): Promise<readonly RecoverableAccount[]>;

  /**
   * Clears the VRF session, here and in every other tab of this origin. Stored records stay. A running login, and a
   * confirmation that waits, end with CANCELLED.
   */
  logoutAndClearVrfSession(): Promise<void>;

  /** Returns whether the account (default: the one last used) is logged in here, and what is known about it. */
  getLoginState(nearAccountId?: string): Promise<LoginState>;

  /**
   * Asks for the account's passkey once more, to prove that it gives the same keys again: call it before money comes in where
   * `LoginState.userData.passkeyProven` is false. One prompt. Needs no session, chain or relay.
   */
  checkPasskey(nearAccountId: string, options?: PasskeyCheckOptions): Promise<PasskeyCheckResult>;

  /** Returns whether this device knows a passkey of the account. */
  hasPasskeyCredential(nearAccountId: string): Promise<boolean>;

  /** Lists the accounts known on this device, the one last used first. */
  getRecentLogins(): Promise<RecentLogins>;

  /** Lists the account's access keys as the chain gives them. */
  viewAccessKeyList(nearAccountId: string): Promise<AccessKeyList>;

  /** Signs one transaction with the passkey and sends it. */
  executeAction(args: ExecuteActionArgs): Promise<ActionResult>;

  /** Signs transactions with one prompt and returns them unsent. Throws a LatchkeyError on failure. */
  signTransactionsWithActions(args: SignTransactionsArgs): Promise<readonly SignTransactionResult[]>;

  /** Sends a transaction that was signed before. */
  sendTransaction(args: SendTransactionArgs): Promise<ActionResult>;

  /** Signs transactions with one prompt and sends them, in order (default) or staggered. */
  signAndSendTransactions(args: SignAndSendTransactionsArgs): Promise<readonly ActionResult[]>;

  /** Signs an off-chain message (NEP-413) with one prompt. */
  signNEP413Message(args: SignNep413Args): Promise<SignNep413Result>;

  /** Signs an off-chain authorization (NEP-641) with one prompt, as a message (NEP-413) that names chain, account and time. */
  signNEP641Authorization(args: SignNep641Args): Promise<SignNep641Result>;

  /**
   * Starts linking this device to an account. Resolves with a code as soon as it can be shown; the linking continues in
   * the background and reports its end through events, `onError` and `afterCall`. With an `accountId` the passkey is made
   * first, and any wallet of that account can add the key.
   */
  startDevice2LinkingFlow(options?: Device2LinkingOptions): Promise<Device2Linking>;

  /** Ends the linking that runs here; resolves when it has ended. */
  stopDevice2LinkingFlow(): Promise<void>;

  /**
   * Continues a linking that `resume` reports as unfinished: one prompt for its passkey, and one for a new passkey where
   * that one has become too old for the registry.
   */
  finishDeviceLinking(nearAccountId: string, options?: FinishLinkingOptions): Promise<LinkedAccount>;

  /**
   * Makes the passkey for an account that another wallet of the user controls, and returns the key that that wallet is
   * to add. One prompt; none where an earlier try left its passkey. {@link PasskeyManager.adoptAccount} makes this call
   * and the two that follow; a page whose other wallet leaves the page calls them itself.
   */
  prepareAdoption(nearAccountId: string, options?: PrepareAdoptionOptions): Promise<PreparedAdoption>;

  /**
   * After {@link prepareAdoption}: waits until the chain shows the key, registers the passkey and logs in. After a
   * reload, one prompt for the passkey.
   */
  finishAdoption(nearAccountId: string, options?: FinishLinkingOptions): Promise<LinkedAccount>;

  /** After {@link prepareAdoption}, where the other wallet refused: drops the passkey, unless the account has its key. */
  abandonAdoption(nearAccountId: string): Promise<AbandonedAdoption>;

  /**
   * Shows the account's private key in a viewer of its own, after a warning, a click there and one prompt. Works when
   * logged out too, and without chain or relay. Resolves when the viewer is closed.
   */
  exportNearKeypairWithUI(
    nearAccountId: string,
    options?: ExportKeypairOptions,
  ): Promise<ExportKeypairResult>;

  /**
   * Makes a recovery phrase, twelve words that open the account when its passkey is lost. The user writes them down and
   * types two of them; then one confirmation and one prompt add their key, with full access. The words are shown once, in
   * a document of their own, and are stored nowhere.
   */
  addRecoveryKey(args: AddRecoveryKeyArgs): Promise<RecoveryKeyResult>;

  /**
   * Opens an account again with its recovery phrase: the user types the words in a document of their own, makes a passkey
   * with one prompt, and is logged in. The words open the account afterwards too. Interrupted, the same call continues.
   */
  recoverWithPhrase(args?: RecoverWithPhraseArgs): Promise<RestoredAccount>;

  /** Makes a key for an app and adds it to the account, with one confirmation and one prompt. Calls with it need neither. */
  addAppKey(args: AddAppKeyArgs): Promise<AppKeyResult>;

  /** Calls a method of the app's contract with the key made for that app: no prompt, no confirmation, no deposit. */
  callWithAppKey(args: CallWithAppKeyArgs): Promise<ActionResult>;

  /**
   * Asks the relay of the configuration to pay into a prepaid app key, for a voucher in `options.signupVoucher`: no prompt, no
   * confirmation. The same call again, with the same voucher, is paid for once.
   */
  fundAppKey(args: FundAppKeyArgs): Promise<ActionResult>;

  /** Removes an app key from the account and from this device, with one confirmation and one prompt. */
  revokeAppKey(args: RevokeAppKeyArgs): Promise<ActionResult>;

  /** Signs actions for another party to submit and pay for (NEP-366), with one prompt. */
  signDelegateAction(args: SignDelegateArgs): Promise<SignDelegateResult>;

  /** As {@link signDelegateAction}, for several with one prompt: all are signed, or none. Returns one result for each. */
  signDelegateActions(args: SignDelegatesArgs): Promise<readonly SignDelegateResult[]>;

  /** As {@link signDelegateAction}; the configured relay submits the delegate and pays for it. */
  executeDelegateAction(args: ExecuteDelegateArgs): Promise<ActionResult>;

  /** Lists the account's function-call keys, of this device and of others, with what is left of their allowances. */
  getAppKeys(nearAccountId: string): Promise<readonly AppKey[]>;

  /** Fetches nonce and block ahead of a signature, e.g. on hover of the button (debounced by 400 ms). */
  prefetchBlockheight(): Promise<void>;

  /**
   * Returns the confirmation settings in force for an account (default: the one logged in, else the one last used): the
   * configuration, overridden by what this page set, overridden by what the user chose.
   */
  getConfirmationConfig(nearAccountId?: string): Promise<ConfirmationConfig>;

  /**
   * Sets how this page wants its requests confirmed, for one account (default as above); persists over reloads. The
   * setting applies to this page alone: the user's own choice overrides it, and inside a frame it waives no click.
   */
  setConfirmationConfig(config: ConfirmationWish, nearAccountId?: string): Promise<void>;

  /** As {@link setConfirmationConfig}, for `behavior` alone. */
  setConfirmBehavior(behavior: ConfirmationBehavior, nearAccountId?: string): Promise<void>;

  /** Returns what is stored with an account of this device: the user's own choices. */
  getUserPreferences(nearAccountId?: string): Promise<UserPreferences>;

  /**
   * Stores what the user chose in the wallet's own screens. Call it only from those screens: inside a frame, this
   * setting is what lets a request skip the click.
   */
  setUserPreferences(change: UserPreferencesChange, nearAccountId?: string): Promise<void>;

  /** Stores the user's theme with the account; without an account, with this page. */
  setUserTheme(theme: Theme, nearAccountId?: string): Promise<void>;

  /**
   * Adds another device to the logged-in account: the one whose QR code the caller scanned. One prompt. The confirmation
   * shows the same check code as the other device, and says that this gives full access. A wallet in a frame refuses it
   * (LINK_CODE_REFUSED) unless its operator lists the host in `linkCodeHosts`; its confirmation then says that the page
   * scanned the code.
   */
  linkDeviceWithScannedQRData(
    qrData: string | LinkDeviceQrData,
    options?: LinkDeviceOptions,
  ): Promise<LinkDeviceResult>;

  /**
   * As {@link linkDeviceWithScannedQRData}, with a QR code that the wallet itself scans: in its frame, or in its own
   * window. The host learns neither key nor check code before the user has approved. For 15 minutes after the scan the wallet
   * takes no code from any host, also after a reload where the browser lets the frame store anything.
   */
  scanAndLinkDevice(options?: LinkDeviceOptions): Promise<LinkDeviceResult>;

  /** Lists the account's devices, and the full-access keys that belong to none. Throws AUTHENTICATORS_FAILED. */
  getLinkedDevices(accountId: string): Promise<LinkedDevices>;

  /** Deletes a key of the account, and the registration of the device that the key belongs to. One prompt. */
  deleteDeviceKey(
    accountId: string,
    publicKeyToDelete: string,
    options?: DeleteDeviceKeyOptions,
  ): Promise<ActionResult>;
}

/** A wallet with its workers, or its frame. */
export interface RunningWallet extends Wallet {
  /** See {@link PasskeyManager.recoverByAutofill}. */
  recoverByAutofill(options: AutofillOptions): Promise<RecoveryResult | null>;
  /** Starts the workers, or connects the frame, ahead of the first call. */
  warmUp(): Promise<void>;
  /** Ends the session and the workers, or removes the frame. */
  close(): Promise<void>;
}

export type CallName = keyof Wallet;
export type CallArgs<C extends CallName> = Parameters<Wallet[C]>;
export type CallResult<C extends CallName> = Awaited<ReturnType<Wallet[C]>>;

/**
 * How a call fails: it resolves with a result of its type that says why, with one for each part of the request, or it
 * rejects with a LatchkeyError. What the call returns decides.
 */
export type FailsWith<C extends CallName> =
  CallResult<C> extends Outcome
    ? 'result'
    : CallResult<C> extends readonly Outcome[]
      ? 'results'
      : 'rejection';

/** The calls that resolve when they fail. */
export type ResolvingCall = { [C in CallName]: FailsWith<C> extends 'rejection' ? never : C }[CallName];

/** Every call, and how it fails; the type makes the list complete. */
const CALLS: { readonly [C in CallName]: FailsWith<C> } = {
  resume: 'rejection',
  registerPasskey: 'result',
  createAccount: 'result',
  registerDevice: 'result',
  connect: 'result',
  loginPasskey: 'result',
  recoverAccountFlow: 'result',
  discoverRecoverableAccounts: 'rejection',
  logoutAndClearVrfSession: 'rejection',
  getLoginState: 'rejection',
  checkPasskey: 'result',
  hasPasskeyCredential: 'rejection',
  getRecentLogins: 'rejection',
  viewAccessKeyList: 'rejection',
  executeAction: 'result',
  signTransactionsWithActions: 'rejection',
  sendTransaction: 'result',
  signAndSendTransactions: 'results',
  signNEP413Message: 'result',
  signNEP641Authorization: 'result',
  startDevice2LinkingFlow: 'rejection',
  stopDevice2LinkingFlow: 'rejection',
  finishDeviceLinking: 'result',
  prepareAdoption: 'result',
  finishAdoption: 'result',
  abandonAdoption: 'rejection',
  exportNearKeypairWithUI: 'result',
  addRecoveryKey: 'result',
  recoverWithPhrase: 'result',
  addAppKey: 'result',
  callWithAppKey: 'result',
  fundAppKey: 'result',
  revokeAppKey: 'result',
  signDelegateAction: 'result',
  signDelegateActions: 'results',
  executeDelegateAction: 'result',
  getAppKeys: 'rejection',
  prefetchBlockheight: 'rejection',
  getConfirmationConfig: 'rejection',
  setConfirmationConfig: 'rejection',
  setConfirmBehavior: 'rejection',
  getUserPreferences: 'rejection',
  setUserPreferences: 'rejection',
  setUserTheme: 'rejection',
  linkDeviceWithScannedQRData: 'result',
  scanAndLinkDevice: 'result',
  getLinkedDevices: 'rejection',
  deleteDeviceKey: 'result',
};

/** Makes a wallet that passes every call to `forward`: its name, its arguments, and the object it was called on. */
export function forwardingWallet<This>(
  forward: (call: CallName, args: CallArgs<CallName>, on: This) => Promise<unknown>,
): Wallet {
  const methods = Object.keys(CALLS).map((call) => [
    call,
    function (this: This, ...args: CallArgs<CallName>) {
      return forward(call as CallName, args, this);
    },
  ]);
  return Object.fromEntries(methods) as Wallet;
}

/** Makes a call by its name. */
export function callOn<C extends CallName>(
  wallet: Wallet,
  call: C,
  args: CallArgs<C>,
): Promise<CallResult<C>> {
  const method: (...args: never) => unknown = wallet[call];
  return Reflect.apply(method, wallet, args) as Promise<CallResult<C>>;
}

/** How a call fails, whatever goes wrong. */
export function failsWith<C extends CallName>(call: C): FailsWith<C> {
  return CALLS[call];
}

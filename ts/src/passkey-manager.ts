/** The facade. Everything it does is loaded at first use, in one chunk, and runs in this page or in the wallet's frame. */
import { type PasskeyManagerConfig, type ResolvedConfig, resolveConfig } from './config.js';
import type { Confirmer } from './confirm/port.js';
import type { LinkDeviceQrData } from './flows/linking/qr.js';
import type { Wallet, WalletSurroundings } from './flows/wallet.js';
import type { FramedWallet } from './frame/host/framed-wallet.js';
import type { RegisterButton, RegisterButtonOptions } from './frame/host/register-button.js';
import type { AccessKeyList } from './near/index.js';
import type {
  ActionInput,
  ActionOptions,
  ActionResult,
  AppKey,
  AppKeyCall,
  AppKeyResult,
  AppKeyToMake,
  ConfirmationBehavior,
  ConfirmationConfig,
  DelegateOptions,
  DeleteDeviceKeyOptions,
  Device2Linking,
  Device2LinkingOptions,
  ExecuteDelegateOptions,
  ExportKeypairOptions,
  ExportKeypairResult,
  FinishLinkingOptions,
  LinkDeviceOptions,
  LinkDeviceResult,
  LinkedAccount,
  LinkedDevices,
  LoginOptions,
  LoginResult,
  LoginState,
  RecentLogins,
  RecoverableAccount,
  RecoveryOptions,
  RecoveryRequest,
  RecoveryResult,
  RegistrationOptions,
  RegistrationResult,
  ResumeResult,
  SignAndSendOptions,
  SignDelegateResult,
  SignedTransaction,
  SignNep413Options,
  SignNep413Params,
  SignNep413Result,
  SignTransactionResult,
  SignTransactionsOptions,
  Theme,
  TransactionInput,
  UserPreferences,
  UserPreferencesChange,
} from './types.js';
import type { DeviceCheck } from './webauthn/device-check.js';

export interface PasskeyManagerParts {
  /** Draws confirmations; can be connected later with {@link PasskeyManager.setConfirmer}. */
  readonly confirmer?: Confirmer;
  /**
   * The origin of the page whose wishes come through this manager; what it sets is kept for it alone. Default: this
   * page's own. A wallet in a frame gives its host's.
   */
  readonly page?: string;
}

interface LoadedWallet {
  readonly wallet: Wallet;
  /** The same one, where it is in a frame. */
  readonly framed: FramedWallet | null;
}

export class PasskeyManager {
  /** The configuration with every default filled in. */
  readonly config: ResolvedConfig;
  readonly #page: string | undefined;
  #confirmer: Confirmer | null;
  readonly #stateListeners = new Set<(state: LoginState) => void>();
  #wallet: Promise<LoadedWallet> | undefined;

  /** Throws a LatchkeyError that names every bad field of the configuration. Starts nothing yet. */
  constructor(config: PasskeyManagerConfig, parts: PasskeyManagerParts = {}) {
    this.config = resolveConfig(config);
    this.#confirmer = parts.confirmer ?? null;
    this.#page = parts.page;
  }

  /** Connects what draws confirmations; null disconnects it. */
  setConfirmer(confirmer: Confirmer | null): void {
    this.#confirmer = confirmer;
  }

  /** Loads the wallet, starts its workers, and looks up registrations whose outcome was unknown. */
  async init(): Promise<ResumeResult> {
    const wallet = await this.#load();
    await wallet.warmUp();
    return wallet.resume();
  }

  /**
   * Makes the wallet ready ahead of the first call: connects its frame where it has one, else starts its workers.
   * Called on a page's first idle moment or on hover, it takes the wait out of the first click.
   */
  async preload(): Promise<void> {
    await (await this.#load()).warmUp();
  }

  /**
   * What this browser can do with passkeys, as far as it tells; shows nothing and never rejects. A registration, a
   * login by passkey and a recovery ask it too, and end with its sentence where a prompt is certain to fail.
   */
  async checkDevice(): Promise<DeviceCheck> {
    const { checkDevice } = await import('./webauthn/device-check.js');
    if (!this.config.iframeWallet) return checkDevice();
    // It is the frame's own permissions that count; without the frame, this page is the best guess.
    return this.#loadFramed()
      .then((wallet) => wallet.checkDevice())
      .catch(checkDevice);
  }

  /**
   * Shows the wallet's own settings, where the person chooses how requests are confirmed; resolves when they are
   * closed. In the wallet frame only: else rejects with WALLET_FRAME_ONLY, and the page draws its own.
   */
  async openSettings(): Promise<void> {
    return (await this.#loadFramed()).openSettings();
  }

  /**
   * Lays the wallet's own register button over an element of the page, so that the click falls inside the wallet's
   * frame, where a browser wants it for a new passkey. In the wallet frame only: else rejects with WALLET_FRAME_ONLY.
   * One at a time: an earlier one is taken away.
   */
  async registerButton(options: RegisterButtonOptions): Promise<RegisterButton> {
    return (await this.#loadFramed()).registerButton(options);
  }

  /** Looks up every registration whose outcome is unknown, and settles those that can be settled. */
  async resume(): Promise<ResumeResult> {
    return (await this.#load()).resume();
  }

  /** Makes a passkey and an account with it: `<name>.<registry account>`. One prompt (two where needed). */
  async registerPasskey(
    nearAccountId: string,
    options: RegistrationOptions = {},
  ): Promise<RegistrationResult> {
    return (await this.#load()).registerPasskey(nearAccountId, options);
  }

  /** Unlocks the session: silently by the server lock, or by a passkey prompt. */
  async loginPasskey(nearAccountId: string, options: LoginOptions = {}): Promise<LoginResult> {
    return (await this.#load()).loginPasskey(nearAccountId, options);
  }

  /**
   * Brings an account back from its passkey alone, and logs it in. One prompt with the account's name, two without:
   * then the person chooses the passkey first.
   */
  async recoverAccountFlow(request: RecoveryRequest = {}): Promise<RecoveryResult> {
    return (await this.#load()).recoverAccountFlow(request);
  }

  /**
   * The passkeys with which an account can be recovered: those that the registry has of it, or the one that the person
   * chooses (one prompt). Rejects with a LatchkeyError. Most hosts want {@link recoverAccountFlow}, or the class
   * AccountRecoveryFlow.
   */
  async discoverRecoverableAccounts(
    nearAccountId?: string,
    options: RecoveryOptions = {},
  ): Promise<readonly RecoverableAccount[]> {
    return (await this.#load()).discoverRecoverableAccounts(nearAccountId, options);
  }

  /**
   * Clears the VRF session, here and in every other tab of this origin. Stored records stay. A login that runs, and
   * a confirmation that waits, ends with CANCELLED.
   */
  async logoutAndClearVrfSession(): Promise<void> {
    return (await this.#load()).logout();
  }

  /** Whether the account (default: the one last used) is logged in here, and what is known of it. */
  async getLoginState(nearAccountId?: string): Promise<LoginState> {
    return (await this.#load()).getLoginState(nearAccountId);
  }

  /**
   * Calls the listener when the login state changes: a login, a registration or a logout (in another tab too), a
   * worker lost, the site's data cleared, another account used last. Returns what ends it.
   */
  onLoginStateChange(listener: (state: LoginState) => void): () => void {
    const own = (state: LoginState): void => listener(state);
    this.#stateListeners.add(own);
    return () => void this.#stateListeners.delete(own);
  }

  /** Whether this device knows a passkey of the account. */
  async hasPasskeyCredential(nearAccountId: string): Promise<boolean> {
    return (await this.#load()).hasPasskeyCredential(nearAccountId);
  }

  /** The accounts known on this device, the one last used first. */
  async getRecentLogins(): Promise<RecentLogins> {
    return (await this.#load()).getRecentLogins();
  }

  /** The account's access keys as the chain gives them. */
  async viewAccessKeyList(nearAccountId: string): Promise<AccessKeyList> {
    return (await this.#load()).viewAccessKeyList(nearAccountId);
  }

  /** Signs one transaction with the passkey and sends it. */
  async executeAction(args: {
    readonly nearAccountId: string;
    readonly receiverId: string;
    readonly actionArgs: ActionInput | readonly ActionInput[];
    readonly options?: ActionOptions;
  }): Promise<ActionResult> {
    return (await this.#load()).executeAction(args);
  }

  /** Signs transactions with one prompt and returns them unsent. Throws a LatchkeyError on failure. */
  async signTransactionsWithActions(args: {
    readonly nearAccountId: string;
    readonly transactions: readonly TransactionInput[];
    readonly options?: SignTransactionsOptions;
  }): Promise<readonly SignTransactionResult[]> {
    return (await this.#load()).signTransactionsWithActions(args);
  }

  /** Sends a transaction that was signed before. */
  async sendTransaction(args: {
    readonly signedTransaction: SignedTransaction;
    readonly options?: ActionOptions;
  }): Promise<ActionResult> {
    return (await this.#load()).sendTransaction(args);
  }

  /** Signs transactions with one prompt and sends them, in order (default) or staggered. */
  async signAndSendTransactions(args: {
    readonly nearAccountId: string;
    readonly transactions: readonly TransactionInput[];
    readonly options?: SignAndSendOptions;
  }): Promise<readonly ActionResult[]> {
    return (await this.#load()).signAndSendTransactions(args);
  }

  /** Signs an off-chain message (NEP-413) with one prompt. */
  async signNEP413Message(args: {
    readonly nearAccountId: string;
    readonly params: SignNep413Params;
    readonly options?: SignNep413Options;
  }): Promise<SignNep413Result> {
    return (await this.#load()).signNEP413Message(args);
  }

  /**
   * Shows the way for another device to let this one in: answers a code once it can be shown, and goes on behind. Its
   * end is told by events, `onError` and `afterCall`. With an `accountId` the passkey is made first, and any wallet of
   * that account may add the key.
   */
  async startDevice2LinkingFlow(options: Device2LinkingOptions = {}): Promise<Device2Linking> {
    return (await this.#load()).startDevice2LinkingFlow(options);
  }

  /** Ends the linking that runs here; resolves when it has ended. */
  async stopDevice2LinkingFlow(): Promise<void> {
    return (await this.#load()).stopDevice2LinkingFlow();
  }

  /** Goes on with a linking that `resume` reports as unfinished: one more prompt. */
  async finishDeviceLinking(
    nearAccountId: string,
    options: FinishLinkingOptions = {},
  ): Promise<LinkedAccount> {
    return (await this.#load()).finishDeviceLinking(nearAccountId, options);
  }

  /**
   * Shows the account's private key in a viewer of its own, after a warning, a click there and one prompt. Works
   * logged out too, and with neither chain nor relay. Resolves when the viewer is closed.
   */
  async exportNearKeypairWithUI(
    nearAccountId: string,
    options: ExportKeypairOptions = {},
  ): Promise<ExportKeypairResult> {
    return (await this.#load()).exportNearKeypairWithUI(nearAccountId, options);
  }

  /** Makes a key for an app and adds it to the account, with one confirmation and one prompt. It calls without any. */
  async addAppKey(
    args: AppKeyToMake & {
      readonly nearAccountId: string;
      readonly options?: ActionOptions<AppKeyResult>;
    },
  ): Promise<AppKeyResult> {
    return (await this.#load()).addAppKey(args);
  }

  /** Calls a method of the app's contract with a key that was made for it: no prompt, no confirmation, no deposit. */
  async callWithAppKey(
    args: AppKeyCall & {
      readonly nearAccountId: string;
      readonly options?: ActionOptions;
    },
  ): Promise<ActionResult> {
    return (await this.#load()).callWithAppKey(args);
  }

  /** Takes an app key off the account and off this device, with one confirmation and one prompt. */
  async revokeAppKey(args: {
    readonly nearAccountId: string;
    readonly publicKey: string;
    readonly options?: ActionOptions;
  }): Promise<ActionResult> {
    return (await this.#load()).revokeAppKey(args);
  }

  /** Signs actions for somebody else to submit and pay for (NEP-366), with one prompt. */
  async signDelegateAction(args: {
    readonly nearAccountId: string;
    readonly receiverId: string;
    readonly actions: ActionInput | readonly ActionInput[];
    readonly options?: DelegateOptions;
  }): Promise<SignDelegateResult> {
    return (await this.#load()).signDelegateAction(args);
  }

  /** The same, and the configured relay submits it: the relay pays. */
  async executeDelegateAction(args: {
    readonly nearAccountId: string;
    readonly receiverId: string;
    readonly actions: ActionInput | readonly ActionInput[];
    readonly options?: ExecuteDelegateOptions;
  }): Promise<ActionResult> {
    return (await this.#load()).executeDelegateAction(args);
  }

  /** The account's function-call keys: those of this device and of others, and what is left of their allowances. */
  async getAppKeys(nearAccountId: string): Promise<readonly AppKey[]> {
    return (await this.#load()).getAppKeys(nearAccountId);
  }

  /** Fetches nonce and block ahead of a signature, e.g. on hover of the button (debounced by 400 ms). */
  async prefetchBlockheight(): Promise<void> {
    return (await this.#load()).prefetchBlockheight();
  }

  /**
   * The confirmation settings in force for an account (default: the one logged in, else the one last used): the
   * configuration, what this page set over it, and what the person chose over both.
   */
  async getConfirmationConfig(nearAccountId?: string): Promise<ConfirmationConfig> {
    return (await this.#load()).getConfirmationConfig(nearAccountId);
  }

  /**
   * Sets how this page wants its requests confirmed, for one account (default as above), over reloads. It is the
   * page's wish, kept for this page alone: what the person chose wins over it, and inside a frame it waives no click.
   */
  async setConfirmationConfig(config: Partial<ConfirmationConfig>, nearAccountId?: string): Promise<void> {
    return (await this.#load()).setConfirmationConfig(config, nearAccountId);
  }

  /** As {@link setConfirmationConfig}, for the behavior alone. */
  async setConfirmBehavior(behavior: ConfirmationBehavior, nearAccountId?: string): Promise<void> {
    return (await this.#load()).setConfirmBehavior(behavior, nearAccountId);
  }

  /** What is stored with an account of this device: the person's own choices. */
  async getUserPreferences(nearAccountId?: string): Promise<UserPreferences> {
    return (await this.#load()).getUserPreferences(nearAccountId);
  }

  /**
   * Stores what the person chose in the wallet's own screens. Call it from those alone: inside a frame this is what
   * lets a request go without a click.
   */
  async setUserPreferences(change: UserPreferencesChange, nearAccountId?: string): Promise<void> {
    return (await this.#load()).setUserPreferences(change, nearAccountId);
  }

  /** Stores the person's theme with the account; without one, with this page. */
  async setUserTheme(theme: Theme, nearAccountId?: string): Promise<void> {
    return (await this.#load()).setUserTheme(theme, nearAccountId);
  }

  /**
   * Lets another device into the account that is logged in: the one whose QR code was scanned. One prompt. The
   * confirmation shows the code that the other device shows too, and says that this gives full access.
   */
  async linkDeviceWithScannedQRData(
    qrData: string | LinkDeviceQrData,
    options: LinkDeviceOptions = {},
  ): Promise<LinkDeviceResult> {
    return (await this.#load()).linkDeviceWithScannedQRData(qrData, options);
  }

  /** The account's devices, and the full-access keys that belong to none. Throws AUTHENTICATORS_FAILED. */
  async getLinkedDevices(accountId: string): Promise<LinkedDevices> {
    return (await this.#load()).getLinkedDevices(accountId);
  }

  /** Deletes a key of the account, and the registration of the device that it belongs to. One prompt. */
  async deleteDeviceKey(
    accountId: string,
    publicKeyToDelete: string,
    options: DeleteDeviceKeyOptions = {},
  ): Promise<ActionResult> {
    return (await this.#load()).deleteDeviceKey(accountId, publicKeyToDelete, options);
  }

  /** Ends the session and the workers, or takes the wallet's frame away. The next call starts them again. */
  async close(): Promise<void> {
    const loading = this.#wallet;
    this.#wallet = undefined;
    await (await loading)?.wallet.close();
  }

  /** As {@link close}, and tells its listeners nothing more: for a page that is done with this manager. */
  async destroy(): Promise<void> {
    this.#stateListeners.clear();
    this.#confirmer = null;
    await this.close();
  }

  async #load(): Promise<Wallet> {
    return (await this.#loading()).wallet;
  }

  async #loadFramed(): Promise<FramedWallet> {
    const loaded = this.config.iframeWallet ? await this.#loading() : undefined;
    return loaded?.framed ?? (await this.#makeFramed()).framed;
  }

  #loading(): Promise<LoadedWallet> {
    if (this.#wallet) return this.#wallet;
    const loading = this.config.iframeWallet ? this.#makeFramed() : this.#makeOwn();
    this.#wallet = loading;
    // A chunk that did not load (offline, say) is asked for again by the next call.
    loading.catch(() => {
      if (this.#wallet === loading) this.#wallet = undefined;
    });
    return loading;
  }

  /** Throws WALLET_FRAME_ONLY where none is configured. */
  async #makeFramed(): Promise<{ readonly wallet: Wallet; readonly framed: FramedWallet }> {
    const { createFramedWallet } = await import('./frame/host/framed-wallet.js');
    const framed = createFramedWallet(this.config, this.#surroundings());
    return { wallet: framed, framed };
  }

  async #makeOwn(): Promise<LoadedWallet> {
    const { createWallet } = await import('./flows/wallet.js');
    return { wallet: createWallet(this.config, this.#surroundings()), framed: null };
  }

  #surroundings(): WalletSurroundings {
    return {
      confirmer: () => this.#confirmer,
      page: this.#page ?? location.origin,
      onLoginState: (state) => {
        for (const listener of this.#stateListeners) reported(() => listener(state));
      },
    };
  }
}

/** A listener decides nothing: its error is reported as an event listener's is. */
function reported(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}

/** The facade. Everything it does is loaded at first use, in one chunk, and runs in this page's own origin. */
import { type PasskeyManagerConfig, type ResolvedConfig, resolveConfig } from './config.js';
import type { Confirmer } from './confirm/port.js';
import type { Wallet } from './flows/wallet.js';
import type { AccessKeyList } from './near/index.js';
import type {
  ActionInput,
  ActionOptions,
  ActionResult,
  ConfirmationConfig,
  LoginOptions,
  LoginResult,
  LoginState,
  RecentLogins,
  RegistrationOptions,
  RegistrationResult,
  ResumeResult,
  SignAndSendOptions,
  SignedTransaction,
  SignNep413Options,
  SignNep413Params,
  SignNep413Result,
  SignTransactionResult,
  SignTransactionsOptions,
  TransactionInput,
} from './types.js';

export interface PasskeyManagerParts {
  /** Draws confirmations; can be connected later with {@link PasskeyManager.setConfirmer}. */
  readonly confirmer?: Confirmer;
}

export class PasskeyManager {
  /** The configuration with every default filled in. */
  readonly config: ResolvedConfig;
  #confirmer: Confirmer | null;
  #wallet: Promise<Wallet> | undefined;

  /** Throws a LatchkeyError that names every bad field of the configuration. Starts nothing yet. */
  constructor(config: PasskeyManagerConfig, parts: PasskeyManagerParts = {}) {
    this.config = resolveConfig(config);
    this.#confirmer = parts.confirmer ?? null;
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

  /** Clears the VRF session. Stored records stay. */
  async logoutAndClearVrfSession(): Promise<void> {
    return (await this.#load()).logout();
  }

  /** Whether the account (default: the one last used) is logged in here, and what is known of it. */
  async getLoginState(nearAccountId?: string): Promise<LoginState> {
    return (await this.#load()).getLoginState(nearAccountId);
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

  /** Fetches nonce and block ahead of a signature, e.g. on hover of the button (debounced by 400 ms). */
  async prefetchBlockheight(): Promise<void> {
    return (await this.#load()).prefetchBlockheight();
  }

  /** The person's confirmation settings, with the configured defaults filled in. */
  async getConfirmationConfig(): Promise<ConfirmationConfig> {
    return (await this.#load()).getConfirmationConfig();
  }

  /** Changes the settings of the account last used; without one, of this page until it is left. */
  async setConfirmationConfig(config: Partial<ConfirmationConfig>): Promise<void> {
    return (await this.#load()).setConfirmationConfig(config);
  }

  /** Ends the session and the workers. The next call starts them again. */
  async close(): Promise<void> {
    const wallet = this.#wallet;
    this.#wallet = undefined;
    await (await wallet)?.close();
  }

  #load(): Promise<Wallet> {
    if (this.#wallet) return this.#wallet;
    const loading = import('./flows/wallet.js').then(({ createWallet }) =>
      createWallet(this.config, () => this.#confirmer),
    );
    this.#wallet = loading;
    // A chunk that did not load (offline, say) is asked for again by the next call.
    loading.catch(() => {
      if (this.#wallet === loading) this.#wallet = undefined;
    });
    return loading;
  }
}

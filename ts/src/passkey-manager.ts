/**
 * The facade. It loads everything else at first use, and runs it in the wallet's frame, or in this page by the wallet of
 * `latchkey/same-origin`.
 */
import { type FailedResultLoader, failedCall, reported } from './call-failure.js';
import { type PasskeyManagerConfig, type ResolvedConfig, resolveAfter } from './config.js';
import { optionProblems } from './config-options.js';
import type { Confirmer } from './confirm/port.js';
import { LatchkeyError, NO_BROWSER } from './errors/core.js';
import { orOffline } from './errors/offline.js';
import type { WalletSurroundings } from './flows/wallet.js';
import { originGiven } from './frame/config.js';
import type { FramedWallet } from './frame/host/framed-wallet.js';
import type { RegisterButton, RegisterButtonOptions } from './frame/host/register-button.js';
import type {
  WalletTransactionButton,
  WalletTransactionButtonOptions,
} from './frame/host/transaction-button.js';
import { type PlainNames, plainNames } from './plain-names.js';
import type { AutofillOptions } from './types/autofill.js';
import type { AdoptAccountArgs, LinkedAccount, LoginState, RecoveryResult, ResumeResult } from './types.js';
import { callOn, forwardingWallet, type RunningWallet, type Wallet } from './wallet.js';
import type { DeviceCheck } from './webauthn/device-check.js';

/** Loads what the facade needs of a wallet, each part when it is used. `latchkey/same-origin` has that of a wallet in this page. */
export interface WalletLoader {
  createWallet(config: ResolvedConfig, surroundings: WalletSurroundings): Promise<RunningWallet>;
  checkDevice(): Promise<DeviceCheck>;
  adoptAccount(wallet: Wallet, args: AdoptAccountArgs): Promise<LinkedAccount>;
  readonly failedResult: FailedResultLoader;
}

const host = () => import('./frame/host/framed-wallet.js');
const hostCalls = async () => (await host()).loadCalls();

const framedWallet: WalletLoader = {
  createWallet: async (...given) => (await host()).createFramedWallet(...given),
  checkDevice: async () => (await hostCalls()).checkDevice(),
  adoptAccount: async (...given) => (await hostCalls()).adoptAccount(...given),
  failedResult: async (...given) => (await hostCalls()).failedResult(...given),
};

export interface PasskeyManagerParts {
  /**
   * Runs the wallet in this page where the configuration names no `iframeWallet`: `sameOriginWallet` of
   * `latchkey/same-origin`. An app that does not import it ships neither flows nor WASM.
   */
  readonly wallet?: WalletLoader | undefined;
  /** Draws confirmations; can be connected later with {@link PasskeyManager.setConfirmer}. */
  readonly confirmer?: Confirmer | undefined;
  /**
   * The origin of the page that makes calls through this manager; its settings are stored for it alone. Default: this
   * page's own. A wallet in a frame gives its host's.
   */
  readonly page?: string | undefined;
}

const NO_WALLET =
  "iframeWallet is missing: name the wallet's origin there, or run the wallet in this page: " +
  "new PasskeyManager(config, { wallet: sameOriginWallet }) with sameOriginWallet of 'latchkey/same-origin'";

/** Gives {@link PasskeyManager} the calls of {@link Wallet} and their plain names, which its static block implements. */
const WalletCalls = class {} as new () => Wallet & PlainNames;

/** The wallet as a host uses it. Every call of {@link Wallet} loads the wallet first where it is not loaded yet. */
export class PasskeyManager extends WalletCalls {
  static {
    const calls = forwardingWallet((call, args, manager: PasskeyManager) =>
      manager
        .#use((wallet) => callOn(wallet, call, args))
        .catch((error) => failedCall(call, args, error, manager.#loader.failedResult)),
    );
    Object.assign(PasskeyManager.prototype, calls, plainNames());
  }

  /** The configuration with every default filled in. */
  readonly config: ResolvedConfig;
  readonly #page: string | undefined;
  readonly #loader: WalletLoader;
  #confirmer: Confirmer | null;
  readonly #stateListeners = new Set<(state: LoginState) => void>();
  #wallet: Promise<RunningWallet> | undefined;

  /** Throws a LatchkeyError that names every bad field of the configuration. Starts nothing yet. */
  constructor(config: PasskeyManagerConfig, parts: PasskeyManagerParts = {}) {
    super();
    const problems = optionProblems(config);
    if (!parts.wallet && !originGiven(config?.iframeWallet)) problems.push(NO_WALLET);
    this.config = resolveAfter(problems, config);
    this.#loader = (!this.config.iframeWallet && parts.wallet) || framedWallet;
    this.#confirmer = parts.confirmer ?? null;
    this.#page = parts.page;
  }

  /** Connects what draws confirmations; null disconnects it. */
  setConfirmer(confirmer: Confirmer | null): void {
    this.#confirmer = confirmer;
  }

  /** Loads the wallet, starts its workers, and looks up registrations whose outcome was unknown. */
  async init(): Promise<ResumeResult> {
    return this.#use(async (wallet) => {
      await wallet.warmUp();
      return wallet.resume();
    });
  }

  /**
   * Makes the wallet ready ahead of the first call: connects its frame where it has one, otherwise starts its
   * workers. Called when a page is first idle, or on hover, it removes the wait from the first click.
   */
  async preload(): Promise<void> {
    await (await this.#loading()).warmUp();
  }

  /**
   * Returns what this browser can do with passkeys, as far as it says; shows nothing and never rejects. A
   * registration, a login by passkey and a recovery check it too, and end with its text where a prompt is certain to
   * fail.
   */
  async checkDevice(): Promise<DeviceCheck> {
    const { checkDevice } = this.#loader;
    if (!this.config.iframeWallet) return checkDevice();
    // The frame's own permissions count; without the frame, this page's are the best guess.
    return this.#loadFramed()
      .then((wallet) => wallet.checkDevice())
      .catch(checkDevice);
  }

  /**
   * Offers the site's passkeys in a field of the page (`autocomplete="username webauthn"`) until the user chooses one or the signal
   * aborts; then goes on as `recoverAccount` without a name. A prompt of the wallet ends the offer, which is taken up again after
   * it; a newer offer takes its place. The field and the request must share a document, so a wallet in a frame draws the field itself,
   * over `container`. Resolves with null where nothing is offered: the browser cannot, or a wallet in a frame got no container.
   */
  async recoverByAutofill(options: AutofillOptions = {}): Promise<RecoveryResult | null> {
    return this.#use((wallet) => wallet.recoverByAutofill(options));
  }

  /**
   * Shows the wallet's own settings, where the user chooses how requests are confirmed; resolves when they are
   * closed. Only in the wallet frame: otherwise rejects with WALLET_FRAME_ONLY, and the page draws its own.
   */
  async openSettings(): Promise<void> {
    return (await this.#loadFramed()).openSettings();
  }

  /**
   * Lays the wallet's own register button over an element of the page, so that the click falls inside the wallet's
   * frame, as a browser requires for a new passkey. Only in the wallet frame: otherwise rejects with
   * WALLET_FRAME_ONLY. A new button replaces an earlier one.
   */
  async registerButton(options: RegisterButtonOptions): Promise<RegisterButton> {
    return (await this.#loadFramed()).registerButton(options);
  }

  /**
   * Lays the wallet's own transaction button over an element of the page. It shows what it signs, inside the wallet's
   * frame, and one click confirms it. Only in the wallet frame: otherwise rejects with WALLET_FRAME_ONLY. A new button
   * replaces an earlier one.
   */
  async transactionButton(options: WalletTransactionButtonOptions): Promise<WalletTransactionButton> {
    return (await this.#loadFramed()).transactionButton(options);
  }

  /**
   * Calls the listener when the login state changes: a login, a registration or a logout (in another tab too), a
   * worker lost, the site's data cleared, another account used last. Returns a function that ends it.
   */
  onLoginStateChange(listener: (state: LoginState) => void): () => void {
    const own = (state: LoginState): void => listener(state);
    this.#stateListeners.add(own);
    return () => void this.#stateListeners.delete(own);
  }

  /**
   * Brings an account that the user has already: makes its passkey, asks the user's other wallet through `addKey` for one
   * AddKey, registers this device and logs it in. One prompt. The wallet asks the chain for the key and believes no
   * answer of `addKey`. Interrupted, the same call continues, and after a refusal nothing is left.
   */
  async adoptAccount(args: AdoptAccountArgs): Promise<LinkedAccount> {
    return this.#loader.adoptAccount(this, args);
  }

  /** Ends the session and the workers, or removes the wallet's frame. The next call starts them again. */
  async close(): Promise<void> {
    const loading = this.#wallet;
    this.#wallet = undefined;
    await (await loading)?.close();
  }

  /** As {@link close}, and drops all listeners: for a page that no longer needs this manager. */
  async destroy(): Promise<void> {
    this.#stateListeners.clear();
    this.#confirmer = null;
    await this.close();
  }

  /** Loads the wallet where it is not loaded yet. Throws OFFLINE for what fails for lack of a network. */
  async #use<T>(call: (wallet: RunningWallet) => Promise<T>): Promise<T> {
    try {
      return await call(await this.#loading());
    } catch (error) {
      throw orOffline(error);
    }
  }

  /** Throws WALLET_FRAME_ONLY where none is configured. */
  async #loadFramed(): Promise<FramedWallet> {
    const framed = this.config.iframeWallet ? this.#loading() : this.#create(framedWallet);
    return framed as Promise<FramedWallet>;
  }

  #loading(): Promise<RunningWallet> {
    if (this.#wallet) return this.#wallet;
    const loading = this.#create(this.#loader);
    this.#wallet = loading;
    // After a chunk failed to load (offline, for example), the next call tries again.
    loading.catch(() => {
      if (this.#wallet === loading) this.#wallet = undefined;
    });
    return loading;
  }

  /** Throws NO_BROWSER where there is no page, such as on a server that renders one. */
  async #create(loader: WalletLoader): Promise<RunningWallet> {
    if (!('document' in globalThis)) throw new LatchkeyError(NO_BROWSER);
    return loader.createWallet(this.config, this.#surroundings());
  }

  #surroundings(): WalletSurroundings {
    return {
      confirmer: () => this.#confirmer,
      page: this.#page ?? location.origin,
      onLoginState: (state) => {
        for (const listener of this.#stateListeners) void reported(() => listener(state));
      },
    };
  }
}

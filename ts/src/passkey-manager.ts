/**
 * The facade. It loads everything else at first use, in one chunk, and runs it in this page or in the wallet's frame.
 */
import { failedCall, reported } from './call-failure.js';
import { type PasskeyManagerConfig, type ResolvedConfig, resolveAfter } from './config.js';
import { optionProblems } from './config-options.js';
import type { Confirmer } from './confirm/port.js';
import { orOffline } from './errors/offline.js';
import type { WalletSurroundings } from './flows/wallet.js';
import type { FramedWallet } from './frame/host/framed-wallet.js';
import type { RegisterButton, RegisterButtonOptions } from './frame/host/register-button.js';
import type {
  WalletTransactionButton,
  WalletTransactionButtonOptions,
} from './frame/host/transaction-button.js';
import { type PlainNames, plainNames } from './plain-names.js';
import type { AdoptAccountArgs, LinkedAccount, LoginState, ResumeResult } from './types.js';
import { callOn, forwardingWallet, type RunningWallet, type Wallet } from './wallet.js';
import type { DeviceCheck } from './webauthn/device-check.js';

export interface PasskeyManagerParts {
  /** Draws confirmations; can be connected later with {@link PasskeyManager.setConfirmer}. */
  readonly confirmer?: Confirmer | undefined;
  /**
   * The origin of the page that makes calls through this manager; its settings are stored for it alone. Default: this
   * page's own. A wallet in a frame gives its host's.
   */
  readonly page?: string | undefined;
}

interface LoadedWallet {
  readonly wallet: RunningWallet;
  /** The same wallet when it runs in a frame. */
  readonly framed: FramedWallet | null;
}

/** Gives {@link PasskeyManager} the calls of {@link Wallet} and their plain names, which its static block implements. */
const WalletCalls = class {} as new () => Wallet & PlainNames;

/** The wallet as a host uses it. Every call of {@link Wallet} loads the wallet first where it is not loaded yet. */
export class PasskeyManager extends WalletCalls {
  static {
    const calls = forwardingWallet((call, args, manager: PasskeyManager) =>
      manager.#use((wallet) => callOn(wallet, call, args)).catch((error) => failedCall(call, args, error)),
    );
    Object.assign(PasskeyManager.prototype, calls, plainNames());
  }

  /** The configuration with every default filled in. */
  readonly config: ResolvedConfig;
  readonly #page: string | undefined;
  #confirmer: Confirmer | null;
  readonly #stateListeners = new Set<(state: LoginState) => void>();
  #wallet: Promise<LoadedWallet> | undefined;

  /** Throws a LatchkeyError that names every bad field of the configuration. Starts nothing yet. */
  constructor(config: PasskeyManagerConfig, parts: PasskeyManagerParts = {}) {
    super();
    this.config = resolveAfter(optionProblems(config), config);
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
    await (await this.#loading()).wallet.warmUp();
  }

  /**
   * Returns what this browser can do with passkeys, as far as it says; shows nothing and never rejects. A
   * registration, a login by passkey and a recovery check it too, and end with its text where a prompt is certain to
   * fail.
   */
  async checkDevice(): Promise<DeviceCheck> {
    const { checkDevice } = await import('./webauthn/device-check.js');
    if (!this.config.iframeWallet) return checkDevice();
    // The frame's own permissions count; without the frame, this page's are the best guess.
    return this.#loadFramed()
      .then((wallet) => wallet.checkDevice())
      .catch(checkDevice);
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
    return (await import('./adopt-account.js')).adoptAccount(this, args);
  }

  /** Ends the session and the workers, or removes the wallet's frame. The next call starts them again. */
  async close(): Promise<void> {
    const loading = this.#wallet;
    this.#wallet = undefined;
    await (await loading)?.wallet.close();
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
      return await call((await this.#loading()).wallet);
    } catch (error) {
      throw orOffline(error);
    }
  }

  async #loadFramed(): Promise<FramedWallet> {
    const loaded = this.config.iframeWallet ? await this.#loading() : undefined;
    return loaded?.framed ?? (await this.#makeFramed()).framed;
  }

  #loading(): Promise<LoadedWallet> {
    if (this.#wallet) return this.#wallet;
    const loading = this.config.iframeWallet ? this.#makeFramed() : this.#makeOwn();
    this.#wallet = loading;
    // After a chunk failed to load (offline, for example), the next call tries again.
    loading.catch(() => {
      if (this.#wallet === loading) this.#wallet = undefined;
    });
    return loading;
  }

  /** Throws WALLET_FRAME_ONLY where none is configured. */
  async #makeFramed(): Promise<{ readonly wallet: RunningWallet; readonly framed: FramedWallet }> {
    await needsPage();
    const { createFramedWallet } = await import('./frame/host/framed-wallet.js');
    const framed = createFramedWallet(this.config, this.#surroundings());
    return { wallet: framed, framed };
  }

  async #makeOwn(): Promise<LoadedWallet> {
    await needsPage();
    const { createWallet } = await import('./flows/wallet.js');
    return { wallet: createWallet(this.config, this.#surroundings()), framed: null };
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

/** Throws NO_BROWSER where there is no page, such as on a server that renders one. */
async function needsPage(): Promise<void> {
  if (!('document' in globalThis)) throw (await import('./errors/no-browser.js')).noBrowser();
}

/** The wallet on its own origin: every call of {@link Wallet} is a request to the page in the frame. */
import type { ResolvedConfig } from '../../config.js';
import { CANCELLED, LatchkeyError, WALLET_FRAME_ONLY } from '../../errors/core.js';
import type { WalletSurroundings } from '../../flows/wallet.js';
import { callOn, forwardingWallet, type RunningWallet } from '../../wallet.js';
import type { DeviceCheck } from '../../webauthn/device-check.js';
import type { FrameCalls } from './calls.js';
import { createFrameElement } from './frame-element.js';
import type { RegisterButton, RegisterButtonOptions } from './register-button.js';
import type { WalletTransactionButton, WalletTransactionButtonOptions } from './transaction-button.js';

/** What a wallet in a frame offers on top. */
export interface FramedWallet extends RunningWallet {
  /** Rejects where the wallet is not ready, or does not answer, within 4 seconds. */
  checkDevice(): Promise<DeviceCheck>;
  /** Shows the wallet's own settings; resolves when the user has closed them. */
  openSettings(): Promise<void>;
  /** Replaces the previous button or field. */
  registerButton(options: RegisterButtonOptions): Promise<RegisterButton>;
  /** Replaces the previous button or field. */
  transactionButton(options: WalletTransactionButtonOptions): Promise<WalletTransactionButton>;
}

/** Loads what runs after the first call. Only from here, so that a bundler knows what is loaded before it. */
export const loadCalls = () => import('./calls.js');

/** Creates the wallet whose frame `config.iframeWallet` describes. Loads nothing before the first call. */
export function createFramedWallet(
  config: ResolvedConfig,
  { page, onLoginState }: Pick<WalletSurroundings, 'page' | 'onLoginState'>,
): FramedWallet {
  if (!config.iframeWallet) throw new LatchkeyError(WALLET_FRAME_ONLY);
  const element = createFrameElement(config.iframeWallet, page);
  const closing = new AbortController();
  const options = {
    config: config.iframeWallet,
    element,
    closing: closing.signal,
    onLoginState,
    warn: config.logger.warn,
  };
  let loaded: Promise<FrameCalls> | undefined;
  const calls = (): Promise<FrameCalls> => {
    if (loaded) return loaded;
    const loading = loadCalls().then(({ callsOver }) => callsOver(options));
    // What did not load is asked for again by the next call.
    loading.catch(() => (loaded = undefined));
    loaded = loading;
    return loading;
  };

  return {
    ...forwardingWallet(async (call, args) => callOn(await calls(), call, args)),
    warmUp: async () => {
      // The wallet's page loads meanwhile. A frame in an insecure page is insecure too, and the connection says so.
      if (isSecureContext && !loaded && !closing.signal.aborted) element.mount();
      await (await calls()).warmUp();
    },
    checkDevice: async () => (await calls()).checkDevice(),
    openSettings: async () => (await calls()).openSettings(),
    recoverByAutofill: async (options) => (await calls()).recoverByAutofill(options),
    registerButton: async (options) => (await calls()).registerButton(options),
    transactionButton: async (options) => (await calls()).transactionButton(options),
    close: async () => {
      closing.abort(new LatchkeyError(CANCELLED));
      element.remove();
    },
  };
}

/** What the operator of a wallet origin configures. */
import type { PasskeyManagerConfig } from '../../config.js';

export interface WalletPageConfig extends Omit<PasskeyManagerConfig, 'iframeWallet'> {
  /**
   * The origins whose pages may embed this wallet, beside those that the registry lists (`get_allowed_hosts`): each
   * `scheme://host[:port]`, https, or http on localhost. `'any'` lets every page embed it: the operator's choice, for
   * a wallet that is meant for everyone.
   */
  readonly allowedHosts?: readonly string[] | 'any';
  /** Of them, those whose pages are trusted not to cover or disguise the wallet's confirmations. */
  readonly trustedHosts?: readonly string[];
  /** Of them, those that may set the RPC list, the registry and the relay of their own frame. */
  readonly configurableBy?: readonly string[];
  /**
   * Whether a host may run passkey prompts for the wallet where the browser allows them neither in a frame nor in a window
   * of the wallet's own. It then sees what the keys are made from: for a wallet whose every host is trusted like itself.
   */
  readonly enableSafariGetWebauthnRegistrationFallback?: boolean;
}

/** The part of it that travels in the page: plain data. */
export type WalletPageData = Omit<WalletPageConfig, 'logger'>;

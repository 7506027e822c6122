/** The configuration that the operator of a wallet origin writes. */
import type { PasskeyManagerConfig } from '../../config.js';
import type { Brand } from '../../styles/brand.js';

export interface WalletPageConfig extends Omit<PasskeyManagerConfig, 'iframeWallet'> {
  /**
   * The origins whose pages may embed this wallet, in addition to those that the registry lists
   * (`get_allowed_hosts`): each `scheme://host[:port]`, https, or http on localhost. On testnet, `http://localhost:*` is
   * every port of localhost. `'any'` lets every page embed it, for a wallet meant for everyone.
   */
  readonly allowedHosts?: readonly string[] | 'any' | undefined;
  /**
   * The origins whose pages may ask in a window of the wallet (`/connect`, `/sign`): each `scheme://host[:port]`. Default
   * `'any'`: no page can cover a window, and the user sees who asks.
   */
  readonly openers?: readonly string[] | 'any' | undefined;
  /** Those of `allowedHosts` whose pages are trusted not to cover or disguise the wallet's confirmations. */
  readonly trustedHosts?: readonly string[] | undefined;
  /**
   * Those of them that may scan the code of a new device themselves and hand it in. Default: none, the wallet scans. A page of
   * this list can hand in a key of its own, which gets full access if the user confirms it.
   */
  readonly linkCodeHosts?: readonly string[] | undefined;
  /** Those of `allowedHosts` that may set the RPC list, the registry and the relay of their own frame. */
  readonly configurableBy?: readonly string[] | undefined;
  /**
   * Whether a host may run passkey prompts for the wallet where the browser allows them neither in a frame nor in a
   * separate window. The host then sees the PRF outputs that keys are made from: for a wallet that trusts
   * every host like itself.
   */
  readonly enableSafariGetWebauthnRegistrationFallback?: boolean | undefined;
  /** The look of the wallet's screens in the frame. A host chooses between light and dark alone. */
  readonly brand?: Brand | undefined;
  /**
   * The language of the wallet's screens, unless their user has chosen another: `'auto'`, the default, is that of the page
   * around the wallet, or else of the browser, where the wallet has it.
   */
  readonly language?: 'en' | 'de' | 'ar' | 'auto' | undefined;
  /** The tokens that the wallet's own page lists, next to those that its user moved or added. */
  readonly tokens?:
    | {
        /** Their contracts. */
        readonly contractIds?: readonly string[] | undefined;
        /**
         * An indexer with FastNEAR's account API, which names further tokens and learns the accounts and network addresses of this
         * wallet's users. Default: none is asked.
         */
        readonly indexerUrl?: string | undefined;
      }
    | undefined;
  /**
   * The path of a script on the wallet's own origin, such as `/hooks.js`: a module that exports functions which the wallet's own page
   * calls, `onAddFunds` and `worthOf`. It has the rights of the wallet: serve only what you wrote.
   */
  readonly homeHooks?: string | undefined;
}

/** The part that travels in the page: plain data. */
export type WalletPageData = Omit<WalletPageConfig, 'logger'>;

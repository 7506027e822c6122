/**
 * The wallet page: accepts the port of one allowed host, and serves a wallet on it.
 *
 * 1. the host's frame is this page's parent, and its origin is allowed
 * 2. the wallet is created for that origin: its settings and its accounts alone
 * 3. the port is served until the page goes away
 */
import { type Logger, resolveConfig } from '../../config.js';
import type { Confirmer } from '../../confirm/port.js';
import { INVALID_CONFIG, LatchkeyError, messageOf } from '../../errors/core.js';
import { IN_MEMORY_TEXT } from '../../errors/in-memory.js';
import { clearClipboardByHost } from '../../export/clear-clipboard.js';
import type { Device2Linking, Theme } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import type { Credentials } from '../../webauthn/credentials.js';
import { canonicalOrigin } from '../origin.js';
import type { LinkingProgress, RegisterButtonModel } from '../protocol/index.js';
import type { ClearClipboard, EscapePressed } from '../window-messages.js';
import { acceptHost } from './accept-host.js';
import { admitsHost } from './admission.js';
import { type AllowedHosts, canonicalOrigins } from './allowed-hosts.js';
import { ButtonClick, confirmerWithButton } from './button-click.js';
import { onEscapeWithoutDialog } from './escape.js';
import { hostWallet } from './host-wallet.js';
import { framedConfirmer, framedCredentials, framedKeyWindow, whereWeAre } from './other-places.js';
import type { WalletPageConfig } from './page-config.js';
import type { Patience } from './patience.js';
import { type PopupScreen, setPopupTheme } from './popup.js';
import type { PopupPageUi } from './popup-page.js';
import { servePort } from './serve-port.js';
import type { ShownTransactionButton } from './transaction-button.js';
import { trustOwnWorkers } from './trusted-workers.js';

export { isPopup } from './is-popup.js';
export type { WalletPageConfig } from './page-config.js';
export type { PopupScreen } from './popup.js';
export type { PopupPageUi } from './popup-page.js';
export type { WalletUi, WalletUiType } from './shipped-ui.js';
export type { ShownTransactionButton } from './transaction-button.js';
export type {
  UiClosed,
  UiError,
  UiMount,
  UiRegisterTypes,
  UiUnmount,
  UiUpdate,
} from './ui-messages.js';

/** The host, and whether the user told it to stop asking. */
export interface HostPatience {
  readonly host: string;
  readonly patience: Pick<Patience, 'isStopped' | 'allow'>;
}

/** What draws for the wallet. latchkey-react's wallet page is one. */
export interface WalletPageUi {
  readonly confirmer: Confirmer;
  /** Asks for a click that opens the wallet's own window. */
  readonly popupScreen: PopupScreen;
  /** Draws the user's settings; resolves when they have closed them, or `signal` aborts. */
  openSettings(wallet: Wallet, signal: AbortSignal, asking: HostPatience): Promise<void>;
  /** Draws the code of a linking and its steps until `signal` aborts. Calls `onClose` where the user closes it before. */
  showLinkingCode(
    linking: Device2Linking,
    options: LinkingProgress & { readonly theme: Theme; readonly onClose: () => void },
  ): Promise<void>;
  /** Draws the register button over all of the page until `signal` aborts; each click on it calls `register`. */
  showRegisterButton(
    button: RegisterButtonModel & { readonly theme: Theme },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Draws the transaction button over all of the page until `signal` aborts. Where a click came after the user saw all of
   * it, it calls `sign` with what it showed next to the transactions, and no other click is asked for unless there is more
   * to say; otherwise it calls `sign` without, which shows the confirmation.
   */
  showTransactionButton(button: ShownTransactionButton, signal: AbortSignal): Promise<void>;
  /** Draws the field that offers passkeys over all of the page until `signal` aborts. */
  showPasskeyField(theme: Theme, signal: AbortSignal): Promise<void>;
  /** Shows that the page around this one may not use the wallet. */
  hostNotAllowed(origin: string): Promise<void>;
  /** Draws what is open in another theme. */
  setTheme(theme: Theme): void;
  /** The language of the page around this one, as its HTML names it. Resolves once the screens have it, or keep theirs. */
  setHostLanguage(language: string): Promise<void>;
  /** Tells the user that the browser lets this page store nothing, without blocking. Called once at most. */
  storageRefused(text: string): Promise<void>;
}

/** Reads the configuration that the page's server wrote into it. Throws INVALID_CONFIG where there is none. */
export function readWalletPageConfig(page: Document): WalletPageConfig {
  try {
    const config: unknown = JSON.parse(page.getElementById('latchkey-config')?.textContent ?? '');
    if (typeof config === 'object' && config !== null) return config as WalletPageConfig;
    throw new TypeError('it is no object');
  } catch (cause) {
    const reason =
      "the wallet page has no configuration: serve it by walletSite or latchkey-react's Vite plugin";
    throw new LatchkeyError(INVALID_CONFIG, { values: { reason }, cause });
  }
}

/** Runs the wallet's own window, whose code no frame loads. */
export async function runPopup(ui: PopupPageUi): Promise<void> {
  await (await import('./popup-page.js')).runPopup(ui);
}

/** Waits for a host and serves it. Throws INVALID_CONFIG where the configuration cannot be used. */
export async function startWalletPage(config: WalletPageConfig, ui: WalletPageUi): Promise<void> {
  trustOwnWorkers();
  // No other script runs on a wallet's own origin, so none can reach its viewer.
  const own: WalletPageConfig = { keyExport: { sameOrigin: true }, ...config };
  const { logger, confirmationConfig: fallback } = resolveConfig(own);
  const rightsOf = rightsIn(own);
  const [
    { port, origin },
    { Patience, patientConfirmer, patientCredentials, patientLogin },
    { tellingSettings, themeFollower },
    { serveUi },
    { frameServices },
  ] = await Promise.all([
    acceptHost({ isAllowed: showingRefusal(admitsHost(own), ui, logger.warn) }),
    import('./patience.js'),
    import('./live-theme.js'),
    import('./serve-ui.js'),
    import('./frame-services.js'),
  ]);

  const rights = rightsOf(origin);
  const { isTrustedHost } = rights;
  const { popupScreen: screen } = ui;
  const patience = new Patience(origin);
  const buttonClick = new ButtonClick();
  const clicked = confirmerWithButton(
    framedConfirmer(ui.confirmer, { screen, isTrustedHost, host: origin }),
    buttonClick,
    { ...whereWeAre(), isTrustedHost },
  );
  const confirmer = patientConfirmer(clicked, patience);
  const theme = (): Promise<Theme> =>
    wallet.getConfirmationConfig().then(
      ({ theme }) => theme,
      () => fallback.theme,
    );
  const follow = themeFollower(theme, (next) => {
    ui.setTheme(next);
    setPopupTheme(next);
  });
  const followTheme = (): void => void follow();
  const credentials = framedCredentials({
    screen,
    theme,
    bridge: own.enableSafariGetWebauthnRegistrationFallback === true ? await bridgeTo(origin) : undefined,
  });
  tellHostOfPage(origin);

  const served = hostWallet(own, origin, rights, {
    confirmer: () => confirmer,
    credentials: patientCredentials(credentials, patience),
    showKeyInWindow: framedKeyWindow({ screen, isTrustedHost }),
    onStorageRefused: tellingInMemory(ui, logger.warn),
  });
  const wallet = tellingSettings(patientLogin(served.wallet, patience), followTheme);
  served
    .current()
    .warmUp()
    // A registration needs it right after its request.
    .then(() => import('./registry-hosts.js'))
    .catch((error: unknown) => logger.warn('The workers could not be started ahead', messageOf(error)));

  const services = frameServices({
    host: origin,
    wallet,
    preview: (...asked) => served.current().preview(...asked),
    recoverByAutofill: (options) => served.current().recoverByAutofill(options),
    setConfig: async (wanted) => {
      if (wanted.language !== undefined) await ui.setHostLanguage(wanted.language);
      await served.setConfig(wanted);
      followTheme();
    },
    ui,
    patience,
    buttonClick,
    warn: logger.warn,
  });
  servePort(port, { wallet, patience, onLoginState: served.onLoginState, services });
  serveUi(origin, { wallet, services });
}

/** What the operator lets each host do. Throws INVALID_CONFIG for a list with something that is no origin. */
function rightsIn(config: WalletPageConfig) {
  const configurableBy = canonicalOrigins('configurableBy', config.configurableBy ?? []);
  const trustedHosts = canonicalOrigins('trustedHosts', config.trustedHosts ?? []);
  const linkCodeHosts = canonicalOrigins('linkCodeHosts', config.linkCodeHosts ?? []);
  return (host: string) => ({
    isConfigurable: configurableBy.includes(host),
    isTrustedHost: trustedHosts.includes(host),
    isLinkCodeHost: linkCodeHosts.includes(host),
  });
}

/** Few wallets let their hosts run a prompt, so only those load its code. */
async function bridgeTo(host: string): Promise<Credentials> {
  return (await import('./bridge.js')).bridgeCredentials(host);
}

/** The clipboard to clear, and an Escape that no dialog here takes, are the host's page's to handle. */
function tellHostOfPage(host: string): void {
  const clearClipboard: ClearClipboard = { type: 'WALLET_CLEAR_CLIPBOARD' };
  clearClipboardByHost(() => window.parent.postMessage(clearClipboard, host));
  const escapePressed: EscapePressed = { type: 'WALLET_ESCAPE_PRESSED' };
  onEscapeWithoutDialog(() => window.parent.postMessage(escapePressed, host));
}

/** As `isAllowed`; also shows the user that a host is refused. */
function showingRefusal(
  isAllowed: AllowedHosts,
  ui: Pick<WalletPageUi, 'hostNotAllowed'>,
  warn: Logger['warn'],
): AllowedHosts {
  return async (origin) => {
    const allowed = await isAllowed(origin);
    if (!allowed) {
      const name = canonicalOrigin(origin) ?? 'an unknown address';
      ui.hostNotAllowed(name).catch((error: unknown) =>
        warn('The notice could not be drawn', messageOf(error)),
      );
    }
    return allowed;
  };
}

/** Tells the user once: a wallet that the host reconfigures is made again, with a store that is refused again. */
function tellingInMemory(ui: Pick<WalletPageUi, 'storageRefused'>, warn: Logger['warn']): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    warn(IN_MEMORY_TEXT);
    ui.storageRefused(IN_MEMORY_TEXT).catch((error: unknown) =>
      warn('The notice could not be drawn', messageOf(error)),
    );
  };
}

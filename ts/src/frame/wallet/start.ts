/**
 * The wallet page: accepts the port of one allowed host, and serves a wallet on it.
 *
 * 1. the host's frame is this page's parent, and its origin is allowed
 * 2. the wallet is created for that origin: its settings and its accounts alone
 * 3. the port is served until the page goes away
 */
import { type Logger, resolveConfig } from '../../config.js';
import type { Confirmer } from '../../confirm/port.js';
import { LatchkeyError, messageOf } from '../../errors/frame.js';
import { IN_MEMORY_TEXT } from '../../errors/in-memory.js';
import { clearClipboardByHost } from '../../export/clear-clipboard.js';
import { createWallet, type LocalWallet } from '../../flows/wallet.js';
import { createRpcClient } from '../../near/index.js';
import type { ReadOrigins } from '../../registry/origin-list.js';
import { WalletStore } from '../../storage/store.js';
import type { ConfirmationConfig, Device2Linking, LoginState, Theme } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import type { Credentials } from '../../webauthn/credentials.js';
import { checkDevice } from '../../webauthn/device-check.js';
import { resolveRpId } from '../../webauthn/rp-id.js';
import { canonicalOrigin } from '../origin.js';
import type { FrameServices, LinkingProgress, RegisterButtonModel } from '../protocol/index.js';
import type { ClearClipboard, EscapePressed } from '../window-messages.js';
import { acceptHost } from './accept-host.js';
import { type AllowedHosts, canonicalOrigins, createAllowedHosts } from './allowed-hosts.js';
import { ButtonClick, confirmerWithButton } from './button-click.js';
import { onEscapeWithoutDialog } from './escape.js';
import { readHostConfig } from './host-config.js';
import { framedConfirmer, framedCredentials, framedKeyWindow, whereWeAre } from './other-places.js';
import type { WalletPageConfig } from './page-config.js';
import type { Patience } from './patience.js';
import { type PopupScreen, setPopupTheme } from './popup.js';
import type { PopupPageUi } from './popup-page.js';
import type { createHostCheck, HostCheck } from './registry-hosts.js';
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
  /** Shows that the page around this one may not use the wallet. */
  hostNotAllowed(origin: string): Promise<void>;
  /** Draws what is open in another theme. */
  setTheme(theme: Theme): void;
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
    throw new LatchkeyError('INVALID_CONFIG', { values: { reason }, cause });
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
  const { logger, contractId, confirmationConfig: fallback } = resolveConfig(own);
  const configurableBy = canonicalOrigins('configurableBy', own.configurableBy ?? []);
  const trustedHosts = canonicalOrigins('trustedHosts', own.trustedHosts ?? []);
  const linkCodeHosts = canonicalOrigins('linkCodeHosts', own.linkCodeHosts ?? []);
  const [
    { port, origin },
    { Patience, patientConfirmer, patientCredentials, patientLogin },
    { tellingSettings, themeFollower },
    { serveUi },
  ] = await Promise.all([
    acceptHost({ isAllowed: tellingRefused(hostsOf(own), ui, logger.warn) }),
    import('./patience.js'),
    import('./live-theme.js'),
    import('./serve-ui.js'),
  ]);

  const isTrustedHost = trustedHosts.includes(origin);
  const { popupScreen: screen } = ui;
  const patience = new Patience(origin);
  const buttonClick = new ButtonClick();
  const confirmer = patientConfirmer(
    confirmerWithButton(framedConfirmer(ui.confirmer, { screen, isTrustedHost, host: origin }), buttonClick, {
      ...whereWeAre(),
      isTrustedHost,
    }),
    patience,
  );
  const theme = (): Promise<Theme> =>
    current.getConfirmationConfig().then(
      ({ theme }) => theme,
      () => fallback.theme,
    );
  const follow = themeFollower(theme, (next) => {
    ui.setTheme(next);
    setPopupTheme(next);
  });
  const followTheme = (): void => void follow();
  const ways = framedCredentials({
    screen,
    theme,
    bridge: own.enableSafariGetWebauthnRegistrationFallback === true ? await bridgeTo(origin) : undefined,
  });
  const credentials = patientCredentials(ways, patience);
  const clearClipboard: ClearClipboard = { type: 'WALLET_CLEAR_CLIPBOARD' };
  clearClipboardByHost(() => window.parent.postMessage(clearClipboard, origin));
  const escapePressed: EscapePressed = { type: 'WALLET_ESCAPE_PRESSED' };
  onEscapeWithoutDialog(() => window.parent.postMessage(escapePressed, origin));

  const onStorageRefused = once(() => {
    logger.warn(IN_MEMORY_TEXT);
    ui.storageRefused(IN_MEMORY_TEXT).catch((error: unknown) =>
      logger.warn('The notice could not be drawn', messageOf(error)),
    );
  });

  const listeners = new Set<(state: LoginState) => void>();
  let ofHost: Partial<ConfirmationConfig> = {};
  const make = (given: WalletPageConfig): LocalWallet => {
    const resolved = resolveConfig(given);
    const live = {
      ...resolved,
      // Each request reads it again: the host's wishes may change.
      get confirmationConfig() {
        return { ...resolved.confirmationConfig, ...ofHost };
      },
    };
    return createWallet(live, {
      confirmer: () => confirmer,
      credentials,
      showKeyInWindow: framedKeyWindow({ screen, isTrustedHost }),
      page: origin,
      isForHost: true,
      isLinkCodeHost: linkCodeHosts.includes(origin),
      hostCheck: (at) =>
        loadedHostCheck(at, {
          host: origin,
          failed: notRead(logger),
          // The stored list is the own registry's.
          ...(at.config.contractId === contractId && { kept: keptHosts() }),
        }),
      onStorageRefused,
      onLoginState: (state) => {
        for (const listener of listeners) listener(state);
      },
    });
  };
  let wallet = make(own);
  const current = tellingSettings(
    patientLogin(
      whicheverIs(() => wallet),
      patience,
    ),
    followTheme,
  );

  const stopLinking = (): void => {
    current.stopDevice2LinkingFlow().catch((error: unknown) => {
      logger.warn('Device linking could not be stopped', messageOf(error));
    });
  };
  const drawLinkingCode = async (linking: Device2Linking, progress: LinkingProgress): Promise<void> => {
    const { theme } = await current.getConfirmationConfig();
    await ui.showLinkingCode(linking, { ...progress, theme, onClose: stopLinking });
  };

  wallet
    .warmUp()
    // A registration needs it right after its request.
    .then(() => import('./registry-hosts.js'))
    .catch((error: unknown) => logger.warn('The workers could not be started ahead', messageOf(error)));
  const services: FrameServices = {
    checkDevice,
    openSettings: (signal) => ui.openSettings(current, signal, { host: origin, patience }),
    async setConfig(wanted) {
      const at = {
        rpId: resolveRpId(resolveConfig(own), location.hostname),
        isConfigurable: configurableBy.includes(origin),
      };
      const { confirmation, changes } = readHostConfig(wanted, own, at);
      ofHost = confirmation;
      if (changes) {
        const former = wallet;
        wallet = make({ ...own, ...changes });
        await former.close();
      }
      followTheme();
    },
    tellHost: (message) => window.parent.postMessage(message, origin),
    showRegisterButton: (button, signal) => {
      const draw = async (): Promise<void> => {
        const { theme } = await current.getConfirmationConfig();
        await ui.showRegisterButton({ ...button, theme }, signal);
      };
      draw().catch((error: unknown) =>
        logger.warn('The register button could not be drawn', messageOf(error)),
      );
    },
    showTransactionButton: async (button, signal) => {
      const { drawTransactionButton } = await import('./transaction-button.js');
      const { theme } = await current.getConfirmationConfig();
      const besides = wallet.besides;
      await drawTransactionButton(
        { ...button, theme, askedBy: origin },
        { besides, click: buttonClick, draw: ui.showTransactionButton, warn: logger.warn, signal },
      );
    },
    showLinkingCode: (linking, progress) => {
      drawLinkingCode(linking, progress).catch((error: unknown) => {
        logger.warn('The linking code could not be drawn', messageOf(error));
        stopLinking();
      });
    },
  };
  servePort(port, {
    wallet: current,
    patience,
    onLoginState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    services,
  });
  serveUi(origin, { wallet: current, services });
}

/** Few wallets let their hosts run a prompt, so only those load its code. */
async function bridgeTo(host: string): Promise<Credentials> {
  return (await import('./bridge.js')).bridgeCredentials(host);
}

function hostsOf(config: WalletPageConfig): AllowedHosts {
  const { rpcUrls, rpcAgreement: agreement, contractId, logger } = resolveConfig(config);
  return createAllowedHosts({
    rpc: createRpcClient({ urls: rpcUrls, agreement }),
    contractId,
    configured: config.allowedHosts ?? [],
    kept: keptHosts(),
    failed: notRead(logger),
  });
}

/** The registry's list of hosts as this origin last read it; in memory where the browser refuses storage. */
function keptHosts() {
  const store = new WalletStore(undefined, undefined, () => undefined);
  return {
    read: () => store.allowedHosts(),
    write: (list: ReadOrigins) => store.keepAllowedHosts(list),
  };
}

/** The check of the host, loaded at the first question. */
function loadedHostCheck(...options: Parameters<typeof createHostCheck>): HostCheck {
  let loading: Promise<HostCheck> | undefined;
  return async (signal) => {
    loading ??= import('./registry-hosts.js').then((loaded) => loaded.createHostCheck(...options));
    const check = await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    await check(signal);
  };
}

function notRead({ warn }: Pick<Logger, 'warn'>) {
  return (error: unknown): void => warn('The list of allowed hosts', messageOf(error));
}

/** As `isAllowed`; also shows the user that a host is refused. */
function tellingRefused(
  isAllowed: AllowedHosts,
  ui: WalletPageUi,
  warn: (message: string, data?: unknown) => void,
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

/** Reports once: a wallet that the host reconfigures is created again, with a store that is refused again. */
function once(tell: () => void): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    tell();
  };
}

/** A wallet that delegates to the current one, which changes when the host configures it. */
function whicheverIs(wallet: () => Wallet): Wallet {
  return new Proxy({} as Wallet, { get: (_target, name) => Reflect.get(wallet(), name) });
}

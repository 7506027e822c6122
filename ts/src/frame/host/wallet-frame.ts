/**
 * The connection to the wallet's frame: made at the first call, and again after its page was reloaded. Requests pending on a page that is gone are rejected with WALLET_FRAME_LOST.
 */

import type { ResolvedIframeWallet } from '../../config.js';
import {
  HOST_ERROR,
  insecureContext,
  isLatchkeyError,
  LatchkeyError,
  messageOf,
  WALLET_FRAME_LOST,
} from '../../errors/frame.js';
import { clearClipboardAfter } from '../../export/clear-clipboard.js';
import type { LoginState } from '../../types.js';
import { BOOTED, CLEAR_CLIPBOARD, ESCAPE_PRESSED, readMessage, type Sender } from '../window-messages.js';
import { serveBridge } from './bridge.js';
import type { FrameElement } from './frame-element.js';
import { connectFrame } from './handshake.js';
import type { Overlay } from './overlay.js';
import { createPortClient, type PortClient } from './port-client.js';
import { hostConfigOf, walletRpId } from './wallet-page.js';

export interface WalletFrameOptions {
  readonly config: ResolvedIframeWallet;
  readonly element: FrameElement;
  /** Its abort ends the connection: pending requests are rejected with its reason, and later ones too. */
  readonly closing: AbortSignal;
  /** Called with the login state that the wallet page sends, and the one that it returns after it was reloaded. */
  readonly onLoginState: (state: LoginState) => void;
  readonly warn: (message: string, data?: unknown) => void;
}

export interface WalletFrame {
  readonly overlay: Overlay;
  /** The window and origin that the wallet page's window messages come from. */
  sender(): Sender;
  /**
   * Returns the port of the current page; creates and connects the frame first where necessary. After the wallet has refused
   * this host or its configuration, rejects with that refusal and loads nothing.
   */
  connect(): Promise<PortClient>;
  /** Lets the next {@link connect} ask a wallet again that has refused this host: the user, or the host itself, tries again. */
  forgetRefusal(): void;
  /** Call after an unanswered request: unless the page answers PING, drops it so that the next call loads it again. */
  doubt(client: PortClient): Promise<void>;
}

interface Connection {
  readonly ending: AbortController;
  readonly client: Promise<PortClient>;
  /** Undefined until the page is connected. */
  readonly loadId: () => string | undefined;
}

export function createWalletFrame({
  config,
  element,
  closing,
  onLoginState,
  warn,
}: WalletFrameOptions): WalletFrame {
  const { walletOrigin, connectTimeoutMs, requestTimeoutMs } = config;
  const { overlay } = element;
  let connection: Connection | undefined;
  /** The wallet's operator decided it, so that no repetition changes it: every other call would load the frame for nothing. */
  let refusal: LatchkeyError | undefined;

  const removals = new MutationObserver(() => endIfRemoved());

  const end = (ended: Connection, reason: LatchkeyError): void => {
    if (connection === ended) connection = undefined;
    ended.ending.abort(reason);
  };

  /** The host's own code may remove the frame. */
  const endIfRemoved = (): void => {
    if (connection && element.current()?.isConnected === false)
      end(connection, new LatchkeyError(WALLET_FRAME_LOST));
  };

  /** Serves the bridge only where it is configured: this page then sees the PRF outputs that keys are made from. */
  const serveCeremonies = (signal: AbortSignal): void => {
    if (!config.enableSafariGetWebauthnRegistrationFallback) return;
    const wallet = element.current()?.contentWindow;
    if (wallet) serveBridge(wallet, { walletOrigin, rpId: walletRpId(config) }, signal);
  };

  const open = (hasBooted: boolean): Connection => {
    const ending = new AbortController();
    const { signal } = ending;
    let loadId: string | undefined;
    const establish = async (): Promise<PortClient> => {
      const frame = element.mount();
      removals.observe(document.body, { childList: true });
      const connected = await connectFrame(frame, {
        walletOrigin,
        connectTimeoutMs,
        signal,
        hasBooted,
        hasLoaded: element.hasLoaded(),
      });
      loadId = connected.loadId;
      const client = createPortClient(connected.port, { requestTimeoutMs });
      signal.addEventListener('abort', () => client.close(signal.reason), { once: true });
      client.onLoginState(onLoginState);
      serveCeremonies(signal);
      await client.request('PM_SET_CONFIG', hostConfigOf(config, document.documentElement.lang));
      return client;
    };
    const opened: Connection = { ending, client: establish(), loadId: () => loadId };
    opened.client.catch((error: unknown) => {
      if (connection !== opened) return;
      if (isLatchkeyError(error, 'HOST_NOT_ALLOWED', 'CONFIG_NOT_ALLOWED')) refusal = error;
      end(opened, error instanceof LatchkeyError ? error : new LatchkeyError(HOST_ERROR, { cause: error }));
      element.remove();
    });
    return opened;
  };

  const connect = (): Promise<PortClient> => {
    if (closing.aborted) return Promise.reject(closing.reason);
    if (refusal) return Promise.reject(refusal);
    // A frame in an insecure page is insecure too, whatever its own address.
    if (!isSecureContext) return Promise.reject(insecureContext());
    endIfRemoved();
    connection ??= open(false);
    return connection.client;
  };

  const comeBack = async (): Promise<void> => {
    connection = open(true);
    const client = await connection.client;
    onLoginState(await client.request('PM_GET_LOGIN_STATE', {}));
  };

  const sender = (): Sender => ({ source: element.current()?.contentWindow ?? null, origin: walletOrigin });
  const onMessage = (event: MessageEvent<unknown>): void => {
    const loadId = readMessage(BOOTED, event, sender())?.payload.loadId;
    const connected = connection?.loadId();
    // The handshake handles a page that is not connected yet.
    if (!connection || loadId === undefined || connected === undefined || connected === loadId) return;
    end(connection, new LatchkeyError(WALLET_FRAME_LOST));
    comeBack().catch((error: unknown) =>
      warn('The wallet page could not be connected again', messageOf(error)),
    );
  };
  addEventListener('message', onMessage, { signal: closing });

  const onEscape = (event: MessageEvent<unknown>): void => {
    if (readMessage(ESCAPE_PRESSED, event, sender())) overlay.escape();
  };
  addEventListener('message', onEscape, { signal: closing });

  const onClipboard = (event: MessageEvent<unknown>): void => {
    if (!readMessage(CLEAR_CLIPBOARD, event, sender())) return;
    clearClipboardAfter(0, (isCleared) => {
      if (!isCleared) warn('The browser did not let this page clear the clipboard');
    });
  };
  addEventListener('message', onClipboard, { signal: closing });

  const close = (): void => {
    removals.disconnect();
    if (connection) end(connection, closing.reason);
  };
  closing.addEventListener('abort', close, { once: true });

  return {
    overlay,
    sender,
    connect,
    forgetRefusal: () => (refusal = undefined),
    async doubt(client) {
      const doubted = connection;
      const current = await doubted?.client.catch(() => undefined);
      if (!doubted || current !== client) return;
      if ((await client.isAlive()) || connection !== doubted) return;
      end(doubted, new LatchkeyError(WALLET_FRAME_LOST));
      element.remove();
    },
  };
}

/**
 * The wallet's window, opened by a page at `/connect` or `/sign`: serves that page the requests of this address, by the rows of
 * the frame's protocol.
 *
 * 1. the page that opened the window asks, from an origin that the browser tells
 * 2. the wallet is created for that origin: its settings and its accounts alone
 * 3. its requests are served until one of the two windows goes away
 */
import { resolveConfig } from '../../config.js';
import type { Confirmer } from '../../confirm/port.js';
import { HOST_ERROR, LatchkeyError, messageOf } from '../../errors/frame.js';
import { IN_MEMORY_TEXT } from '../../errors/in-memory.js';
import { createWallet } from '../../flows/wallet.js';
import type { Theme } from '../../types.js';
import { browserCredentials } from '../../webauthn/credentials.js';
import type { FrameServices, MessageType } from '../protocol/index.js';
import { acceptOpener } from './accept-opener.js';
import { canonicalOrigins } from './allowed-hosts.js';
import type { WalletPageConfig } from './page-config.js';
import { Patience, patientConfirmer, patientCredentials } from './patience.js';
import { servePort } from './serve-port.js';
import { trustOwnWorkers } from './trusted-workers.js';
import { withSession } from './with-session.js';
import { wrapEach } from './wrap-each.js';

/** What draws in this window. */
export interface OpenedPageUi {
  readonly confirmer: Confirmer;
  /** The window waits for its opener, or serves it. */
  show(shown: { readonly origin: string | null; readonly theme: Theme }): void;
  /** Asks for a click that opens the account's session, with the reason why the last try failed if there was one. */
  unlock(
    asked: {
      readonly origin: string;
      readonly accountId: string;
      readonly theme: Theme;
      readonly error: LatchkeyError | undefined;
    },
    signal: AbortSignal,
  ): Promise<'confirm' | 'cancel'>;
  /** There is no opener: it is gone, or its page cuts off the windows that it opens. */
  noOpener(): void;
  /** The opener's origin is not served; `'null'` if no answer can reach it. */
  refused(origin: string): void;
  /** The browser lets this window store nothing. */
  storageRefused(text: string): void;
}

/** The addresses, and the requests that each of them answers. */
const SERVED = {
  connect: ['PM_CONNECT'],
  sign: [
    'PM_SIGN_TXS_WITH_ACTIONS',
    'PM_SIGN_AND_SEND_TXS',
    'PM_SIGN_NEP413',
    'PM_SIGN_NEP641',
    'PM_SIGN_DELEGATE_ACTION',
    'PM_SIGN_DELEGATE_ACTIONS',
  ],
} as const satisfies Record<string, readonly MessageType[]>;

export type OpenedAddress = keyof typeof SERVED;

/** The messages of the port itself. */
const ALWAYS: readonly MessageType[] = ['PING', 'PM_CANCEL'];

/** Serves the opener. Throws INVALID_CONFIG where the configuration cannot be used. */
export async function serveOpener(
  config: WalletPageConfig,
  address: OpenedAddress,
  ui: OpenedPageUi,
): Promise<void> {
  trustOwnWorkers();
  const resolved = resolveConfig(config);
  const { logger, confirmationConfig } = resolved;
  const { theme } = confirmationConfig;
  const openers =
    config.openers === undefined || config.openers === 'any'
      ? 'any'
      : canonicalOrigins('openers', config.openers);
  const opener = window.opener as Window | null;
  if (!opener) return ui.noOpener();
  ui.show({ origin: null, theme });
  const { port, origin } = await acceptOpener({
    opener,
    isAllowed: (asking) => openers === 'any' || openers.includes(asking),
    refused: ui.refused,
  });
  ui.show({ origin, theme });

  const patience = new Patience(origin);
  const asking = wrapEach(ui.confirmer, {
    show: (show) => (model, signal) => show({ ...model, askedBy: origin }, signal),
    choose: (choose) => (model, signal) => choose({ ...model, askedBy: origin }, signal),
    wait: (wait) => wait,
    scan: (scan) => scan,
    viewerLook: (look) => look,
    errorText: (text) => text,
  });
  const confirmer = patientConfirmer(asking, patience);
  const wallet = createWallet(resolved, {
    confirmer: () => confirmer,
    credentials: patientCredentials(browserCredentials, patience),
    page: origin,
    isForHost: true,
    onStorageRefused: () => {
      logger.warn(IN_MEMORY_TEXT);
      ui.storageRefused(IN_MEMORY_TEXT);
    },
    onLoginState: () => undefined,
  });
  wallet
    .warmUp()
    .catch((error: unknown) => logger.warn('The workers could not be started ahead', messageOf(error)));
  const unlock = (accountId: string, error: LatchkeyError | undefined, signal: AbortSignal) =>
    ui.unlock({ origin, accountId, theme, error }, signal);
  servePort(port, {
    wallet: withSession(wallet, unlock, patience),
    patience,
    onLoginState: () => () => undefined,
    services: NO_SERVICES,
    serves: (type) => [...ALWAYS, ...SERVED[address]].some((served) => served === type),
  });
}

/** No request of these addresses needs any of them. */
const NO_SERVICES = new Proxy({} as FrameServices, {
  get: (_target, name) => () => {
    throw new LatchkeyError(HOST_ERROR, { details: { service: String(name) } });
  },
});

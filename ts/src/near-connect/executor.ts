/**
 * The wallet in a connector's sandbox: a document of an opaque origin, which has neither passkeys nor storage. It
 * opens windows of the wallet by the connector, and keeps the account's name and public key in the storage that the connector
 * gives it. `ts/build.mjs` makes one script of it, which the wallet's origin serves.
 */
import { WINDOW_FEATURES } from '../connect/features.js';
import type { WalletWindow } from '../connect/wallet-window.js';
import { type WindowWallet, windowWallet } from '../connect/window-wallet.js';
import { messageOf } from '../errors/latchkey-error.js';
import { type ConnectedStore, connectorCalls, rejectingWith } from './connector-calls.js';
import type { ExecutedWallet } from './executed-wallet.js';
import type { ConnectedAccount, WalletManifest } from './types.js';

/** A window as the connector's page opened it: it passes messages on both ways. */
interface ProxyWindow {
  readonly closed: boolean;
  /** Null where the browser blocked it. */
  id(): Promise<string | null>;
  postMessage(data: object): Promise<void>;
  close(): Promise<void>;
}

/** What the connector gives its sandbox. */
interface Selector {
  /** What `ready` got, where the connector adds the manifest since 0.11. */
  wallet: { readonly manifest?: WalletManifest } | null;
  ready(wallet: object): Promise<void>;
  open(url: string, name: string, features: string): ProxyWindow;
  readonly ui: { whenApprove(options: { title: string; button: string }): Promise<void> };
  readonly storage: {
    set(key: string, value: string): Promise<void>;
    get(key: string): Promise<string | null>;
    remove(key: string): Promise<void>;
  };
}

const { selector, latchkeyWallet } = globalThis as unknown as {
  selector: Selector;
  latchkeyWallet?: ExecutedWallet;
};
const CONNECTED = 'connected';

/** By the manifest; by what the wallet's server wrote before this script, for a connector before 0.11, which gives none. */
function ownWallet(): ExecutedWallet {
  const manifest = selector.wallet?.manifest;
  if (manifest)
    return {
      walletOrigin: new URL(manifest.executor).origin,
      networkId: manifest.features.mainnet ? 'mainnet' : 'testnet',
    };
  if (latchkeyWallet) return latchkeyWallet;
  throw new Error(
    'This connector does not say where the wallet is. Update @hot-labs/near-connect to 0.11, or give the wallet site its `origin`.',
  );
}

async function openByConnector(url: URL): Promise<WalletWindow | null> {
  const opened = await openOrAsk(url.href);
  if (!opened) return null;
  return {
    post: (message) => void opened.postMessage(message),
    hear(listener) {
      // The connector passes on what comes from the wallet's origin; the session in it says from which window.
      const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
        if (source === parent) listener(data);
      };
      addEventListener('message', onMessage);
      return () => removeEventListener('message', onMessage);
    },
    isClosed: () => opened.closed,
    close: () => void opened.close(),
  };
}

/** A browser opens a window only shortly after a click: where that has passed, the connector's dialog asks for another. */
async function openOrAsk(url: string): Promise<ProxyWindow | undefined> {
  const first = selector.open(url, '', WINDOW_FEATURES);
  if (await first.id()) return first;
  await selector.ui.whenApprove({ title: 'The wallet opens in a window.', button: 'Open the wallet' });
  const second = selector.open(url, '', WINDOW_FEATURES);
  return (await second.id()) ? second : undefined;
}

const connected: ConnectedStore = {
  async read() {
    const kept = await selector.storage.get(CONNECTED);
    return kept === null ? undefined : (JSON.parse(kept) as ConnectedAccount);
  },
  write: ({ accountId, publicKey }) =>
    selector.storage.set(CONNECTED, JSON.stringify({ accountId, publicKey })),
  clear: () => selector.storage.remove(CONNECTED),
};

const inWindows = (): WindowWallet => windowWallet(ownWallet().walletOrigin, openByConnector);

const calls = connectorCalls({
  wallet: {
    connect: (args) => inWindows().connect(args),
    signAndSendTransactions: (args) => inWindows().signAndSendTransactions(args),
    signNEP413Message: (args) => inWindows().signNEP413Message(args),
    signNEP641Authorization: (args) => inWindows().signNEP641Authorization(args),
    signDelegateActions: (args) => inWindows().signDelegateActions(args),
  },
  networkId: () => ownWallet().networkId,
  connected,
});

// An error crosses to the connector's page as its message alone.
void selector.ready(rejectingWith(calls, (error) => new Error(messageOf(error))));

/** The wallet that a page has already, offered to the connector in the same page. */
import { errorOf } from '../errors/core.js';
import type { Wallet } from '../wallet.js';
import { type ConnectedStore, connectorCalls } from './connector-calls.js';
import { walletManifest } from './manifest.js';
import type { ConnectedAccount, NearConnectWallet } from './types.js';

/** The calls that the connector leads to. A PasskeyManager has them, with its wallet in the page or in a frame. */
export type NearConnectManager = Pick<
  Wallet,
  | 'connect'
  | 'getLoginState'
  | 'loginPasskey'
  | 'logoutAndClearVrfSession'
  | 'signAndSendTransactions'
  | 'signDelegateActions'
  | 'signNEP413Message'
  | 'signNEP641Authorization'
> & {
  readonly config: {
    readonly networkId: string;
    readonly iframeWallet: { readonly walletOrigin: string } | null;
  };
};

export interface NearConnectWalletOptions {
  readonly wallet: NearConnectManager;
  /** Shown in the connector's list. Default `Latchkey`. */
  readonly name?: string | undefined;
  /** Shown there: an https or data URL. Default: Latchkey's mark. */
  readonly icon?: string | undefined;
  /** Asked at each sign-in for what pays for a new account, where the relay demands it. See `ConnectOptions`. */
  readonly signupVoucher?: (() => Promise<string>) | undefined;
}

const CONNECTED = 'latchkey:near-connect';

/** Makes the wallet that a connector takes. `getAccounts` names the account that signed in here, until `signOut`. */
export function createNearConnectWallet({
  wallet,
  name,
  icon,
  signupVoucher,
}: NearConnectWalletOptions): NearConnectWallet {
  const { networkId, iframeWallet } = wallet.config;
  const walletOrigin = iframeWallet?.walletOrigin ?? location.origin;
  const manifest = walletManifest({ walletOrigin, networkId, name, icon });
  return {
    manifest: { ...manifest, type: 'injected', executor: '', permissions: {} },
    ...connectorCalls({
      wallet,
      networkId: () => networkId,
      connected: inThisPage,
      openSession: (accountId) => openSession(wallet, accountId),
      ...(signupVoucher && { signupVoucher }),
      signOut: () => wallet.logoutAndClearVrfSession(),
    }),
  };
}

/**
 * Offers the wallet to every connector of this page: to those that are there, and to each that starts later. Returns a function
 * that ends it.
 */
export function injectLatchkey(wallet: NearConnectWallet): () => void {
  const tell = (): void => {
    dispatchEvent(new CustomEvent('near-wallet-injected', { detail: wallet }));
  };
  addEventListener('near-selector-ready', tell);
  tell();
  return () => removeEventListener('near-selector-ready', tell);
}

/** A session ends with its page; the account that signed in stays. */
async function openSession(wallet: NearConnectManager, accountId: string): Promise<void> {
  const { isLoggedIn } = await wallet.getLoginState(accountId);
  if (isLoggedIn) return;
  const opened = await wallet.loginPasskey(accountId);
  if (!opened.success) throw errorOf(opened);
}

const inThisPage: ConnectedStore = {
  async read() {
    const kept = localStorage.getItem(CONNECTED);
    return kept === null ? undefined : (JSON.parse(kept) as ConnectedAccount);
  },
  async write({ accountId, publicKey }) {
    localStorage.setItem(CONNECTED, JSON.stringify({ accountId, publicKey }));
  },
  async clear() {
    localStorage.removeItem(CONNECTED);
  },
};

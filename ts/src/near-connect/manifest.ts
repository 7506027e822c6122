/** The manifest that tells a connector about the wallet of an origin. */
import { markPath } from '../styles/mark.js';
import type { WalletManifest } from './types.js';

export interface ManifestOptions {
  readonly walletOrigin: string;
  readonly networkId: string;
  /** Default `Latchkey`. */
  readonly name?: string | undefined;
  /** An https or data URL. Default: Latchkey's mark. */
  readonly icon?: string | undefined;
}

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="11" fill="#211d16"/><path fill="#e9bd62" d="${markPath}"/></svg>`;

/** The address of the executor on the wallet's origin. */
export const EXECUTOR_PATH = '/near-connect.js';
/** The address of the manifest that lists the wallet, as a connector's `manifest` option takes it. */
export const MANIFEST_PATH = '/near-connect.json';

/** The wallet's entry in a manifest, for a wallet in the connector's sandbox. */
export function walletManifest({
  walletOrigin,
  networkId,
  name = 'Latchkey',
  icon = `data:image/svg+xml,${encodeURIComponent(MARK)}`,
}: ManifestOptions): WalletManifest {
  return {
    // A connector stores a wallet's data under its id: two wallets on two origins are two wallets.
    id: `latchkey-${new URL(walletOrigin).host.replace(':', '-')}`,
    name,
    description: 'A passkey wallet for NEAR accounts',
    icon,
    website: walletOrigin,
    // Of this entry. A connector caches the executor under it, and fetches it again while that one runs.
    version: '1.0.0',
    executor: `${walletOrigin}${EXECUTOR_PATH}`,
    type: 'sandbox',
    platform: ['web'],
    permissions: { storage: true, allowsOpen: [`${walletOrigin}/connect`, `${walletOrigin}/sign`] },
    features: {
      signMessage: true,
      // The connector has no call for it.
      signTransaction: false,
      signAndSendTransaction: true,
      signAndSendTransactions: true,
      signInWithoutAddKey: true,
      signInAndSignMessage: true,
      signInWithFunctionCallKey: true,
      signDelegateActions: true,
      resolveAuth: true,
      mainnet: networkId === 'mainnet',
      testnet: networkId === 'testnet',
    },
  };
}

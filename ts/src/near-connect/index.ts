/** `latchkey/near-connect`: the wallet of this page for @hot-labs/near-connect, and the manifest of a wallet origin. */

export {
  createNearConnectWallet,
  injectLatchkey,
  type NearConnectManager,
  type NearConnectWalletOptions,
} from './injected.js';
export { type ManifestOptions, walletManifest } from './manifest.js';
export type {
  ConnectedAccount,
  ConnectorAction,
  ConnectorCalls,
  ConnectorSignedMessage,
  ConnectorTransaction,
  FunctionCallKey,
  NearConnectWallet,
  WalletManifest,
} from './types.js';

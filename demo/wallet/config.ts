import type { WalletPageData } from 'latchkey/server/wallet';

/** Where the wallet finds its services, and who may embed it. */
export interface WalletSettings {
  relayUrl: string;
  /** One address or several, each tried in turn. */
  chainUrls: readonly string[];
  explorerUrl: string;
  contractId: string;
  /** The origins of the apps, beside those that the registry lists. */
  allowedHosts: readonly string[];
}

/** The demo wallet's whole configuration. */
export function walletConfig(settings: WalletSettings): WalletPageData {
  const { relayUrl, chainUrls, explorerUrl, contractId, allowedHosts } = settings;
  return { relayer: { url: relayUrl }, rpcUrl: chainUrls, explorerUrl, contractId, allowedHosts };
}

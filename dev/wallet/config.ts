import type { WalletPageData } from 'latchkey-server/wallet';

/** The wallet's services and the origins that may embed it. */
export interface WalletSettings {
  relayUrl: string;
  /** One address or several, each tried in turn. */
  chainUrls: readonly string[];
  /** The wallet's own default when absent. */
  explorerUrl?: string;
  contractId: string;
  /** The apps' origins, in addition to those in the registry. */
  allowedHosts: readonly string[];
  /** Those of them that are trusted not to cover the wallet. */
  trustedHosts?: readonly string[];
  /** Those of them that may hand in the code of a new device. */
  linkCodeHosts?: readonly string[];
}

/** The wallet's whole configuration. */
export function walletConfig(settings: WalletSettings): WalletPageData {
  const { relayUrl, chainUrls, explorerUrl, contractId, allowedHosts } = settings;
  const { trustedHosts = [], linkCodeHosts = [] } = settings;
  const hosts = { allowedHosts, trustedHosts, linkCodeHosts };
  return {
    relayer: { url: relayUrl },
    rpcUrl: chainUrls,
    contractId,
    ...hosts,
    ...(explorerUrl !== undefined && { explorerUrl }),
  };
}

/** What a host tells the wallet page: its origin and its configuration. */
import type { ResolvedIframeWallet } from '../../config.js';
import { namedSettings } from '../../confirm/settings-check.js';
import type { HostConfig } from '../protocol/payloads.js';

/** The address of the wallet page for a host; from it, a server decides who may frame the page. */
export function walletPageUrl(
  { walletOrigin, walletServicePath }: ResolvedIframeWallet,
  hostOrigin: string,
): string {
  const url = new URL(`${walletServicePath}/`, walletOrigin);
  url.searchParams.set('host', hostOrigin);
  return url.href;
}

/** What the developer set explicitly, for the wallet to accept or refuse. */
export function hostConfigOf({ given }: ResolvedIframeWallet): HostConfig {
  const {
    rpcUrl,
    network,
    networkId = network,
    contractId,
    relayer,
    authenticatorOptions,
    confirmationConfig,
  } = given;
  const { shamir3pass = given.vrfWorkerConfigs?.shamir3pass } = given;
  const { rpIdOverride = given.rpIdOverride } = given.iframeWallet ?? {};
  const theme = confirmationConfig?.theme;
  return {
    relayer: { ...relayer },
    ...(theme !== undefined && { theme }),
    ...(rpcUrl !== undefined && { rpcUrl }),
    ...(networkId !== undefined && { networkId }),
    ...(contractId !== undefined && { contractId }),
    ...(shamir3pass !== undefined && { vrfWorkerConfigs: { shamir3pass } }),
    ...(authenticatorOptions !== undefined && { authenticatorOptions }),
    ...(confirmationConfig && { confirmationConfig: namedSettings(confirmationConfig) }),
    ...(rpIdOverride !== undefined && { rpIdOverride: rpIdOverride.toLowerCase() }),
  };
}

/** What a host tells the wallet page: its configuration. */

import type { ResolvedIframeWallet } from '../../config.js';
import { namedSettings } from '../../confirm/settings-check.js';
import { definedFields } from '../../defined-fields.js';
import type { HostConfig } from '../protocol/payloads.js';

/** The rpId of the wallet's passkeys, as this page knows it: the wallet's host, unless the developer set another. */
export function walletRpId({ given, walletOrigin }: ResolvedIframeWallet): string {
  return ownRpId(given) ?? new URL(walletOrigin).hostname;
}

function ownRpId({ iframeWallet, rpIdOverride }: ResolvedIframeWallet['given']): string | undefined {
  return (iframeWallet?.rpIdOverride ?? rpIdOverride)?.toLowerCase();
}

/** What the developer set explicitly, for the wallet to accept or refuse, and the language of the page, if it names one. */
export function hostConfigOf({ given }: ResolvedIframeWallet, language: string): HostConfig {
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
  const rpIdOverride = ownRpId(given);
  const theme = confirmationConfig?.theme;
  return {
    relayer: definedFields(relayer),
    ...(language !== '' && { language }),
    ...(theme !== undefined && { theme }),
    ...(rpcUrl !== undefined && { rpcUrl }),
    ...(networkId !== undefined && { networkId }),
    ...(contractId !== undefined && { contractId }),
    ...(shamir3pass !== undefined && {
      vrfWorkerConfigs: { shamir3pass: shamir3pass && definedFields(shamir3pass) },
    }),
    ...(authenticatorOptions && { authenticatorOptions: definedFields(authenticatorOptions) }),
    ...(confirmationConfig && { confirmationConfig: namedSettings(confirmationConfig) }),
    ...(rpIdOverride !== undefined && { rpIdOverride }),
  };
}

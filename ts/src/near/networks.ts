/**
 * What a network's name sets, and the providers that answer for the chain. It names no registry of anybody else's, except the
 * default of testnet.
 */

/** Public nodes of testnet: of two providers, which must agree, and of a third, which stands in for one that is down. */
export const TESTNET_RPC_URLS =
  'https://test.rpc.fastnear.com,https://near-testnet.drpc.org,https://testnet-rpc.intea.rs';

/** The same of mainnet. */
export const MAINNET_RPC_URLS = 'https://free.rpc.fastnear.com,https://near.drpc.org,https://rpc.intea.rs';

export type NetworkName = 'mainnet' | 'testnet';

export interface Network {
  readonly networkId: NetworkName;
  /** Public nodes of several providers, separated by commas. */
  readonly rpcUrls: string;
  readonly explorerUrl: string;
  /** The registry where a configuration names none; undefined where it must name one. */
  readonly contractId?: string;
}

const MAINNET: Network = {
  networkId: 'mainnet',
  rpcUrls: MAINNET_RPC_URLS,
  explorerUrl: 'https://nearblocks.io',
};

export const TESTNET: Network = {
  networkId: 'testnet',
  rpcUrls: TESTNET_RPC_URLS,
  explorerUrl: 'https://testnet.nearblocks.io',
  contractId: 'w3a-v1.testnet',
};

/** The network of this name; undefined for any other name. */
export function networkOf(name: string | undefined): Network | undefined {
  return [MAINNET, TESTNET].find(({ networkId }) => networkId === name);
}

/** Whether the name of a host is this machine's. A node here is trusted. */
export function isThisMachine(hostname: string): boolean {
  return /(^|\.)localhost$|^127\.0\.0\.1$|^\[::1\]$/.test(hostname);
}

/**
 * How many providers must agree where nothing else is configured: two if the addresses are of several origins. All
 * nodes of this machine are one provider.
 */
export function defaultAgreement(urls: readonly string[]): 1 | 2 {
  const providers = urls.map((url) => {
    const { hostname, origin } = new URL(url);
    return isThisMachine(hostname) || origin;
  });
  return new Set(providers).size > 1 ? 2 : 1;
}

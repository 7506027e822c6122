/** What a network's name sets. It names no registry of anybody else's, except the default of testnet. */
import { MAINNET_RPC_URLS, TESTNET_RPC_URLS } from './providers.js';

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

/** The local chain as a network for `just testnet`. */
import { developmentKey } from '../../demo/stack/keys.js';
import { REGISTRY, RELAYER } from '../../demo/stack/services.js';
import type { Network } from './network.js';

/** The local chain at this address, with an account of its genesis as funder. */
export const localNetwork = (url: string): Network => ({
  rpcUrls: [url],
  funder: { accountId: RELAYER, privateKey: developmentKey(RELAYER) },
  registry: REGISTRY,
});

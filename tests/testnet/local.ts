/** The local chain as a network for `npm run just -- testnet`. */
import { developmentKey } from '../../dev/services/keys.js';
import { REGISTRY, RELAYER } from '../../dev/services/services.js';
import type { Network } from './network.js';

/** The local chain at these providers' addresses, with an account of its genesis as funder. */
export const localNetwork = (rpcUrls: Network['rpcUrls']): Network => ({
  rpcUrls,
  funder: { accountId: RELAYER, privateKey: developmentKey(RELAYER) },
  registry: REGISTRY,
});

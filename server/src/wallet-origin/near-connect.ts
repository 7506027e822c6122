/** The two files that a connector (@hot-labs/near-connect) fetches from a wallet origin. */

import type { WalletPageData } from 'latchkey/internal/server';
import {
  canonicalOrigin,
  EXECUTOR_PATH,
  executedWalletLine,
  MANIFEST_PATH,
  resolveConfig,
  walletManifest,
} from 'latchkey/internal/server';
import { type Headers, REVALIDATED } from './headers.js';

export { EXECUTOR_PATH, MANIFEST_PATH };

/** Every page's connector fetches them; they hold nothing of a user. */
export const CONNECTOR_HEADERS: Headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': REVALIDATED,
  'x-content-type-options': 'nosniff',
};

/** The text of the manifest of a wallet at this origin: a list of one, as a connector's `manifest` option takes it. */
export function manifestText(config: WalletPageData, walletOrigin: string): string {
  const { networkId } = resolveConfig(config);
  const wallet = walletManifest({ walletOrigin, networkId, icon: iconOf(config) });
  return JSON.stringify({ version: wallet.version, wallets: [wallet] });
}

/** The executor's text for the wallet at this origin, from the built script. */
export function executorText(script: string, config: WalletPageData, walletOrigin: string): string {
  return executedWalletLine({ walletOrigin, networkId: resolveConfig(config).networkId }) + script;
}

/** A logo that another page can show. */
function iconOf({ brand }: WalletPageData): string | undefined {
  return brand?.logo !== undefined && /^(https:|data:image\/)/.test(brand.logo) ? brand.logo : undefined;
}

/** The origin under which this request reached the wallet. A proxy in front of it speaks https. */
export function originOf({ url }: Pick<Request, 'url'>): string {
  const { host } = new URL(url);
  return canonicalOrigin(`http://${host}`) ?? `https://${host}`;
}

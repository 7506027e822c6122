// A wallet of its own for one host, with the relay that its pages need.

import { walletFolder } from 'latchkey-react/vite';
import type { WalletPageData } from 'latchkey-server/wallet';
import { walletSite } from 'latchkey-server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey-server/wallet/node';
import { freePort } from '../../../dev/services/ports.js';
import { REGISTRY, startRelay } from '../../../dev/services/services.js';
import { walletConfig } from '../../../dev/wallet/config.js';
import { walletOriginAt } from '../../../dev/wallet/wallet-origin.js';
import type { LocalStack } from '../../support/local-stack.js';

export interface OwnWallet {
  /** The wallet's origin. */
  readonly wallet: string;
  /** The stack, with this wallet's relay. */
  readonly served: LocalStack;
  close(): Promise<void>;
}

/** Serves a wallet whose operator lists this host and also configures `own`; `env` goes to its relay. The registry's list stays as it is. */
export async function serveOwnWallet(
  stack: LocalStack,
  origin: string,
  lockKeyFile: string,
  own: Partial<WalletPageData> = {},
  env: Record<string, string> = {},
): Promise<OwnWallet> {
  const walletPort = await freePort();
  const wallet = walletOriginAt(walletPort);
  const relay = await startRelay({
    port: 0,
    chainUrl: stack.chainUrl,
    appOrigin: origin,
    walletOrigin: wallet,
    lockKeyFile,
    env,
  });
  const settings = {
    relayUrl: relay.url,
    chainUrls: stack.nodes.map(({ url }) => url),
    explorerUrl: stack.chainUrl,
    contractId: REGISTRY,
    allowedHosts: [origin],
  };
  const config = { ...walletConfig(settings), ...own };
  const site = await serveSite(walletSite({ config, files: filesOf(walletFolder) }), walletPort);
  return {
    wallet,
    served: { ...stack, relay: { ...stack.relay, url: relay.url } },
    async close() {
      await site.close();
      await relay.stop();
    },
  };
}

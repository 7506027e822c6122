import { walletFolder } from 'latchkey-react/wallet';
import { type WalletSiteOptions, walletSite } from 'latchkey-server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey-server/wallet/node';
import { type WalletSettings, walletConfig } from './config.js';

const HOST = 'wallet.localhost';

type Log = NonNullable<WalletSiteOptions['log']>;

/** The wallet's origin in development, where every name under localhost is this machine. */
export const walletOriginAt = (port: number): string => `http://${HOST}:${port}`;

export interface WalletOrigin {
  url: string;
  stop(): Promise<void>;
}

export interface DeployedWalletOptions {
  /** Gets each warning. Default: all are dropped. */
  readonly onLine?: ((line: string, service: string) => void) | undefined;
  /** The node by which the server reads the registry, if not the page's. */
  readonly registryRpcUrl?: string;
}

/** Serves the wallet origin by Node, like a deployed one. */
export async function serveDeployedWallet(
  port: number,
  settings: WalletSettings,
  { onLine = () => undefined, registryRpcUrl }: DeployedWalletOptions = {},
): Promise<WalletOrigin> {
  const report: Log['warn'] = (event, fields = {}) =>
    onLine([event, ...Object.entries(fields).map(([name, value]) => `${name}=${value}`)].join(' '), 'wallet');
  const log: Log = { info: () => undefined, warn: report, error: report };
  const site = walletSite({
    config: walletConfig(settings),
    files: filesOf(walletFolder),
    log,
    ...(registryRpcUrl !== undefined && { registryRpcUrl }),
  });
  const server = await serveSite(site, port);
  return { url: walletOriginAt(port), stop: server.close };
}

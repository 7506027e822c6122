import { join } from 'node:path';
import { latchkeyWallet, walletFolder } from 'latchkey-react/vite';
import { type WalletSiteOptions, walletSite } from 'latchkey-server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey-server/wallet/node';
import { createServer } from 'vite';
import { ROOT } from '../services/services.js';
import { type WalletSettings, walletConfig } from './config.js';

const HOST = 'wallet.localhost';

type Log = NonNullable<WalletSiteOptions['log']>;

/** The wallet's origin in development, where every name under localhost is this machine. */
export const walletOriginAt = (port: number): string => `http://${HOST}:${port}`;

export interface WalletOrigin {
  url: string;
  stop(): Promise<void>;
}

/** Serves the wallet origin by Vite and latchkey-react's plugin, as a developer does. */
export async function serveWallet(port: number, settings: WalletSettings): Promise<WalletOrigin> {
  const server = await createServer({
    configFile: false,
    root: join(ROOT, 'dev/wallet'),
    plugins: [latchkeyWallet({ config: walletConfig(settings) })],
    server: { port, strictPort: true, host: 'localhost' },
    clearScreen: false,
    logLevel: 'warn',
  });
  await server.listen();
  return { url: walletOriginAt(port), stop: () => server.close() };
}

export interface DeployedWalletOptions {
  /** Gets each warning. Default: all are dropped. */
  readonly onLine?: ((line: string, service: string) => void) | undefined;
  /** The node by which the server reads the registry, if not the page's. */
  readonly registryRpcUrl?: string;
}

/** Serves it by Node, without Vite, like a deployed one. */
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

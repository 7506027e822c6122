import { join } from 'node:path';
import { walletSite } from 'latchkey/server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey/server/wallet/node';
import { latchkeyWallet, walletFolder } from 'latchkey-react/vite';
import { createServer } from 'vite';
import { type WalletSettings, walletConfig } from '../wallet/config.js';
import { ROOT } from './services.js';

const HOST = 'wallet.localhost';

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
    root: join(ROOT, 'demo/wallet'),
    plugins: [latchkeyWallet({ config: walletConfig(settings) })],
    server: { port, strictPort: true, host: 'localhost' },
    clearScreen: false,
    logLevel: 'warn',
  });
  await server.listen();
  return { url: walletOriginAt(port), stop: () => server.close() };
}

/** Serves it by Node, without Vite, like a deployed one. */
export async function serveDeployedWallet(port: number, settings: WalletSettings): Promise<WalletOrigin> {
  const site = walletSite({ config: walletConfig(settings), files: filesOf(walletFolder) });
  const server = await serveSite(site, port);
  return { url: walletOriginAt(port), stop: server.close };
}

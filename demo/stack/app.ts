import { join } from 'node:path';
import { build, createServer, preview } from 'vite';
import { REGISTRY, ROOT } from './services.js';

const APP = join(ROOT, 'demo/app');

/** Where the page finds its services. */
export interface AppSettings {
  relayUrl: string;
  /** One address or several, each tried in turn. */
  chainUrls: string[];
  explorerUrl: string;
  /** The wallet's own origin; without one, the wallet runs in the app's page. */
  walletOrigin?: string;
}

export interface App {
  url: string;
  stop(): Promise<void>;
}

/** Serves the demo app from its sources, with hot reload. */
export async function serveApp(port: number, settings: AppSettings): Promise<App> {
  publish(settings);
  const server = await createServer({
    root: APP,
    server: { port, strictPort: true, host: 'localhost' },
    clearScreen: false,
    logLevel: 'warn',
  });
  await server.listen();
  return { url: `http://localhost:${port}`, stop: () => server.close() };
}

/** Builds a page from its folder, to be served at this path. */
export async function buildSite(root: string, base: string, outDir: string): Promise<void> {
  await build({ root, base, build: { outDir, emptyOutDir: true, target: 'es2022' }, logLevel: 'error' });
}

/** Builds the demo app into a folder and serves that: what a visitor of a deployed app gets. */
export async function serveBuiltApp(port: number, outDir: string, settings: AppSettings): Promise<App> {
  publish(settings);
  await buildSite(APP, '/', outDir);
  const server = await preview({
    root: APP,
    build: { outDir },
    preview: { port, strictPort: true, host: 'localhost' },
    logLevel: 'warn',
  });
  return { url: `http://localhost:${port}`, stop: () => server.close() };
}

// Vite hands a page the variables that start with VITE_.
function publish({ relayUrl, chainUrls, explorerUrl, walletOrigin = '' }: AppSettings): void {
  process.env.VITE_RELAY_URL = relayUrl;
  process.env.VITE_NEAR_RPC_URL = chainUrls.join(',');
  process.env.VITE_CONTRACT_ID = REGISTRY;
  process.env.VITE_EXPLORER_URL = explorerUrl;
  process.env.VITE_WALLET_ORIGIN = walletOrigin;
}

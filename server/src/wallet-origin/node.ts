/** A wallet origin on Node: reads its files from a folder, serves them, and writes the folder for a static host. */
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { dirname, join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { listen } from '../platform/listen.js';
import { walletDocument } from './document.js';
import { EXECUTOR_PATH, executorText, MANIFEST_PATH, manifestText } from './near-connect.js';
import { resolvePageConfig } from './page-config.js';
import { CHECK_PATH, OPENED_PATHS, SERVICE_PATHS, type WalletFiles } from './site.js';
import { type StaticHeadersOptions, staticHeaders } from './static.js';

/** The files of a built wallet page in a folder, read on each request. */
export function walletFolder(folder: string): WalletFiles {
  return {
    async read(path) {
      try {
        return new Uint8Array(await readFile(join(folder, path)));
      } catch (error) {
        if (
          error instanceof Error &&
          'code' in error &&
          ['ENOENT', 'EISDIR', 'ENOTDIR'].includes(String(error.code))
        )
          return null;
        throw error;
      }
    },
  };
}

export interface RunningSite {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves a site on this machine; port 0 takes a free one. Rejects with INVALID_CONFIG if it cannot listen on the port. */
export async function serveSite(
  site: (request: Request) => Promise<Response>,
  port: number,
  host = 'localhost',
): Promise<RunningSite> {
  const server = createAdaptorServer({ fetch: site });
  await listen(server as Server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

export interface StaticWalletOptions extends StaticHeadersOptions {
  /** The built wallet page: `dist/wallet` of latchkey-react. */
  readonly walletFolder: string;
  /** The wallet's own origin, for the connector's manifest and executor. If absent, the manifest is not written. */
  readonly origin?: string | undefined;
  /** The origins in `/.well-known/webauthn`, trusted like the wallet itself. If absent, the file is not written. */
  readonly relatedOrigins?: readonly string[] | undefined;
}

/** Writes the wallet origin as static files with their `_headers`. Rejects with INVALID_CONFIG for an unusable configuration. */
export async function writeWalletSite(outFolder: string, options: StaticWalletOptions): Promise<void> {
  const {
    walletFolder: built,
    config,
    servicePaths = SERVICE_PATHS,
    sdkBasePath = '/sdk',
    relatedOrigins,
    hasHome = true,
    origin,
  } = options;
  resolvePageConfig(config);
  const html = walletDocument(await readFile(join(built, 'index.html'), 'utf8'), config, sdkBasePath);
  const pages = [...(hasHome ? ['/'] : []), ...servicePaths, ...OPENED_PATHS, CHECK_PATH];
  const files: [path: string, text: string][] = [
    ...pages.map((path): [string, string] => [join(path, 'index.html'), html]),
    ['_headers', staticHeaders(options)],
    // Without it, such hosts answer an unknown path with the page and status 200.
    ['404.html', '<!doctype html><title>Not found</title>There is nothing at this address.\n'],
  ];
  const executor = await readFile(join(built, EXECUTOR_PATH), 'utf8');
  files.push([EXECUTOR_PATH, origin ? executorText(executor, config, origin) : executor]);
  if (origin) files.push([MANIFEST_PATH, manifestText(config, origin)]);
  if (relatedOrigins) files.push(['.well-known/webauthn', JSON.stringify({ origins: relatedOrigins })]);
  for (const [path, text] of files) {
    await mkdir(dirname(join(outFolder, path)), { recursive: true });
    await writeFile(join(outFolder, path), text);
  }
  await cp(join(built, 'sdk'), join(outFolder, sdkBasePath), { recursive: true });
}

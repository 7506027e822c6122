/** `latchkey-react/vite` makes Vite's servers and builds a wallet origin, or gives a host the files that it serves itself. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { FRAME_SCRIPTS } from 'latchkey/internal';
import type { WalletSiteOptions } from 'latchkey-server/wallet';
import type { Connect, Plugin, PreviewServer, ViteDevServer } from 'vite';
import { walletFolder } from './wallet-folder.js';

export { walletFolder } from './wallet-folder.js';

/** A build writes its `/.well-known/webauthn` only with `relatedOrigins`: static files cannot ask the registry. */
export type LatchkeyWalletOptions = Omit<WalletSiteOptions, 'files' | 'log'>;

const SERVICE_PATHS = ['/wallet-service', '/service'];
const NO_ENTRY = 'virtual:latchkey-wallet';

/** Loaded for a wallet origin only: a host that serves the button needs no package of servers. */
const loadServers = async () => ({
  ...(await import('latchkey-server/wallet')),
  node: await import('latchkey-server/wallet/node'),
});

/**
 * Serves the wallet page, its files under `/sdk`, and `/.well-known/webauthn`, each with its type and headers; a build
 * writes them as files, with a `_headers` for static hosts. A project that is only a wallet origin needs no page of its
 * own.
 */
export function latchkeyWallet(options: LatchkeyWalletOptions): Plugin {
  const { servicePaths = SERVICE_PATHS, sdkBasePath = '/sdk' } = options;
  let outFolder = '';
  let hasOwnPage = true;

  async function serve(server: ViteDevServer | PreviewServer): Promise<void> {
    const { logger } = server.config;
    const { CHECK_PATH, EXECUTOR_PATH, MANIFEST_PATH, node, OPENED_PATHS, walletSite } = await loadServers();
    const isOurs = (path: string): boolean =>
      servicePaths.includes(path.replace(/\/$/, '')) ||
      path.startsWith(`${sdkBasePath}/`) ||
      [...OPENED_PATHS, CHECK_PATH].includes(path.replace(/\/$/, '')) ||
      [EXECUTOR_PATH, MANIFEST_PATH].includes(path) ||
      path === '/.well-known/webauthn' ||
      (path === '/' && !hasOwnPage);
    const answer = walletSite({
      ...options,
      files: node.walletFolder(walletFolder),
      log: { info: () => undefined, warn: told, error: told },
    });
    function told(event: string, fields: object = {}): void {
      logger.warn(explained(event, fields as Record<string, unknown>), { timestamp: true });
    }
    // First in the stack: Vite itself refuses an unknown Host header before later middleware runs.
    server.middlewares.stack.unshift({ route: '', handle: explainBlockedHosts(told) });
    server.middlewares.use((request, response, next) => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
      if (!isOurs(url.pathname)) return next();
      answer(new Request(url, { method: request.method ?? 'GET' })).then(
        (answered) => send(answered, request, response),
        next,
      );
    });
  }

  return {
    name: 'latchkey-wallet',
    config(config, { command }) {
      hasOwnPage = existsSync(resolve(config.root ?? '.', 'index.html'));
      return {
        // Vite 6 and 7 would pre-bundle the package and separate its workers from their files.
        optimizeDeps: { exclude: ['latchkey'] },
        ...(command === 'build' && !hasOwnPage ? { build: { rollupOptions: { input: NO_ENTRY } } } : {}),
      };
    },
    configResolved(config) {
      outFolder = resolve(config.root, config.build.outDir);
    },
    configureServer: serve,
    configurePreviewServer: serve,
    resolveId: (id) => (id === NO_ENTRY ? id : undefined),
    load: (id) => (id === NO_ENTRY ? 'export {}' : undefined),
    generateBundle(_output, bundle) {
      for (const [name, file] of Object.entries(bundle))
        if (file.type === 'chunk' && file.facadeModuleId === NO_ENTRY) delete bundle[name];
    },
    async writeBundle() {
      const { node } = await loadServers();
      return node.writeWalletSite(outFolder, { ...options, walletFolder, hasHome: !hasOwnPage });
    },
  };
}

export interface LatchkeyButtonOptions {
  /** As in the configuration of the wallet; default `/sdk`. */
  readonly sdkBasePath?: string | undefined;
}

/**
 * For a host's own project: serves the two scripts of the embedded transaction button under `sdkBasePath`, and writes them
 * into a build. Their names stay while their content changes, so a server sends them with `Cache-Control: no-cache`.
 */
export function latchkeyButton({ sdkBasePath = '/sdk' }: LatchkeyButtonOptions = {}): Plugin {
  const base = sdkBasePath.replace(/\/+$/, '');
  const read = (name: string): Promise<Buffer> => readFile(join(walletFolder, 'sdk', name));
  return {
    name: 'latchkey-button',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        const name = FRAME_SCRIPTS.find((each) => pathname === `${base}/${each}`);
        if (name === undefined) return next();
        read(name).then((script) => {
          response.setHeader('content-type', 'text/javascript; charset=utf-8');
          response.setHeader('cache-control', 'no-cache');
          response.end(request.method === 'HEAD' ? undefined : script);
        }, next);
      });
    },
    async generateBundle() {
      for (const name of FRAME_SCRIPTS)
        this.emitFile({
          type: 'asset',
          fileName: `${base.slice(1)}/${name}`,
          source: new Uint8Array(await read(name)),
        });
    },
  };
}

async function send(answered: Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.statusCode = answered.status;
  for (const [name, value] of answered.headers) response.setHeader(name, value);
  response.end(request.method === 'HEAD' ? undefined : Buffer.from(await answered.arrayBuffer()));
}

/** Logs Vite's own 403 in the terminal: the developer sees only a blank frame. */
function explainBlockedHosts(told: (event: string, fields: object) => void): Connect.NextHandleFunction {
  return (request, response, next) => {
    const { host } = request.headers;
    response.once('finish', () => {
      // The wallet's 403 has a policy; Vite's has none.
      if (response.statusCode === 403 && !response.hasHeader('content-security-policy'))
        told('server_host_blocked', { host });
    });
    next();
  };
}

function explained(event: string, fields: Record<string, unknown>): string {
  switch (event) {
    case 'host_not_allowed':
      return (
        `[latchkey] The page ${JSON.stringify(fields.host)} may not embed this wallet, and its browser shows a blocked frame. ` +
        "If it is yours, add its origin to allowedHosts in the wallet's configuration, or to the registry (add_allowed_host)."
      );
    case 'server_host_blocked':
      return (
        `[latchkey] Vite answered 403 to the host ${JSON.stringify(fields.host)}: the name by which this server was called is ` +
        'not in server.allowedHosts (preview.allowedHosts) of vite.config. Add it there. This list is separate from ' +
        "the wallet's own allowedHosts."
      );
    case 'origins_need_two_providers':
      return (
        '[latchkey] /.well-known/webauthn lists no origin: rpcUrl names one provider only. Name a second one, or give the ' +
        'list as relatedOrigins. A wallet in a frame needs none.'
      );
    case 'hosts_unreadable':
    case 'origins_unreadable':
      return `[latchkey] The registry could not be read: ${String(fields.reason)}`;
    default:
      return `[latchkey] ${event} ${JSON.stringify(fields)}`;
  }
}

/** A wallet origin as one function from request to response: for Node, Workers, and any runtime with these types. */

import type { WalletPageData } from 'latchkey/internal/server';
import {
  canonicalOrigin,
  createAllowedHosts,
  createRpcClient,
  filled,
  HOST_NOT_ALLOWED,
  messageOf,
  type RpcClient,
} from 'latchkey/internal/server';
import { createOriginManifest, MANIFEST_CACHE } from '../http/origin-manifest.js';
import { Refusal } from '../http/refusal.js';
import { transportSecurityFor } from '../http/transport-security.js';
import { createLog, type Log } from '../observe/log.js';
import { BUILT_SDK_PATH, walletDocument } from './document.js';
import {
  type CrossOriginPreset,
  cacheOf,
  connectOrigins,
  type Headers,
  homeConnectOrigins,
  homeHeaders,
  REVALIDATED,
  walletHeaders,
} from './headers.js';
import { mimeType } from './mime.js';
import {
  CONNECTOR_HEADERS,
  EXECUTOR_PATH,
  executorText,
  MANIFEST_PATH,
  manifestText,
  originOf,
} from './near-connect.js';
import { resolvePageConfig } from './page-config.js';

/**
 * The built wallet page: `index.html`, `near-connect.js`, and its files under `sdk/`, in `dist/wallet` of latchkey-react; and the
 * script that `homeHooks` names, by its path.
 */
export interface WalletFiles {
  /** The bytes of a file by its path in that folder; null if there is none. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

export interface WalletSiteOptions {
  /** The wallet's configuration. The page contains it, so it must hold no secret. */
  readonly config: WalletPageData;
  readonly files: WalletFiles;
  readonly crossOrigin?: CrossOriginPreset | undefined;
  /** Default `/wallet-service` and `/service`. */
  readonly servicePaths?: readonly string[] | undefined;
  /** Default `/sdk`. */
  readonly sdkBasePath?: string | undefined;
  /**
   * The origins in `/.well-known/webauthn`, trusted like the wallet itself. Without it, those of the registry if two
   * providers agree on them or every node is on this machine, and otherwise none.
   */
  readonly relatedOrigins?: readonly string[] | undefined;
  /** The wallet's own origin, for the connector's manifest and executor. Default: the one that a request names; https but on this machine. */
  readonly origin?: string | undefined;
  /**
   * The nodes by which this server itself reads the registry, such as a loopback address of a node that browsers reach by
   * another name. Default: the configuration's nodes.
   */
  readonly registryRpcUrl?: string | readonly string[] | undefined;
  /** Reads the registry; default: a client of `registryRpcUrl`. */
  readonly rpc?: RpcClient | undefined;
  /** Default: warnings to the console, one JSON line each. */
  readonly log?: Log | undefined;
}

/** The addresses that other pages open in a window. */
export const OPENED_PATHS: readonly string[] = ['/connect', '/sign'];
/** Where users try their own authenticators. */
export const CHECK_PATH = '/check';
export const SERVICE_PATHS: readonly string[] = ['/wallet-service', '/service'];
const FILE_PATH = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Throws INVALID_CONFIG for an unusable configuration. */
export function walletSite(options: WalletSiteOptions): (request: Request) => Promise<Response> {
  const {
    config,
    files,
    crossOrigin = 'none',
    servicePaths = SERVICE_PATHS,
    sdkBasePath = BUILT_SDK_PATH,
  } = options;
  const log = options.log ?? createLog((line) => console.warn(line), 'warn');
  const { rpcUrls, rpcAgreement: agreement, contractId, networkId } = resolvePageConfig(config);
  const ofServer = options.registryRpcUrl;
  const rpc =
    options.rpc ??
    createRpcClient(ofServer === undefined ? { urls: rpcUrls, agreement } : { urls: ofServer });
  const manifest = createOriginManifest(rpc, contractId, log, options.relatedOrigins);
  const isAllowed = createAllowedHosts({
    rpc,
    contractId,
    networkId,
    configured: config.allowedHosts ?? [],
    failed: (error, hasFormerList) =>
      log.warn('hosts_unreadable', { reason: messageOf(error), hasFormerList }),
  });
  const connect = connectOrigins(config);
  const homeConnect = homeConnectOrigins(config);
  const headersFor = (frameAncestors: readonly string[]): Headers =>
    walletHeaders({ frameAncestors, connect, crossOrigin });

  const openedHeaders = walletHeaders({ frameAncestors: [], connect, crossOrigin: 'none' });

  async function page(host: string | null): Promise<Response> {
    const origin = host === null ? null : canonicalOrigin(host);
    try {
      if (host !== null && (origin === null || !(await isAllowed(origin)))) {
        log.warn('host_not_allowed', { host });
        const text = filled(HOST_NOT_ALLOWED.text, { origin: origin ?? 'that asks' });
        // The browser blocks the frame, so the host's own script fetches the reason.
        return refused(403, text, { ...headersFor([]), 'access-control-allow-origin': '*' });
      }
    } catch {
      // Already logged.
      const headers = { ...headersFor([]), 'retry-after': '5' };
      return refused(
        503,
        'The list of hosts cannot be read from the chain now. Try again in a few seconds.',
        headers,
      );
    }
    return document(headersFor(origin === null ? [] : [origin]));
  }

  async function document(headers: Headers): Promise<Response> {
    const built = await files.read('index.html');
    if (!built) return refused(500, "The wallet's page is missing. Build latchkey-react, then start again.");
    return new Response(walletDocument(new TextDecoder().decode(built), config, sdkBasePath), {
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
  }

  async function executor(request: Request): Promise<Response> {
    const built = await files.read(EXECUTOR_PATH.slice(1));
    if (!built) return refused(404, 'There is no such file.');
    const script = new TextDecoder().decode(built);
    return new Response(executorText(script, config, options.origin ?? originOf(request)), {
      headers: { ...CONNECTOR_HEADERS, 'content-type': mimeType('near-connect.js') },
    });
  }

  async function file(path: string): Promise<Response> {
    const content = FILE_PATH.test(path) ? await files.read(`sdk/${path}`) : null;
    if (!content) return refused(404, 'There is no such file.');
    return new Response(content, {
      headers: { ...headersFor([]), 'content-type': mimeType(path), 'cache-control': cacheOf(path) },
    });
  }

  /** The operator changes it under the same name. */
  async function hooks(path: string): Promise<Response> {
    const content = await files.read(path.slice(1));
    if (!content) return refused(404, 'There is no such file.');
    return new Response(content, {
      headers: { ...headersFor([]), 'content-type': mimeType(path), 'cache-control': REVALIDATED },
    });
  }

  async function relatedOrigins(): Promise<Response> {
    try {
      const headers = { 'cache-control': MANIFEST_CACHE, 'x-content-type-options': 'nosniff' };
      return Response.json({ origins: await manifest.origins() }, { headers });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refused(error.status, error.message, { 'retry-after': String(error.retryAfterSeconds ?? 5) });
    }
  }

  async function answerTo(request: Request): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refused(405, 'A wallet origin answers only GET and HEAD.', { allow: 'GET, HEAD' });
    }
    const { pathname, searchParams } = new URL(request.url);
    if (servicePaths.includes(pathname.replace(/\/$/, ''))) return page(searchParams.get('host'));
    if (pathname.startsWith(`${sdkBasePath}/`)) return file(pathname.slice(sdkBasePath.length + 1));
    // A window keeps its opener only without an opener policy of its own.
    if (OPENED_PATHS.includes(pathname.replace(/\/$/, ''))) return document(openedHeaders);
    if (pathname.replace(/\/$/, '') === CHECK_PATH) return document(homeHeaders({ connect, crossOrigin }));
    if (pathname === EXECUTOR_PATH) return executor(request);
    if (pathname === MANIFEST_PATH) {
      const text = manifestText(config, options.origin ?? originOf(request));
      return new Response(text, { headers: { ...CONNECTOR_HEADERS, 'content-type': 'application/json' } });
    }
    if (pathname === '/.well-known/webauthn') return relatedOrigins();
    if (pathname === '/') return document(homeHeaders({ connect: homeConnect, crossOrigin }));
    if (pathname === config.homeHooks) return hooks(pathname);
    return refused(404, 'There is nothing at this address.');
  }

  return async (request) => {
    const answer = await answerTo(request);
    const transportSecurity = transportSecurityFor(request.url);
    if (transportSecurity) answer.headers.set('strict-transport-security', transportSecurity);
    return answer;
  };
}

/** Always plain text, so that a page never stands in for a file. */
function refused(status: number, message: string, headers: Headers = {}): Response {
  return new Response(`${message}\n`, {
    status,
    headers: {
      ...headers,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

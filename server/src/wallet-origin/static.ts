/** A wallet origin for static hosts, which send the same headers to every host page. */

import type { WalletPageData } from 'latchkey/internal/server';
import { configuredHosts, FRAME_SCRIPTS, INVALID_CONFIG, LatchkeyError } from 'latchkey/internal/server';
import { MANIFEST_CACHE } from '../http/origin-manifest.js';
import { TRANSPORT_SECURITY } from '../http/transport-security.js';
import { BUILT_SDK_PATH } from './document.js';
import {
  type CrossOriginPreset,
  connectOrigins,
  FOREVER,
  type Headers,
  homeConnectOrigins,
  homeHeaders,
  REVALIDATED,
  walletHeaders,
} from './headers.js';
import { CONNECTOR_HEADERS, EXECUTOR_PATH, MANIFEST_PATH } from './near-connect.js';
import { CHECK_PATH, OPENED_PATHS, SERVICE_PATHS } from './site.js';

export interface StaticHeadersOptions {
  readonly config: WalletPageData;
  readonly crossOrigin?: CrossOriginPreset | undefined;
  readonly servicePaths?: readonly string[] | undefined;
  readonly sdkBasePath?: string | undefined;
  /** Whether `/` is the wallet's own page. Default true; false where the host has a page of its own there. */
  readonly hasHome?: boolean | undefined;
}

/** Each of them answers with the wallet's own page. */
const HOME_PATHS = ['/', '/index.html'];
const MAX_HOSTS = 50;
/** Cloudflare Pages ignores longer lines. */
const MAX_LINE = 2000;
/** Every possible host origin: https, and this machine's. */
const ANY = ['https:', 'http://localhost:*', 'http://*.localhost:*', 'http://127.0.0.1:*'];

/**
 * The text of a `_headers` file (Cloudflare Pages, Netlify). frame-ancestors lists the configured hosts, at most 50;
 * it cannot include the registry's list. Throws INVALID_CONFIG for too many hosts or too long a line.
 */
export function staticHeaders(options: StaticHeadersOptions): string {
  const {
    config,
    crossOrigin = 'none',
    servicePaths = SERVICE_PATHS,
    sdkBasePath = BUILT_SDK_PATH,
    hasHome = true,
  } = options;
  const connect = connectOrigins(config);
  const headers = (frameAncestors: readonly string[]) =>
    walletHeaders({ frameAncestors, connect, crossOrigin });
  const page = { ...headers(hostsOf(config)), 'cache-control': 'no-cache' };
  const noFrame = { ...homeHeaders({ connect, crossOrigin }), 'cache-control': 'no-cache' };
  const home = {
    ...homeHeaders({ connect: homeConnectOrigins(config), crossOrigin }),
    'cache-control': 'no-cache',
  };
  const opened = walletHeaders({ frameAncestors: [], connect, crossOrigin: 'none' });
  const rules: [path: string, headers: Headers][] = [
    // Such hosts decode a path before they look for a file, and not before they look for a rule: `/%73ervice/` gets the page by
    // this rule alone. Where a policy names frame-ancestors too, browsers ignore this header (CSP Level 3, 6.4.2).
    ['/*', { 'strict-transport-security': TRANSPORT_SECURITY, 'x-frame-options': 'DENY' }],
    ...(hasHome ? HOME_PATHS.map((path): [string, Headers] => [path, home]) : []),
    ...servicePaths.map((path): [string, Headers] => [`${path}/*`, page]),
    [`${sdkBasePath}/*`, { ...headers([]), 'cache-control': FOREVER }],
    // Such hosts join the values of all rules that match, and `no-cache` counts next to any other (RFC 9111, 5.2.2.4).
    ...FRAME_SCRIPTS.map((name): [string, Headers] => [
      `${sdkBasePath}/${name}`,
      { 'cache-control': REVALIDATED },
    ]),
    ...OPENED_PATHS.map((path): [string, Headers] => [
      `${path}/*`,
      { ...opened, 'cache-control': 'no-cache' },
    ]),
    [`${CHECK_PATH}/*`, noFrame],
    [EXECUTOR_PATH, CONNECTOR_HEADERS],
    [MANIFEST_PATH, CONNECTOR_HEADERS],
    ['/.well-known/webauthn', { 'content-type': 'application/json', 'cache-control': MANIFEST_CACHE }],
  ];
  const text = rules
    .map(([path, each]) =>
      [path, ...Object.entries(each).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n\n');
  if (text.split('\n').some((line) => line.length > MAX_LINE)) {
    throw invalid(`allowedHosts are too long together: a line of _headers holds ${MAX_LINE} characters`);
  }
  return `${text}\n`;
}

function hostsOf({
  allowedHosts = [],
  network = 'testnet',
  networkId = network,
}: WalletPageData): readonly string[] {
  if (allowedHosts === 'any') return ANY;
  const hosts = configuredHosts(allowedHosts, networkId);
  if (hosts.length > MAX_HOSTS) {
    throw invalid(
      `allowedHosts names ${hosts.length} hosts; a static host can list ${MAX_HOSTS}: serve the wallet by walletSite`,
    );
  }
  return hosts;
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError(INVALID_CONFIG, { values: { reason }, details: { problems: [reason] } });
}

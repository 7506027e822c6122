/** All headers of a wallet origin, for any server: Vite's two servers, static hosts, Node and Workers. */
import {
  FRAME_SCRIPTS,
  type PasskeyManagerConfig,
  resolveConfig,
  type WalletPageData,
} from 'latchkey/internal/server';

/**
 * Which windows may keep a handle on each other, and whether the page is cross-origin isolated.
 *
 * - `none`: no header. For a wallet itself: the popup that the wallet opens on its origin keeps its opener.
 * - `popup-friendly` (`Cross-Origin-Opener-Policy: same-origin-allow-popups`): for a host app that isolates its
 *   window and still lets the wallet's popup answer.
 * - `isolated` (`same-origin` and `Cross-Origin-Embedder-Policy: require-corp`): for a page that needs
 *   SharedArrayBuffer. A wallet inside an isolated host needs it too; its popup then has no opener.
 */
export type CrossOriginPreset = 'isolated' | 'popup-friendly' | 'none';

export type Headers = Readonly<Record<string, string>>;

export interface WalletHeaderOptions {
  /** The origins that may frame this answer; if empty, none may. */
  readonly frameAncestors: readonly string[];
  /** The further origins that the wallet calls: chain nodes and relay. See {@link connectOrigins}. */
  readonly connect: readonly string[];
  /** Default `none`. */
  readonly crossOrigin?: CrossOriginPreset | undefined;
}

/** The browser features that the wallet needs. Disables all others, for it and the frames inside it. */
const PERMISSIONS = [
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
  // The key viewer is a frame with an opaque origin, which no list can name.
  'clipboard-write=*',
  // The wallet scans linking codes by itself.
  'camera=(self)',
  ...[
    'accelerometer',
    'autoplay',
    'clipboard-read',
    'display-capture',
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'screen-wake-lock',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ].map((feature) => `${feature}=()`),
].join(', ');

/** The headers of the page and of everything under the SDK's path: a worker follows only its own file's policy. */
export function walletHeaders(options: WalletHeaderOptions): Headers {
  const { frameAncestors, connect, crossOrigin = 'none' } = options;
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "worker-src 'self'",
    // The key viewer is a srcdoc document: it inherits this policy and adds its own.
    "frame-src 'self'",
    `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    // The policy of the page's workers, and that of the key viewer's document.
    "require-trusted-types-for 'script'",
    'trusted-types default latchkey-key-viewer',
  ];
  return {
    'content-security-policy': policy.join('; '),
    'permissions-policy': PERMISSIONS,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // frame-ancestors decides who may frame the page. Its files are public, and the key viewer's opaque origin loads
    // one.
    'cross-origin-resource-policy': 'cross-origin',
    ...crossOriginHeaders(crossOrigin),
  };
}

/**
 * The headers of the home page at `/`, and of `/check`: no page may frame it, and one that opened it as a window keeps no handle
 * on it.
 */
export function homeHeaders(options: Omit<WalletHeaderOptions, 'frameAncestors'>): Headers {
  return {
    ...walletHeaders({ ...options, frameAncestors: [] }),
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** The two headers of a preset. */
export function crossOriginHeaders(preset: CrossOriginPreset): Headers {
  switch (preset) {
    case 'isolated':
      return {
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      };
    case 'popup-friendly':
      return { 'cross-origin-opener-policy': 'same-origin-allow-popups' };
    case 'none':
      return {};
  }
}

/** For files whose name contains a hash of their content. */
export const FOREVER = 'public, max-age=31536000, immutable';
/** For files whose name stays while their content changes. */
export const REVALIDATED = 'no-cache';

/** How long a file below the SDK's path may be used without a question. */
export function cacheOf(path: string): string {
  return FRAME_SCRIPTS.some((name) => name === path) ? REVALIDATED : FOREVER;
}

/** The origins that a wallet of this configuration calls: its chain nodes, its relay, and the server lock's relay. */
export function connectOrigins(config: PasskeyManagerConfig): readonly string[] {
  const { rpcUrls, relayer, shamir3pass } = resolveConfig(config);
  const urls = [...rpcUrls, relayer.url, ...(shamir3pass ? [shamir3pass.relayServerUrl] : [])];
  return [...new Set(urls.map((url) => new URL(url).origin))];
}

/** The same of the wallet's own page, which may also ask an indexer of tokens. */
export function homeConnectOrigins(config: WalletPageData): readonly string[] {
  const { indexerUrl } = config.tokens ?? {};
  const indexer = indexerUrl === undefined ? [] : [new URL(indexerUrl).origin];
  return [...new Set([...connectOrigins(config), ...indexer])];
}

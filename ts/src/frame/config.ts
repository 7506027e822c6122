/** The configuration of the wallet's frame, as a developer gives it and with its defaults filled in. */
import { withoutSecrets } from '../http-url.js';
import { canonicalOrigin } from './origin.js';

export interface IframeWalletConfig {
  /**
   * `https://wallet.example`, or http on localhost. Without it the wallet runs in this page, where the manager was given one,
   * and the console says so.
   */
  readonly walletOrigin?: string | undefined;
  /** The path of the wallet page on that origin. Default `/service`. */
  readonly walletServicePath?: string | undefined;
  /**
   * Where this page serves the two scripts of the embedded transaction button. Default `/sdk`. It does not say from where
   * the wallet loads its own code: the wallet's operator does (`sdkBasePath` of `walletSite`).
   */
  readonly sdkBasePath?: string | undefined;
  /** An rpId for the wallet. The wallet accepts it only if its own configuration lets this page choose. */
  readonly rpIdOverride?: string | undefined;
  /** How long the frame may take to be ready. Default 20000. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long a request may be silent while no user is deciding. Default 60000. */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * Whether this page may run passkey prompts for the wallet where its browser allows none inside a frame. The page
   * then sees the PRF outputs that keys are made from: set it only where every script of this page is trusted with
   * them.
   */
  readonly enableSafariGetWebauthnRegistrationFallback?: boolean | undefined;
}

/** Every default filled in. */
export interface ResolvedFrame {
  readonly walletOrigin: string;
  /** Starts with `/`, and ends without one. */
  readonly walletServicePath: string;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly enableSafariGetWebauthnRegistrationFallback: boolean;
}

const DEFAULT_PATHS = { walletServicePath: '/service', sdkBasePath: '/sdk' } as const;
const CONNECT_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** The longest delay that a browser's timer takes. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The wallet's origin as it was given, or undefined where there is none. */
export function originGiven(frame: IframeWalletConfig | undefined): string | undefined {
  return frame?.walletOrigin?.trim() || undefined;
}

/** Returns null where no wallet origin is given. Adds what is wrong to `problems`. */
export function resolveFrame(
  frame: IframeWalletConfig | undefined,
  problems: string[],
): ResolvedFrame | null {
  const given = originGiven(frame);
  if (!frame || !given) return null;

  const walletOrigin = canonicalOrigin(given.replace(/\/$/, ''));
  if (walletOrigin === null)
    problems.push(
      `iframeWallet.walletOrigin must be an https origin (http on localhost alone), without a path: ${withoutSecrets(given)}`,
    );
  const timeout = (name: 'connectTimeoutMs' | 'requestTimeoutMs', or: number): number => {
    const value = frame[name] ?? or;
    if (!(value > 0 && value <= LONGEST_TIMEOUT_MS))
      problems.push(`iframeWallet.${name} is not a time of more than 0 milliseconds: ${value}`);
    return value;
  };
  const { rpIdOverride } = frame;
  if (rpIdOverride !== undefined && !isRpId(rpIdOverride))
    problems.push(
      `iframeWallet.rpIdOverride is not the name of a host, such as example.com: ${rpIdOverride}`,
    );

  return {
    walletOrigin: walletOrigin ?? given,
    walletServicePath: pathOf(frame, 'walletServicePath', problems),
    connectTimeoutMs: timeout('connectTimeoutMs', CONNECT_TIMEOUT_MS),
    requestTimeoutMs: timeout('requestTimeoutMs', REQUEST_TIMEOUT_MS),
    // Only a plain true turns it on; a mistyped text does not.
    enableSafariGetWebauthnRegistrationFallback: frame.enableSafariGetWebauthnRegistrationFallback === true,
  };
}

/** The path of the button's scripts, which a page has with its own wallet too. Adds what is wrong to `problems`. */
export function resolveSdkBasePath(frame: IframeWalletConfig | undefined, problems: string[]): string {
  return pathOf(frame, 'sdkBasePath', problems);
}

/** Starts with `/`, and ends without one. */
function pathOf(
  frame: IframeWalletConfig | undefined,
  name: keyof typeof DEFAULT_PATHS,
  problems: string[],
): string {
  const value = frame?.[name] ?? DEFAULT_PATHS[name];
  if (!isPath(value)) problems.push(`iframeWallet.${name} must be a path that starts with /: ${value}`);
  return value.replace(/\/+$/, '');
}

/** A DNS name without a port, of two labels or localhost: browsers refuse a top level and an address (WebAuthn, 5.1.3). */
export function isRpId(name: string): boolean {
  const isName = /^[^:]*\D$/.test(name) && canonicalOrigin(`https://${name}`) !== null;
  return isName && (name.includes('.') || name.toLowerCase() === 'localhost');
}

/** A path on this origin. Two slashes at the start, or a step up, would lead elsewhere. */
function isPath(value: string): boolean {
  return /^(?=\/)(\/(?!\.\.?(\/|$))[\w\-.~%]+)*\/?$/.test(value);
}

/** Configuration: what a developer gives, the defaults, and one check that names everything wrong. */
import { namedSettings, settingsProblems } from './confirm/settings-check.js';
import { type AnyOf, definedFields } from './defined-fields.js';
import { INVALID_CONFIG, INVALID_RPC_URL, LatchkeyError, MISSING_RELAYER_URL } from './errors/core.js';
import {
  type IframeWalletConfig,
  isRpId,
  type ResolvedFrame,
  resolveFrame,
  resolveSdkBasePath,
} from './frame/config.js';
import { isHttpUrl, withoutSecrets } from './http-url.js';
import { isNearAccountId } from './near/account-id.js';
import { defaultAgreement, isThisMachine, type NetworkName, networkOf, TESTNET } from './near/networks.js';
import type { ConfirmationConfig, ConfirmationWish } from './types.js';

export type UserVerification = 'required' | 'preferred' | 'discouraged';

/** Where a registered authenticator may be used from; sent to the registry. */
export type OriginPolicy =
  | { readonly all_subdomains: true }
  | { readonly single: true }
  | { readonly multiple: string[] };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Receives the log lines. They contain no secrets, and nothing is sent anywhere. */
export type Logger = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (message: string, data?: unknown) => void>
>;

export interface PasskeyManagerConfig {
  /**
   * Sets `networkId`, and `rpcUrl` and `explorerUrl` where they are not given. Default 'testnet'. On mainnet `contractId` is
   * required: it has no default there.
   */
  readonly network?: NetworkName | undefined;
  /** One URL, several in a list, or several in one string separated by commas or spaces. */
  readonly rpcUrl?: string | readonly string[] | undefined;
  /**
   * 2: what a key, a name or money depends on is read from two nodes, which must agree. Needs URLs of two origins.
   * Default 2 with such URLs, where the nodes of this machine count as one, and 1 otherwise.
   */
  readonly rpcAgreement?: 1 | 2 | undefined;
  /** For a network of your own; `network` names the public ones. */
  readonly networkId?: string | undefined;
  /**
   * The registry contract; new accounts are `<name>.<contractId>`. The default on testnet, `w3a-v1.testnet`, is another
   * contract than Latchkey's and protects less: name your own. Mainnet has no default.
   */
  readonly contractId?: string | undefined;
  /** The explorer, for `/transactions/{id}` and `/address/{account}`. Default `https://testnet.nearblocks.io`. */
  readonly explorerUrl?: string | undefined;
  /** The relay, which pays for new accounts and holds one half of the login lock. */
  readonly relayer: {
    readonly url: string;
    /** The parent of new accounts; the registry creates them. */
    readonly accountId?: string | undefined;
  };
  /** The server lock; `false` turns it off, and every login asks for the passkey. */
  readonly shamir3pass?: false | AnyOf<Shamir3passConfig> | undefined;
  /** Another place for `shamir3pass`, which counts where both are set. */
  readonly vrfWorkerConfigs?:
    | { readonly shamir3pass?: false | AnyOf<Shamir3passConfig> | undefined }
    | undefined;
  /** Sent to the registry with a registration. Every prompt itself requires user verification. */
  readonly authenticatorOptions?:
    | {
        readonly userVerification?: UserVerification | undefined;
        readonly originPolicy?: OriginPolicy | undefined;
      }
    | undefined;
  /** An rpId other than the host's name: a parent domain of it, or any with `relatedOrigin: true`. */
  readonly rpIdOverride?: string | undefined;
  /** Allows an `rpIdOverride` that this host does not end in. Default false. */
  readonly relatedOrigin?: boolean | undefined;
  /** How requests are confirmed, where neither the user nor a call says otherwise. */
  readonly confirmationConfig?: ConfirmationWish | undefined;
  /** How long a linking may take. */
  readonly deviceLinking?: AnyOf<DeviceLinkingConfig> | undefined;
  /**
   * Whether a private key may be exported by a wallet that shares its origin with a page's scripts, which could
   * reach the viewer. Off unless set: set it where every script of the origin is trusted.
   */
  readonly keyExport?: { readonly sameOrigin?: boolean | undefined } | undefined;
  /** Where the wallet runs on an origin of its own. Without it, give the manager the wallet of `latchkey/same-origin`. */
  readonly iframeWallet?: IframeWalletConfig | undefined;
  /** Takes the log lines. Default: the console. */
  readonly logger?: Logger | undefined;
  /** Default 'warn' on this machine (localhost), 'error' elsewhere. */
  readonly logLevel?: LogLevel | undefined;
}

export interface Shamir3passConfig {
  /** The group's safe prime: base64url of its big-endian bytes, 2048 to 4096 bits. */
  readonly p: string;
  /** Default: the relay's address. */
  readonly relayServerUrl: string;
  /** Default `/vrf/apply-server-lock`. */
  readonly applyServerLockRoute: string;
  /** Default `/vrf/remove-server-lock`. */
  readonly removeServerLockRoute: string;
}

export interface DeviceLinkingConfig {
  /**
   * How long the key that a linking added stays on the account where no device makes it its own, in milliseconds from
   * the moment that the link's mapping is in a final block; Device2 counts down from it. Default 90000:
   * a user compares 16 characters and passes a prompt in that time. Less than 75000 leaves less than a minute for it
   * (WCAG 2.2.1); 20000 is the least that makes sense.
   */
  readonly tempKeyDeleteDelayMs: number;
}

export interface ResolvedIframeWallet extends ResolvedFrame {
  /** The configuration as the developer gave it; defaults of this page are not sent to the wallet as wishes. */
  readonly given: PasskeyManagerConfig;
}

/** The configuration with every default filled in. */
export interface ResolvedConfig {
  readonly rpcUrls: readonly string[];
  readonly rpcAgreement: number;
  readonly networkId: string;
  readonly contractId: string;
  readonly explorerUrl: string;
  readonly relayer: { readonly url: string; readonly accountId: string };
  readonly shamir3pass: Shamir3passConfig | null;
  readonly authenticatorOptions: {
    readonly userVerification: UserVerification;
    readonly originPolicy: OriginPolicy;
  };
  readonly rpIdOverride: string | null;
  readonly relatedOrigin: boolean;
  readonly confirmationConfig: ConfirmationConfig;
  readonly deviceLinking: DeviceLinkingConfig;
  readonly keyExport: { readonly sameOrigin: boolean };
  /** Null: the wallet runs in this page. */
  readonly iframeWallet: ResolvedIframeWallet | null;
  /** Where this page serves the scripts of the embedded transaction button. */
  readonly sdkBasePath: string;
  readonly logger: Logger;
}

/** The 2048-bit MODP group of RFC 3526 (group 14), base64url of 256 big-endian bytes. */
export const RFC3526_GROUP_14_P =
  '___________JD9qiIWjCNMTGYouA3BzRKQJOCIpnzHQCC76mOxObIlFKCHmONATd75UZs806QxswKwpt8l8UN0_hNW1tUcJF5IW1dmJef' +
  'sb0TELppjftawv_XLb0Brft7jhr-1qJn6WunyQRfEsf5kkoZlHs5Fs9wgB8uKFjvwWY2kg2HFXTmmkWP6j9JM9fg2VdI9yjrZYcYvNWII' +
  'VSu57VKQdwlpZtZww1Tkq8mATxdGwIyhghfDKQXkYuNs474553LBgOhgObJ4Oi7Aeij7XFXfBvTFLJ3ivL9pVYFxg5lUl86pVq5RXSJhi' +
  'Y-gUQFXKOWoqsqmj__________w';

export const DEFAULT_CONFIRMATION: ConfirmationConfig = {
  uiMode: 'modal',
  behavior: 'autoProceed',
  autoProceedDelayMs: 0,
  theme: 'dark',
};

const DEFAULTS = {
  applyServerLockRoute: '/vrf/apply-server-lock',
  removeServerLockRoute: '/vrf/remove-server-lock',
} as const;

const DEVICE_LINKING: DeviceLinkingConfig = { tempKeyDeleteDelayMs: 90_000 };

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** Fills in the defaults; throws one error that names every bad field. */
export function resolveConfig(config: PasskeyManagerConfig): ResolvedConfig {
  return resolveAfter([], config);
}

/** As {@link resolveConfig}; the error also names the problems that a caller found before. */
export function resolveAfter(found: readonly string[], config: PasskeyManagerConfig): ResolvedConfig {
  // Without types, anything may be given.
  if (!isText(config?.relayer?.url)) throw new LatchkeyError(MISSING_RELAYER_URL);
  const network = networkOf(config.network ?? config.networkId) ?? TESTNET;
  const rpcUrls = splitUrls(config.rpcUrl ?? network.rpcUrls);
  if (rpcUrls.length === 0) throw new LatchkeyError(INVALID_RPC_URL);

  const problems = [...found];
  const url = (name: string, value: string): string => {
    if (!isHttpUrl(value)) problems.push(`${name} is not an http(s) URL: ${withoutSecrets(value)}`);
    else if (!isRequestable(value)) problems.push(`${name} has a user or a password, which no browser sends`);
    return value.replace(/\/+$/, '');
  };
  /** An address to which paths are appended. */
  const base = (name: string, value: string): string => {
    if (/[?#]/.test(value))
      problems.push(`${name} has a query or a fragment, and paths follow it: ${withoutSecrets(value)}`);
    return url(name, value);
  };

  const rpcAgreement = config.rpcAgreement ?? defaultAgreement(rpcUrls.filter((one) => URL.canParse(one)));
  if (rpcAgreement !== 1 && rpcAgreement !== 2) problems.push('rpcAgreement must be 1 or 2');
  const origins = new Set(rpcUrls.map((value) => (URL.canParse(value) ? new URL(value).origin : value)));
  if (origins.size < rpcAgreement) {
    const found = origins.size === 1 ? 'only one node' : `${origins.size} nodes`;
    problems.push(
      `rpcAgreement: ${rpcAgreement} needs as many nodes of different providers, and rpcUrl names ${found}`,
    );
  }

  const networkId = config.networkId ?? network.networkId;
  if (config.network !== undefined && config.network !== network.networkId)
    problems.push("network must be 'mainnet' or 'testnet'");
  else if (config.network !== undefined && config.network !== networkId)
    problems.push(`network is ${config.network}, and networkId is ${networkId}: give one of them`);
  const contractId = config.contractId ?? network.contractId ?? '';
  if (contractId === '')
    problems.push('contractId is missing: mainnet has no default. Deploy a registry and name it here');
  else if (!isNearAccountId(contractId)) problems.push(`contractId is not an account id: ${contractId}`);
  const relayerUrl = base('relayer.url', config.relayer.url.trim());
  const { shamir3pass = config.vrfWorkerConfigs?.shamir3pass ?? {} } = config;
  const lock = shamir3pass === false ? null : shamir3pass;
  const confirmation = config.confirmationConfig ?? {};
  problems.push(...settingsProblems(confirmation));
  const deviceLinking = { ...DEVICE_LINKING, ...definedFields(config.deviceLinking ?? {}) };
  if (!(deviceLinking.tempKeyDeleteDelayMs >= 0))
    problems.push('deviceLinking.tempKeyDeleteDelayMs is not a time of 0 or more milliseconds');
  const { rpIdOverride } = config;
  if (rpIdOverride !== undefined && !isRpId(rpIdOverride))
    problems.push(`rpIdOverride is not the name of a host, such as example.com: ${rpIdOverride}`);
  const { logLevel = defaultLogLevel() } = config;
  if (!LEVELS.includes(logLevel)) problems.push(`logLevel must be ${LEVELS.join(' or ')}`);
  const logger = createLogger(config.logger ?? console, logLevel);

  const resolved: ResolvedConfig = {
    rpcUrls: rpcUrls.map((value) => url('rpcUrl', value)),
    rpcAgreement,
    networkId,
    contractId,
    explorerUrl: base('explorerUrl', config.explorerUrl ?? network.explorerUrl),
    relayer: { url: relayerUrl, accountId: config.relayer.accountId ?? contractId },
    shamir3pass: lock && {
      p: lock.p ?? RFC3526_GROUP_14_P,
      relayServerUrl: lock.relayServerUrl
        ? base('shamir3pass.relayServerUrl', lock.relayServerUrl)
        : relayerUrl,
      applyServerLockRoute: lock.applyServerLockRoute ?? DEFAULTS.applyServerLockRoute,
      removeServerLockRoute: lock.removeServerLockRoute ?? DEFAULTS.removeServerLockRoute,
    },
    authenticatorOptions: {
      userVerification: config.authenticatorOptions?.userVerification ?? 'preferred',
      originPolicy: config.authenticatorOptions?.originPolicy ?? { all_subdomains: true },
    },
    rpIdOverride: rpIdOverride?.toLowerCase() ?? null,
    relatedOrigin: config.relatedOrigin ?? false,
    confirmationConfig: { ...DEFAULT_CONFIRMATION, ...namedSettings(confirmation) },
    deviceLinking,
    // Only a plain true turns it on; a mistyped text does not.
    keyExport: { sameOrigin: config.keyExport?.sameOrigin === true },
    iframeWallet: resolveIframeWallet(config, problems),
    sdkBasePath: resolveSdkBasePath(config.iframeWallet, problems),
    logger,
  };
  if (problems.length > 0) {
    throw new LatchkeyError(INVALID_CONFIG, {
      values: { reason: problems.join('; ') },
      details: { problems },
    });
  }
  if (config.iframeWallet && !resolved.iframeWallet) {
    // In production too, unless this page chose its level: nothing else tells that the wallet left its own origin.
    const sink = config.logLevel ? logger : createLogger(config.logger ?? console, 'warn');
    sink.warn('iframeWallet has no walletOrigin: the wallet runs in this page, on the origin of its scripts');
  }
  return resolved;
}

function resolveIframeWallet(config: PasskeyManagerConfig, problems: string[]): ResolvedIframeWallet | null {
  const frame = resolveFrame(config.iframeWallet, problems);
  return frame && { ...frame, given: config };
}

function splitUrls(value: string | readonly string[]): string[] {
  const parts = typeof value === 'string' ? value.split(/[\s,]+/) : value.map((part) => part.trim());
  return parts.filter((part) => part.length > 0);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** A request whose address has credentials throws (Fetch, Request constructor). */
function isRequestable(value: string): boolean {
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

/** A page on this machine counts as development, any other as production. */
function defaultLogLevel(): LogLevel {
  return isThisMachine(globalThis.location?.hostname ?? 'localhost') ? 'warn' : 'error';
}

function createLogger(sink: Logger, level: LogLevel): Logger {
  const from = LEVELS.indexOf(level);
  const at = (name: keyof Logger): Logger[keyof Logger] =>
    LEVELS.indexOf(name) >= from
      ? (message, data) => sink[name](`[latchkey] ${message}`, ...(data === undefined ? [] : [data]))
      : () => undefined;
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

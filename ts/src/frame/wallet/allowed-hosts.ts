/**
 * The hosts that may embed the wallet: the operator's own list and the registry's allowed hosts. The registry's
 * allowed origins answer another question and are never read here.
 */
import { INVALID_CONFIG, LatchkeyError } from '../../errors/core.js';
import type { RpcClient } from '../../near/index.js';
import { createOriginList, type OriginListOptions } from '../../registry/origin-list.js';
import { canonicalOrigin } from '../origin.js';

export interface AllowedHostsOptions {
  readonly rpc: RpcClient;
  readonly contractId: string;
  readonly networkId: string;
  /** The operator's list; the registry is asked only about other origins. With `'any'` it is never asked. */
  readonly configured: readonly string[] | 'any';
  readonly freshMs?: number;
  readonly kept?: OriginListOptions['kept'];
  /** Called when the registry's list could not be read. */
  readonly failed: OriginListOptions['failed'];
}

/**
 * Whether pages of an origin may embed the wallet. Rejects with the chain's error where the registry cannot be read.
 */
export type AllowedHosts = (origin: string) => Promise<boolean>;

/** In the configured list: every page that http serves on this machine, at any port. */
const LOCAL_PAGES = 'http://localhost:*';

/** Throws INVALID_CONFIG for a configured list that {@link configuredHosts} refuses. */
export function createAllowedHosts(options: AllowedHostsOptions): AllowedHosts {
  const { rpc, contractId, networkId, configured, freshMs, kept, failed } = options;
  const own = configured === 'any' ? 'any' : new Set(configuredHosts(configured, networkId));
  const listed = createOriginList(rpc, contractId, {
    method: 'get_allowed_hosts',
    failed,
    ...(freshMs !== undefined && { freshMs }),
    ...(kept && { kept }),
  });
  return async (origin) => {
    const canonical = canonicalOrigin(origin);
    if (canonical === null) return false;
    if (own === 'any' || own.has(canonical)) return true;
    if (own.has(LOCAL_PAGES) && /^http:\/\/localhost(:\d+)?$/.test(canonical)) return true;
    return (await listed(canonical)).includes(canonical);
  };
}

/**
 * Returns the canonical forms of `allowedHosts`, as a policy's frame-ancestors takes them. Throws INVALID_CONFIG, which names what is
 * no origin, and `http://localhost:*` on another network than testnet: whatever runs on a user's machine could embed the wallet.
 */
export function configuredHosts(hosts: readonly string[], networkId: string): readonly string[] {
  const named = canonicalOrigins(
    'allowedHosts',
    hosts.filter((text) => text !== LOCAL_PAGES),
  );
  if (!hosts.includes(LOCAL_PAGES)) return named;
  if (networkId === 'testnet') return [LOCAL_PAGES, ...named];
  throw invalidHosts([`allowedHosts names ${LOCAL_PAGES}, which is for testnet alone, not for ${networkId}`]);
}

/** Returns the canonical forms of configured origins. Throws INVALID_CONFIG, which names each one that is no origin. */
export function canonicalOrigins(field: string, texts: readonly string[]): readonly string[] {
  const origins = texts.map((text) => canonicalOrigin(text));
  const problems = texts
    .filter((_text, index) => origins[index] === null)
    .map((text) => `${field} names what is no origin (https://host[:port], or http on localhost): ${text}`);
  if (problems.length > 0) throw invalidHosts(problems);
  return origins.filter((origin) => origin !== null);
}

function invalidHosts(problems: readonly string[]): LatchkeyError {
  return new LatchkeyError(INVALID_CONFIG, {
    values: { reason: problems.join('; ') },
    details: { problems },
  });
}

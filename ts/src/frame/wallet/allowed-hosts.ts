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

/** Throws INVALID_CONFIG where the configured list contains something that is no origin. */
export function createAllowedHosts(options: AllowedHostsOptions): AllowedHosts {
  const { rpc, contractId, configured, freshMs, kept, failed } = options;
  const own = configured === 'any' ? 'any' : new Set(canonicalOrigins('allowedHosts', configured));
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
    return (await listed(canonical)).includes(canonical);
  };
}

/** Returns the canonical forms of configured origins. Throws INVALID_CONFIG, which names each one that is no origin. */
export function canonicalOrigins(field: string, texts: readonly string[]): readonly string[] {
  const origins = texts.map((text) => canonicalOrigin(text));
  const problems = texts
    .filter((_text, index) => origins[index] === null)
    .map((text) => `${field} names what is no origin (https://host[:port], or http on localhost): ${text}`);
  if (problems.length > 0) {
    throw new LatchkeyError(INVALID_CONFIG, {
      values: { reason: problems.join('; ') },
      details: { problems },
    });
  }
  return origins.filter((origin) => origin !== null);
}

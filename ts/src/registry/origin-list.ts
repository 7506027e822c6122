/** Caches for the registry's two lists of origins. */
import * as v from 'valibot';
import { isLatchkeyError } from '../errors/latchkey-error.js';
import type { ListViewOptions, RpcClient } from '../near/index.js';
import type { RegistryAt } from './registry-at.js';
import { orRegistryError } from './registry-error.js';

const Origins = v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(5000));
/** How long a list that lacks an origin is used to refuse it: its operator may be adding it at this moment. */
const REFUSED_FRESH_MS = 2_000;
/** Limit on waiting for the chain when an older list exists. */
const READ_LIMIT_MS = 4_000;

/**
 * How long a list is used while the chain cannot be reached or the nodes disagree. An origin that was removed from the registry
 * is admitted no longer than this.
 */
const KEPT_MS = 3_600_000;

/** A list and its read time in milliseconds since 1970. */
export interface ReadOrigins {
  readonly origins: readonly string[];
  readonly at: number;
}

export interface OriginListOptions {
  /**
   * `get_allowed_origins`: origins that may run ceremonies with the wallet's rpId. `get_allowed_hosts`: origins that
   * may embed the wallet. Neither list replaces the other.
   */
  readonly method: 'get_allowed_origins' | 'get_allowed_hosts';
  /** How long a list stays fresh for the origins in it, and for calls that name none. Default 60000. */
  readonly freshMs?: number;
  /** Storage in which the last list outlives this process or page. Its failures only go to `failed`. */
  readonly kept?: {
    read(): Promise<ReadOrigins | undefined>;
    write(list: ReadOrigins): Promise<void>;
  };
  /** Receives each error, and whether an older list stands in for the chain's. */
  readonly failed: (error: unknown, hasFormerList: boolean) => void;
}

/**
 * Returns the list: the cached one while it is fresh, and for an hour while the chain is unreachable. Several providers
 * must agree on it where the client asks several. A cached list that lacks the origin named is read again after two
 * seconds, and one that is read now and lacks it comes from two blocks: a node that lags may not know the origin yet.
 * Where the registry has no such list (REGISTRY_LACKS, which `failed` receives), returns an empty one. Rejects with the
 * chain's error if there is no list at all.
 */
export type OriginList = (origin?: string) => Promise<readonly string[]>;

/** Reads a list from the chain; several providers must agree on it where the client asks several. */
export function readOriginList(
  at: RegistryAt,
  method: OriginListOptions['method'],
  view: ListViewOptions<readonly string[]> = {},
): Promise<readonly string[]> {
  const { rpc, config } = at;
  const reading = rpc.callFunctionJson(Origins, config.contractId, method, {}, { ...view, agreed: true });
  return orRegistryError(at, reading, method === 'get_allowed_hosts' ? 'allowedHosts' : undefined);
}

export function createOriginList(rpc: RpcClient, contractId: string, options: OriginListOptions): OriginList {
  const { method, freshMs = 60_000, kept, failed } = options;
  let last: ReadOrigins | undefined;
  let reading: Promise<readonly string[]> | undefined;
  const isYounger = (list: ReadOrigins, thanMs: number): boolean =>
    Date.now() - list.at < thanMs && list.at <= Date.now();
  const isFresh = (list: ReadOrigins, origin: string | undefined): boolean =>
    isYounger(list, freshMs) &&
    (origin === undefined || list.origins.includes(origin) || isYounger(list, REFUSED_FRESH_MS));

  const at = { rpc, config: { contractId } };

  async function read(origin: string | undefined): Promise<readonly string[]> {
    last ??= await kept?.read().catch((error: unknown) => {
      failed(error, false);
      return undefined;
    });
    if (last && isFresh(last, origin)) return last.origins;
    if (last && !isYounger(last, KEPT_MS)) last = undefined;
    try {
      const view = {
        signal: last && AbortSignal.timeout(READ_LIMIT_MS),
        ...(origin && { twice: true, isNo: (list: readonly string[]) => !list.includes(origin) }),
      };
      const origins = await readOriginList(at, method, view);
      last = { origins, at: Date.now() };
      kept?.write(last).catch((error: unknown) => failed(error, true));
      return origins;
    } catch (error) {
      failed(error, last !== undefined);
      if (isLatchkeyError(error, 'REGISTRY_LACKS')) last = { origins: [], at: Date.now() };
      if (last) return last.origins;
      throw error;
    }
  }

  return async (origin) => {
    if (last && isFresh(last, origin)) return last.origins;
    reading ??= read(origin).finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

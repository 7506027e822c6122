/** The registry's two lists of origins, each read from the chain and kept for a while. */
import * as v from 'valibot';
import type { RpcClient } from '../near/index.js';

const Origins = v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(5000));
/** How long the chain is waited for where there is a list to fall back on. */
const READ_LIMIT_MS = 4_000;

/** A list, and when it was read: milliseconds since 1970. */
export interface ReadOrigins {
  readonly origins: readonly string[];
  readonly at: number;
}

export interface OriginListOptions {
  /**
   * `get_allowed_origins`: who may run ceremonies with the wallet's rpId. `get_allowed_hosts`: who may embed the wallet.
   * One is never used in the place of the other.
   */
  readonly method: 'get_allowed_origins' | 'get_allowed_hosts';
  /** How long a list is used without asking the chain again. Default 60000. */
  readonly freshMs?: number;
  /** Where the last list outlives this process or page. A failure in it is told to `failed`, and no more. */
  readonly kept?: {
    read(): Promise<ReadOrigins | undefined>;
    write(list: ReadOrigins): Promise<void>;
  };
  /** Told what went wrong where a former list stands in for the chain's, and where there is none. */
  readonly failed: (error: unknown, hasFormerList: boolean) => void;
}

/**
 * Reads the list: the one of before while it is fresh, and while the chain cannot be asked. Rejects with the chain's
 * error where there is no list at all.
 */
export type OriginList = () => Promise<readonly string[]>;

export function createOriginList(rpc: RpcClient, contractId: string, options: OriginListOptions): OriginList {
  const { method, freshMs = 60_000, kept, failed } = options;
  let last: ReadOrigins | undefined;
  let reading: Promise<readonly string[]> | undefined;
  const isFresh = (list: ReadOrigins): boolean => Date.now() - list.at < freshMs && list.at <= Date.now();

  async function read(): Promise<readonly string[]> {
    last ??= await kept?.read().catch((error: unknown) => {
      failed(error, false);
      return undefined;
    });
    if (last && isFresh(last)) return last.origins;
    try {
      const view = last ? { signal: AbortSignal.timeout(READ_LIMIT_MS) } : {};
      const origins = await rpc.callFunctionJson(Origins, contractId, method, {}, view);
      last = { origins, at: Date.now() };
      kept?.write(last).catch((error: unknown) => failed(error, true));
      return origins;
    } catch (error) {
      failed(error, last !== undefined);
      if (last) return last.origins;
      throw error;
    }
  }

  return async () => {
    if (last && isFresh(last)) return last.origins;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

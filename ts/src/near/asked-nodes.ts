/** How the nodes are asked what became of a transaction. */
import type { RpcFailure } from './rpc-error.js';

/** A call's parameters, as JSON. */
export type Params = Readonly<Record<string, unknown>>;

/** Asks one node. */
export type Ask = <T>(method: string, params: Params, read: (result: unknown) => T) => Promise<T>;

/** How the nodes are asked. */
export interface RequestOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /** Whether an answer is good enough; if not, the next node is asked, and the last answer stands. */
  readonly accept?: ((value: T) => boolean) | undefined;
  /** Whether the chain's own refusal comes from a node that lags, so that the next one is asked. */
  readonly isLate?: ((refusal: RpcFailure) => boolean) | undefined;
  readonly onFailedNode?: (failure: RpcFailure) => void;
  /** Time limit of one node's answer. */
  readonly timeoutMs?: number;
  /** Begins with a later node each time this number grows. */
  readonly turn?: number;
}

/** The nodes that are asked. */
export interface Nodes {
  /** Asks one node after the other until one gives an answer that counts. */
  request<T>(
    method: string,
    params: Params,
    read: (result: unknown) => T,
    options: RequestOptions<T>,
  ): Promise<T>;
  /** Whether as many nodes as must agree each confirm it. Skips nodes that do not answer. */
  allSay(isSo: (ask: Ask) => Promise<boolean>, signal: AbortSignal | undefined): Promise<boolean>;
  readonly agreement: number;
  /** Whether all of them are on this machine, so that a busy one keeps nothing. */
  readonly areOwn: boolean;
}

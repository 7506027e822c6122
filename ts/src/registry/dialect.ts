import type { OriginPolicy } from '../config.js';

/** What a client must know of a registry. */
export interface Dialect {
  /** Returns the origin policy as the registry spells it. */
  originPolicy(policy: OriginPolicy): unknown;
  /** Whether a registration attaches `get_registration_cost`. Otherwise the registry pays, and a linking may attach nothing. */
  readonly chargesStorage: boolean;
  /** Whether the deposit of a refused registration returns to the caller. */
  readonly refundsRefused: boolean;
  /** Whether it has a list of allowed hosts. */
  readonly listsHosts: boolean;
  /** Throws REGISTRY_LACKS if the registry accepts no passkey of this page. */
  assertAccepting(): void;
}

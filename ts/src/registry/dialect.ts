import type { OriginPolicy } from '../config.js';

/** What a client must know of a registry. */
export interface Dialect {
  /** Returns the origin policy as the registry spells it. */
  originPolicy(policy: OriginPolicy): unknown;
  /** Whether a registration attaches `get_registration_cost`. Otherwise the registry pays, and a linking may attach nothing. */
  readonly chargesStorage: boolean;
  /**
   * What a removal of a device and a linking attach, in yoctoNEAR: '1' where the registry wants it, so that no app key can
   * sign them, else '0'.
   */
  readonly changeDeposit: '0' | '1';
  /** Whether the deposit of a refused registration returns to the caller. */
  readonly refundsRefused: boolean;
  /** Whether it has a list of allowed hosts. */
  readonly listsHosts: boolean;
  /** Throws REGISTRY_LACKS if the registry accepts no passkey of this page. */
  assertAccepting(): void;
}

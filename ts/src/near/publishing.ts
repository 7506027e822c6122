import type { Action } from '../types.js';

/** What the chain burns for each byte of a global contract (nearcore, `global_contract_storage_amount_per_byte`): 0.0001 NEAR. */
const YOCTO_PER_BYTE = 10n ** 20n;

/**
 * yoctoNEAR that publishing global contracts burns besides the gas. The chain takes it from the account when the action runs, also
 * where a gas key pays for the gas; `EXPERIMENTAL_protocol_config` does not say it.
 */
export function publishingYocto(actions: readonly Action[]): bigint {
  const bytes = actions.reduce(
    (sum, action) => sum + (action.type === 'DeployGlobalContract' ? action.code.length : 0),
    0,
  );
  return BigInt(bytes) * YOCTO_PER_BYTE;
}

/**
 * The other registry that testnet has, at `w3a-v1.testnet` for example. Loaded only where a wallet or a relay meets it.
 * docs/concepts/registry.mdx lists what it does not protect.
 */
import { filled, lacks, OTHER_REGISTRY_TEXT } from '../errors/account.js';
import type { RpcClient } from '../near/index.js';
import type { RegistryCapabilities } from './capabilities.js';
import type { RegistryAuthenticator } from './registry.js';
import type { RegistryAt } from './registry-at.js';

/** Says once in the log what this registry does not protect, and returns what a client must know of it. */
export function otherCapabilities(config: RegistryAt['config']): RegistryCapabilities {
  config.logger?.warn(filled(OTHER_REGISTRY_TEXT, { registry: config.contractId }));
  return {
    originPolicy: (policy) =>
      'all_subdomains' in policy ? { allSubdomains: policy.all_subdomains } : policy,
    chargesStorage: false,
    changeDeposit: '0',
    refundsRefused: false,
    listsHosts: false,
    registersExisting: false,
    assertAccepting: () => {
      if (location.protocol !== 'https:') throw lacks(config, 'httpOrigins');
    },
  };
}

/**
 * Whether a record that names no access key may be of the device that a key was added for at `height`: it was made in
 * that block or later. Throws when that cannot be determined.
 */
export async function mayOwnKeyOf(
  height: number | undefined,
  records: readonly RegistryAuthenticator[],
  rpc: Pick<RpcClient, 'block'>,
): Promise<boolean> {
  if (height === undefined) throw new Error('it is not known yet when the key was added');
  const { header } = await rpc.block({ blockId: height });
  const addedAtMs = Number(BigInt(header.timestamp_nanosec) / 1_000_000n);
  return records.some(({ near_public_key: named, registered }) => named === null && registered >= addedAtMs);
}

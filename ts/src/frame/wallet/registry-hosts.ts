/**
 * Compares the host that this wallet admits with the registry's list, before any prompt. The registry refuses each
 * passkey of a page that its list lacks: after the passkey was made, and in words that name no list.
 */
import type { OriginPolicy, ResolvedConfig } from '../../config.js';
import { HOST_NOT_IN_REGISTRY, LatchkeyError } from '../../errors/frame.js';
import type { RpcClient } from '../../near/index.js';
import { createOriginList, type OriginListOptions, readOriginList } from '../../registry/origin-list.js';
import { canonicalOrigin } from '../origin.js';

/** What a wallet runs on: its nodes, its configuration, and the rpId of its passkeys. */
export interface WalletAt {
  readonly rpc: RpcClient;
  readonly config: Pick<ResolvedConfig, 'contractId' | 'networkId' | 'authenticatorOptions'>;
  readonly rpId: string;
}

export interface HostCheckOptions {
  /** The origin of the page around this frame. */
  readonly host: string;
  readonly kept?: OriginListOptions['kept'];
  /** Called when the list could not be read. */
  readonly failed: OriginListOptions['failed'];
}

/**
 * Rejects with HOST_NOT_IN_REGISTRY if the registry would refuse the host's passkeys, and with the chain's error where the
 * list cannot be read.
 */
export type HostCheck = (signal: AbortSignal) => Promise<void>;

/**
 * Returns the check of one host. A list that lacks the host is read again, until nodes show it at two blocks: a stored
 * list and a node that lags may miss an admin's last change.
 */
export function createHostCheck(at: WalletAt, { host, kept, failed }: HostCheckOptions): HostCheck {
  const { rpc, config, rpId } = at;
  const { contractId: registry, networkId, authenticatorOptions } = config;
  if (mayUsePasskeys(authenticatorOptions.originPolicy, host, rpId)) return async () => undefined;
  const listed = createOriginList(rpc, registry, {
    method: 'get_allowed_hosts',
    failed,
    ...(kept && { kept }),
  });
  const lacksHost = (origins: readonly string[]): boolean => !origins.includes(host);
  // An empty list leaves the decision to the wallet's operator.
  const refuses = (hosts: readonly string[]): boolean => hosts.length > 0 && lacksHost(hosts);
  return async (signal) => {
    if (!refuses(await listed())) return;
    const hosts = { isNo: refuses, twice: true, signal };
    if (!refuses(await readOriginList(at, 'get_allowed_hosts', hosts))) return;
    const origins = { isNo: lacksHost, twice: true, signal };
    if (!lacksHost(await readOriginList(at, 'get_allowed_origins', origins))) return;
    const values = { origin: host, registry, command: commandFor(host, registry, networkId) };
    throw new LatchkeyError(HOST_NOT_IN_REGISTRY, { values });
  };
}

/** Whether the origin policy of a passkey admits the page itself, which the registry then lets embed the wallet. */
function mayUsePasskeys(policy: OriginPolicy, origin: string, rpId: string): boolean {
  const { hostname } = new URL(origin);
  // Browsers let no page of an IP address use passkeys.
  if (hostname === '127.0.0.1') return false;
  if ('multiple' in policy) return policy.multiple.some((text) => canonicalOrigin(text) === origin);
  return 'all_subdomains' in policy && (hostname === rpId || hostname.endsWith(`.${rpId}`));
}

/** The command that adds the host, without the address of a node: it may contain an API key. */
function commandFor(host: string, registry: string, networkId: string): string {
  const node = networkId === 'testnet' ? '' : ` --rpc <a node of ${networkId}>`;
  return `npx -p latchkey-server latchkey-registry hosts add ${host} --registry ${registry}${node}`;
}

/** Which pages may frame the wallet: by its configuration, and by the registry's list. */
import { type ResolvedConfig, resolveConfig } from '../../config.js';
import { messageOf } from '../../errors/latchkey-error.js';
import type { FlowContext } from '../../flows/context.js';
import { createRpcClient } from '../../near/index.js';
import type { ReadOrigins } from '../../registry/origin-list.js';
import { WalletStore } from '../../storage/store.js';
import { type AllowedHosts, createAllowedHosts } from './allowed-hosts.js';
import type { WalletPageConfig } from './page-config.js';
import type { createHostCheck, HostCheck } from './registry-hosts.js';

/** Whether a page may frame this wallet, before it is served. */
export function admitsHost(config: WalletPageConfig): AllowedHosts {
  const { rpcUrls, rpcAgreement: agreement, contractId, networkId, logger } = resolveConfig(config);
  return createAllowedHosts({
    rpc: createRpcClient({ urls: rpcUrls, agreement }),
    contractId,
    networkId,
    configured: config.allowedHosts ?? [],
    kept: keptHosts(),
    failed: listNotRead(logger),
  });
}

/**
 * Checks before a prompt that the registry of `at` admits the host. `ownRegistry` is that of this page's operator, whose
 * list this origin keeps. Loaded at the first question.
 */
export function registryAdmits(
  at: Pick<FlowContext, 'rpc' | 'config' | 'rpId'>,
  host: string,
  ownRegistry: string,
): HostCheck {
  let loading: Promise<HostCheck> | undefined;
  const options: Parameters<typeof createHostCheck>[1] = {
    host,
    failed: listNotRead(at.config.logger),
    ...(at.config.contractId === ownRegistry && { kept: keptHosts() }),
  };
  return async (signal) => {
    loading ??= import('./registry-hosts.js').then((loaded) => loaded.createHostCheck(at, options));
    const check = await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    await check(signal);
  };
}

/** The registry's list of hosts as this origin last read it; in memory where the browser refuses storage. */
function keptHosts() {
  const store = new WalletStore(undefined, undefined, () => undefined);
  return {
    read: () => store.allowedHosts(),
    write: (list: ReadOrigins) => store.keepAllowedHosts(list),
  };
}

function listNotRead({ warn }: ResolvedConfig['logger']) {
  return (error: unknown): void => warn('The list of allowed hosts', messageOf(error));
}

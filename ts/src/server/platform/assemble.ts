/** Assembles a relay from its configuration: the part that all runtimes share. The relay's WASM must be loaded. */
import { createRpcClient } from '../../near/index.js';
import { Delegator } from '../delegates/delegate.js';
import { createRelay } from '../http/app.js';
import { type ClientAddressOptions, createClientAddress } from '../http/client-address.js';
import { createLimits } from '../http/limits.js';
import { createOriginManifest } from '../http/origin-manifest.js';
import type { ServerLock } from '../lock/server-lock.js';
import type { Log } from '../observe/log.js';
import {
  type MetricsPage,
  measureLeases,
  measureSpend,
  noMetrics,
  type RelayMetrics,
} from '../observe/metrics.js';
import { createReadiness } from '../observe/readiness.js';
import { Registrar } from '../registration/registrar.js';
import { createMemoryLeaseStore } from '../relayer/lease-store.js';
import { createRelayer } from '../relayer/relayer.js';
import { createMemorySpendMeter, type SpendMeterOptions } from '../relayer/spend.js';
import { createTransactionSigner } from '../relayer/transaction-signer.js';
import type { RelaySettings } from './relay-settings.js';

const ONE_PROVIDER_TEXT =
  'NEAR_RPC_URL names one provider, which the relay has to believe: it cannot notice a lie about an account, a key or ' +
  'a payment. Name a second one.';

export interface RelayParts {
  readonly lock: ServerLock | null;
  readonly socketAddress: ClientAddressOptions['socketAddress'];
  readonly log: Log;
  /** Null if metrics are off. */
  readonly metrics: (RelayMetrics & MetricsPage) | null;
  /** Default: counts spending in memory, from zero. */
  readonly spend?: Pick<SpendMeterOptions, 'kept' | 'now'>;
}

export interface AssembledRelay {
  readonly app: ReturnType<typeof createRelay>;
  /** Resolves when no paid work is in progress. */
  idle(): Promise<void>;
  /** The ids of sent transactions with an unknown outcome. */
  unfinished(): string[];
}

export function assembleRelay(config: RelaySettings, parts: RelayParts): AssembledRelay {
  const { lock, socketAddress, log } = parts;
  const { metricsToken, spendCapYocto } = config;
  const metrics = parts.metrics ?? noMetrics;
  const rpc = createRpcClient({
    urls: config.rpcUrls,
    agreement: config.rpcAgreement,
    onCall: ({ method }) => metrics.rpc(method),
  });
  if (!rpc.isWitnessed) log.warn('one_provider', { meaning: ONE_PROVIDER_TEXT });
  const signer = createTransactionSigner(config.relayerAccountId, config.relayerPrivateKeys);
  const relayer = createRelayer(rpc, signer, measureLeases(createMemoryLeaseStore(), metrics));
  const spend = measureSpend(
    createMemorySpendMeter({ capYocto: spendCapYocto, log, ...parts.spend }),
    metrics,
  );
  const registrar = new Registrar({
    rpc,
    relayer,
    spend,
    contractId: config.contractId,
    initialBalanceYocto: config.initialBalanceYocto,
    gas: config.registrationGas,
    maxParallel: config.parallelRegistrations,
    log,
    metrics,
  });
  const delegator = config.delegates && new Delegator({ rpc, relayer, policy: config.delegates, spend, log });
  const app = createRelay({
    allowedOrigins: config.allowedOrigins,
    registrar,
    delegator,
    lock,
    manifest: createOriginManifest(rpc, config.contractId, log, config.relatedOrigins ?? undefined),
    readiness: createReadiness(rpc, config.relayerAccountId, signer.publicKeys, () =>
      registrar.meetRegistry(),
    ),
    limits: createLimits({
      rates: config.limits,
      clientAddress: createClientAddress({ socketAddress, trustedProxyHops: config.trustedProxyHops }),
      metrics,
    }),
    metrics,
    metricsPage: parts.metrics && metricsToken && { page: parts.metrics, token: metricsToken },
    log,
  });
  return {
    app,
    idle: async () => void (await Promise.all([registrar.idle(), delegator?.idle()])),
    unfinished: () => [...registrar.unfinished(), ...(delegator?.unfinished() ?? [])],
  };
}

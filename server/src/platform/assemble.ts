/** Assembles a relay from its configuration: the part that all runtimes share. The relay's WASM must be loaded. */
import { createRpcClient, type RpcClient } from 'latchkey/internal/server';
import { AppKeyFunder, createFundingSettler } from '../app-keys/fund-app-key.js';
import { createDelegateSettler, Delegator } from '../delegates/delegate.js';
import { createRelay, type RelayServices } from '../http/app.js';
import {
  type ClientAddressOptions,
  createClientAddress,
  createRemoteAddress,
} from '../http/client-address.js';
import { createLimits } from '../http/limits.js';
import { createOriginManifest } from '../http/origin-manifest.js';
import type { ServerLock } from '../lock/server-lock.js';
import { watchBudget } from '../observe/budget.js';
import type { Log } from '../observe/log.js';
import {
  type MetricsPage,
  measureLeases,
  measureSpend,
  noMetrics,
  type RelayMetrics,
} from '../observe/metrics.js';
import { createReadiness } from '../observe/readiness.js';
import { createStatus } from '../observe/status.js';
import { checkProof } from '../registration/check-proof.js';
import { Registrar } from '../registration/registrar.js';
import { createSignupGate, type VerifySignup } from '../registration/signup.js';
import { createMemoryRecord } from '../relayer/record.js';
import { createRelayer } from '../relayer/relayer.js';
import { createShares, type Shares } from '../relayer/shares.js';
import { gasReserveYocto } from '../relayer/spend.js';
import { createLocalStore, type RelayStore } from '../relayer/store.js';
import { createTransactionSigner } from '../relayer/transaction-signer.js';
import type { RelaySettings } from './relay-settings.js';
import { screenSignupBy, verifySignupBy } from './signup-settings.js';

const ONE_PROVIDER_TEXT =
  'NEAR_RPC_URL names one provider, which the relay has to believe: it cannot notice a lie about an account, a key or ' +
  'a payment. Name a second one.';

/** What a page asks for when its call names no gas. */
const DEFAULT_CALL_GAS = 30n * 10n ** 12n;
const SMALL_BALANCE_TEXT =
  'ACCOUNT_INITIAL_BALANCE does not pay for a first call of 30 Tgas, for which a new account needs up to 0.035 NEAR. Set 0.1 NEAR ' +
  '(100000000000000000000000) if your users call contracts.';

export interface RelayParts {
  readonly lock: ServerLock | null;
  readonly socketAddress: ClientAddressOptions['socketAddress'];
  readonly log: Log;
  /** Null if metrics are off. */
  readonly metrics: (RelayMetrics & MetricsPage) | null;
  /** What this relay shares with others. Default: nothing; in memory, from zero. */
  readonly store?: RelayStore;
  /** Default: what the configuration says. */
  readonly verifySignup?: VerifySignup | undefined;
}

export interface AssembledRelay {
  readonly app: ReturnType<typeof createRelay>;
  /** Resolves when no paid work is in progress. */
  idle(): Promise<void>;
  /** The ids of sent transactions with an unknown outcome. */
  unfinished(): string[];
  /** Rejects where no node answers. */
  reachChain(): Promise<void>;
  /** Ends what killed relays left in the store; null if it keeps no jobs. */
  readonly sweep: (() => Promise<void>) | null;
}

export function assembleRelay(config: RelaySettings, parts: RelayParts): AssembledRelay {
  const { lock, socketAddress, log, store = createLocalStore(createMemoryRecord(), log) } = parts;
  const { metricsToken, spendCapYocto } = config;
  const metrics = parts.metrics ?? noMetrics;
  const rpc = openRpc(config, metrics, log);
  // A relay with delegates pays for its users' calls itself.
  if (config.initialBalanceYocto < gasReserveYocto(DEFAULT_CALL_GAS) && config.delegates === null)
    log.warn('small_initial_balance', { meaning: SMALL_BALANCE_TEXT });
  const signer = createTransactionSigner(config.relayerAccountId, config.relayerPrivateKeys);
  const relayer = createRelayer(rpc, signer, measureLeases(store.leases, metrics));
  const meter = store.meterFor('spend', { capYocto: spendCapYocto, log });
  const watched =
    spendCapYocto === null
      ? meter
      : watchBudget(meter, {
          capYocto: spendCapYocto,
          relayerAccountId: config.relayerAccountId,
          isFirstWithin: store.isFirstWithin,
          log,
          metrics,
          webhook: config.budgetAlarmUrl,
        });
  const spend = measureSpend(store.durable(watched), metrics);
  const verify = parts.verifySignup ?? verifySignupBy(config.signup);
  const screen = parts.verifySignup ? undefined : screenSignupBy(config.signup);
  const registrar = new Registrar({
    rpc,
    relayer,
    spend,
    shares: sharesOf(config, store, log),
    signup: verify ? createSignupGate({ verify, screen, uses: store.uses, log }) : null,
    checkProof,
    jobs: store.jobs,
    contractId: config.contractId,
    initialBalanceYocto: config.initialBalanceYocto,
    gas: config.registrationGas,
    maxParallel: config.parallelRegistrations,
    log,
    metrics,
  });
  const { meterFor, jobs, uses } = store;
  const delegator =
    config.delegates && new Delegator({ rpc, relayer, policy: config.delegates, spend, meterFor, jobs, log });
  const delegates = delegator ?? createDelegateSettler({ rpc, relayer, spend, log, jobs });
  const appKeyFunder =
    config.appKeys &&
    new AppKeyFunder({ rpc, relayer, policy: config.appKeys, spend, meterFor, uses, jobs, log });
  const payments = appKeyFunder ?? createFundingSettler({ rpc, relayer, spend, log, jobs });
  const readStatus = createStatus({
    rpc,
    relayerAccountId: config.relayerAccountId,
    price: () => registrar.price.read(),
    count: () => meter.count(),
    capYocto: spendCapYocto,
    gas: config.registrationGas,
  });
  const app = createRelay({
    ...frontServices(config, { lock, socketAddress, log, metrics }, rpc, store.buckets),
    registrar,
    delegator,
    appKeyFunder,
    readiness: createReadiness(rpc, config.relayerAccountId, signer.publicKeys, () =>
      Promise.all([registrar.readCapabilities(), store.check()]),
    ),
    operator: metricsToken && { token: metricsToken, page: parts.metrics, readStatus },
  });
  return {
    app,
    reachChain: async () => void (await rpc.block({ finality: 'final' })),
    idle: async () => void (await Promise.all([registrar.idle(), delegator?.idle(), appKeyFunder?.idle()])),
    unfinished: () => [registrar, delegator, appKeyFunder].flatMap((each) => each?.unfinished() ?? []),
    sweep:
      jobs &&
      (async () => {
        const ended = await jobs.endUnkept();
        if (ended > 0) log.info('reservations_ended', { ended });
        await Promise.all([registrar.sweep(), delegates.sweep(), payments.sweep()]);
      }),
  };
}

/** What a relay needs that neither pays nor knows of money. */
export type FrontSettings = Omit<RelaySettings, 'relayerPrivateKeys'>;

/** The routes without money: an app without the relayer's keys and what uses them. */
export function assembleFront(
  config: FrontSettings,
  parts: Pick<RelayParts, 'lock' | 'socketAddress' | 'log'>,
): AssembledRelay['app'] {
  const rpc = openRpc(config, noMetrics, parts.log);
  return createRelay({
    ...frontServices(config, { ...parts, metrics: noMetrics }, rpc),
    registrar: null,
    delegator: null,
    appKeyFunder: null,
    readiness: null,
    operator: null,
  });
}

function openRpc(config: FrontSettings, metrics: RelayMetrics, log: Log): RpcClient {
  const rpc = createRpcClient({
    urls: config.rpcUrls,
    agreement: config.rpcAgreement,
    onCall: ({ method }) => metrics.rpc(method),
  });
  if (!rpc.isWitnessed) log.warn('one_provider', { meaning: ONE_PROVIDER_TEXT });
  return rpc;
}

/** The services of every app, with money or without. */
function frontServices(
  config: FrontSettings,
  parts: Pick<RelayParts, 'lock' | 'socketAddress' | 'log'> & { readonly metrics: RelayMetrics },
  rpc: RpcClient,
  buckets?: RelayStore['buckets'],
): Omit<RelayServices, 'registrar' | 'delegator' | 'appKeyFunder' | 'readiness' | 'operator'> {
  const { lock, socketAddress, log, metrics } = parts;
  const addressing = { socketAddress, trustedProxyHops: config.trustedProxyHops };
  return {
    allowedOrigins: config.allowedOrigins,
    lock,
    manifest: createOriginManifest(rpc, config.contractId, log, config.relatedOrigins ?? undefined),
    limits: createLimits({
      rates: config.limits,
      clientAddress: createClientAddress(addressing),
      metrics,
      ...(buckets && { buckets }),
    }),
    remoteAddress: createRemoteAddress(addressing),
    metrics,
    log,
  };
}

/** The share of each client in the day's budget; null without a budget or a share. */
function sharesOf(
  { spendCapYocto, dailyShare }: RelaySettings,
  { meterFor }: RelayStore,
  log: Log,
): Shares | null {
  if (spendCapYocto === null || dailyShare === null) return null;
  const { addressPercent, networkPercent } = dailyShare;
  return createShares({
    addressYocto: (spendCapYocto * BigInt(addressPercent)) / 100n,
    networkYocto: (spendCapYocto * BigInt(networkPercent)) / 100n,
    meterFor,
    log,
  });
}

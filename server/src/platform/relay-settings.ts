/** The relay settings that all runtimes share (interop.md section 7). */
import { defaultAgreement, writeNear } from 'latchkey/internal/server';
import { type FundPolicy, mostYoctoOfFunding } from '../app-keys/fund-app-key.js';
import {
  type DelegatePolicy,
  mostYoctoOfOneCall,
  readCalls,
  readOwnActions,
} from '../delegates/delegate-policy.js';
import type { RateLimits } from '../http/limits.js';
import type { LogLevel } from '../observe/log.js';
import { gasReserveYocto } from '../relayer/spend.js';
import {
  accountId,
  count,
  type DailyShare,
  dailyShare,
  type Environment,
  EnvironmentReader,
  logLevel,
  metricsToken,
  nearAmount,
  origins,
  originsOrNone,
  pattern,
  rateLimit,
  readPrivateKeys,
  rpcUrls,
  secretUrl,
  spendCap,
  wholeNumber,
} from './environment.js';
import type { Secret } from './secret.js';
import { readSignupSettings, type SignupSettings } from './signup-settings.js';

/** The settings of a relay on any runtime. */
export interface RelaySettings {
  readonly relayerAccountId: string;
  /** `ed25519:` and base58 of seed32 || pub32, each. */
  readonly relayerPrivateKeys: readonly Secret[];
  readonly contractId: string;
  readonly rpcUrls: readonly string[];
  /** How many providers must agree. */
  readonly rpcAgreement: 1 | 2;
  /** The origins that may use the passkeys. Null: those of the registry. */
  readonly relatedOrigins: readonly string[] | null;
  readonly networkId: string;
  /** yoctoNEAR that a new account receives. */
  readonly initialBalanceYocto: bigint;
  /** Gas attached to a registration. */
  readonly registrationGas: bigint;
  /** Maximum number of parallel registrations; further ones are refused with Retry-After. */
  readonly parallelRegistrations: number;
  /** yoctoNEAR that the relay may spend within 24 hours. Null: no cap. */
  readonly spendCapYocto: bigint | null;
  /** The part of it that one client address and one network may use. Null: no such limit. */
  readonly dailyShare: DailyShare | null;
  /** The check that decides whether a client may register. */
  readonly signup: SignupSettings;
  /** Where the budget's alarms are posted. Null: nowhere. */
  readonly budgetAlarmUrl: Secret | null;
  readonly limits: RateLimits;
  /** Number of proxies in front that add their client's address to `X-Forwarded-For`. */
  readonly trustedProxyHops: number;
  /** The token for `GET /metrics` and `GET /status`. Null disables the routes. */
  readonly metricsToken: Secret | null;
  /** The signed delegates that this relay pays for. Null: none. */
  readonly delegates: DelegatePolicy | null;
  /** What this relay pays into app keys. Null: nothing. */
  readonly appKeys: FundPolicy | null;
  /** The origins whose pages may call the relay. */
  readonly allowedOrigins: readonly string[];
  readonly logLevel: LogLevel;
}
/** Access to the relayer's account, for changing it. */
export interface RelayerAccount {
  readonly accountId: string;
  readonly privateKeys: readonly Secret[];
  readonly rpcUrls: readonly string[];
  readonly rpcAgreement: 1 | 2;
}
const MAX_GAS = 10n ** 15n;
const MAX_PARALLEL = 10_000;
const MAX_DELEGATE_DEPOSIT_YOCTO = 10n ** 24n;
const MAX_INITIAL_BALANCE_YOCTO = 10n * 10n ** 24n;

/** Reads the {@link RelaySettings}, and reports faulty ones to the reader, which leaves them undefined here. */
export function readRelaySettings(reader: EnvironmentReader) {
  const { env } = reader;
  const signup = readSignupSettings(reader);
  const settings = {
    relayerAccountId: reader.read('RELAYER_ACCOUNT_ID', accountId),
    relayerPrivateKeys: reader.read('RELAYER_PRIVATE_KEY', readPrivateKeys),
    contractId: reader.read('WEBAUTHN_CONTRACT_ID', accountId),
    ...readNodes(reader),
    relatedOrigins: env.RELATED_ORIGINS?.trim() ? reader.read('RELATED_ORIGINS', originsOrNone) : null,
    networkId: reader.read(
      'NETWORK_ID',
      pattern(/^[a-z0-9-]{1,32}$/, 'must be a network name such as testnet'),
    ),
    initialBalanceYocto: reader.read(
      'ACCOUNT_INITIAL_BALANCE',
      wholeNumber(0n, MAX_INITIAL_BALANCE_YOCTO, 'yoctoNEAR'),
    ),
    registrationGas: reader.read('CREATE_ACCOUNT_AND_REGISTER_GAS', wholeNumber(1n, MAX_GAS, 'gas')),
    parallelRegistrations: reader.read(
      'RELAY_PARALLEL_REGISTRATIONS',
      count(1, MAX_PARALLEL, 'registrations'),
    ),
    spendCapYocto: reader.read('RELAY_SPEND_CAP_NEAR', spendCap),
    dailyShare: reader.read('RELAY_DAILY_SHARE', dailyShare),
    signup,
    budgetAlarmUrl: env.BUDGET_ALARM_URL?.trim() ? reader.read('BUDGET_ALARM_URL', secretUrl) : null,
    limits: {
      registrations: reader.read('RELAY_LIMIT_REGISTRATIONS', rateLimit),
      lock: reader.read('RELAY_LIMIT_LOCK', rateLimit),
      delegate: reader.read('RELAY_LIMIT_DELEGATE', rateLimit),
      app_key: reader.read('RELAY_LIMIT_APP_KEYS', rateLimit),
      origins: reader.read('RELAY_LIMIT_ORIGINS', rateLimit),
    },
    trustedProxyHops: reader.read('TRUSTED_PROXY_HOPS', count(0, 10, 'proxies')),
    metricsToken: env.METRICS_TOKEN ? reader.read('METRICS_TOKEN', metricsToken) : null,
    delegates: readDelegatePolicy(reader),
    appKeys: readFundPolicy(reader, signup),
    allowedOrigins: [
      ...(reader.read('EXPECTED_ORIGIN', origins) ?? []),
      ...(env.EXPECTED_WALLET_ORIGIN ? (reader.read('EXPECTED_WALLET_ORIGIN', origins) ?? []) : []),
    ],
    logLevel: reader.read('LOG_LEVEL', logLevel),
  };
  checkSpendCap(reader, settings);
  return settings;
}
/** Rejects a cap below the cost of one registration, delegate or account's app keys, which would refuse every one of them. */
function checkSpendCap(
  reader: EnvironmentReader,
  config: {
    spendCapYocto?: bigint | null | undefined;
    initialBalanceYocto?: bigint | undefined;
    registrationGas?: bigint | undefined;
    delegates?: DelegatePolicy | null | undefined;
    appKeys?: FundPolicy | null | undefined;
  },
): void {
  const { spendCapYocto, initialBalanceYocto = 0n, registrationGas = 0n, delegates, appKeys } = config;
  if (typeof spendCapYocto !== 'bigint') return;
  const ofRegistration = initialBalanceYocto + gasReserveYocto(registrationGas);
  const ofDelegate = delegates ? mostYoctoOfOneCall(delegates) : 0n;
  if (spendCapYocto < ofRegistration) {
    const problem = `must be at least ${writeNear(ofRegistration)}, which one registration reserves`;
    reader.report('RELAY_SPEND_CAP_NEAR', problem);
  } else if (spendCapYocto < ofDelegate) {
    const problem = `must be at least ${writeNear(ofDelegate)}, which one delegate of the largest gas and deposit reserves`;
    reader.report('RELAY_SPEND_CAP_NEAR', problem);
  } else if (appKeys && spendCapYocto < appKeys.accountCapYocto) {
    const problem = `must be at least ${writeNear(appKeys.accountCapYocto)}, which APP_KEY_ACCOUNT_CAP_NEAR allows one account`;
    reader.report('RELAY_SPEND_CAP_NEAR', problem);
  }
}

/** The chain's nodes, and how many providers of them must agree: two by default if they are of two origins. */
function readNodes(reader: EnvironmentReader) {
  const urls = reader.read('NEAR_RPC_URL', rpcUrls);
  const origins = new Set(urls?.map((url) => new URL(url).origin));
  const wanted = reader.env.NEAR_RPC_AGREEMENT?.trim();
  const agreement = wanted ? reader.read('NEAR_RPC_AGREEMENT', count(1, 2, 'providers')) : undefined;
  if (urls && (agreement ?? 1) > origins.size) {
    reader.report('NEAR_RPC_AGREEMENT', 'needs nodes of two providers, and NEAR_RPC_URL names only one');
  }
  const rpcAgreement = (agreement as 1 | 2 | undefined) ?? defaultAgreement(urls ?? []);
  return { rpcUrls: urls, rpcAgreement };
}

/**
 * The part of the environment that names the relayer's account and the chain. Throws one error with all bad
 * variables.
 */
export function readRelayerAccount(env: Environment): RelayerAccount {
  const reader = new EnvironmentReader(env);
  const account = {
    accountId: reader.read('RELAYER_ACCOUNT_ID', accountId),
    privateKeys: reader.read('RELAYER_PRIVATE_KEY', readPrivateKeys),
    ...readNodes(reader),
  };
  reader.throwIfBad();
  return account as RelayerAccount;
}
const DELEGATE_VARIABLES = [
  'DELEGATE_CALLS',
  'DELEGATE_OWN_ACTIONS',
  'DELEGATE_MAX_GAS',
  'DELEGATE_MAX_DEPOSIT',
  'DELEGATE_SPEND_CAP_NEAR',
  'DELEGATE_SENDER_CAP_NEAR',
] as const;

/** The relay pays for delegates only if both their calls and their spend cap are configured. */
function readDelegatePolicy(reader: EnvironmentReader): DelegatePolicy | null | undefined {
  if (DELEGATE_VARIABLES.every((name) => !reader.env[name]?.trim())) return null;
  const calls = reader.read('DELEGATE_CALLS', readCalls);
  const ownActions = reader.env.DELEGATE_OWN_ACTIONS?.trim()
    ? reader.read('DELEGATE_OWN_ACTIONS', readOwnActions)
    : new Set<never>();
  const maxGas = reader.read('DELEGATE_MAX_GAS', wholeNumber(1n, MAX_GAS, 'gas'));
  const maxDepositYocto = reader.read(
    'DELEGATE_MAX_DEPOSIT',
    wholeNumber(0n, MAX_DELEGATE_DEPOSIT_YOCTO, 'yoctoNEAR'),
  );
  const spendCapYocto = reader.read('DELEGATE_SPEND_CAP_NEAR', nearAmount);
  const senderCapYocto = reader.env.DELEGATE_SENDER_CAP_NEAR?.trim()
    ? reader.read('DELEGATE_SENDER_CAP_NEAR', nearAmount)
    : spendCapYocto;
  if (!calls || !ownActions || maxGas === undefined || maxDepositYocto === undefined) return undefined;
  if (spendCapYocto === undefined || senderCapYocto === undefined) return undefined;
  const policy = { calls, ownActions, maxGas, maxDepositYocto, spendCapYocto, senderCapYocto };
  const least = mostYoctoOfOneCall(policy);
  const problem = `must be at least ${writeNear(least)}, which one call of DELEGATE_MAX_GAS and DELEGATE_MAX_DEPOSIT reserves`;
  if (spendCapYocto < least) reader.report('DELEGATE_SPEND_CAP_NEAR', problem);
  else if (senderCapYocto < least) reader.report('DELEGATE_SENDER_CAP_NEAR', problem);
  return policy;
}

/** The relay pays into app keys only if both caps are configured, and only with vouchers. */
function readFundPolicy(
  reader: EnvironmentReader,
  signup: SignupSettings | undefined,
): FundPolicy | null | undefined {
  const names = ['APP_KEY_ACCOUNT_CAP_NEAR', 'APP_KEY_SPEND_CAP_NEAR'] as const;
  if (names.every((name) => !reader.env[name]?.trim())) return null;
  const [accountCapYocto, spendCapYocto] = names.map((name) => reader.read(name, nearAmount));
  if (signup && signup.kind !== 'voucher')
    reader.report(
      'APP_KEY_SPEND_CAP_NEAR',
      'needs SIGNUP_VOUCHER_KEY: the relay pays into an app key only with a voucher',
    );
  if (signup?.kind !== 'voucher' || accountCapYocto === undefined || spendCapYocto === undefined)
    return undefined;
  const least = mostYoctoOfFunding(1n);
  if (accountCapYocto < least)
    reader.report(
      'APP_KEY_ACCOUNT_CAP_NEAR',
      `must be at least ${writeNear(least)}, which the smallest payment reserves`,
    );
  else if (spendCapYocto < accountCapYocto)
    reader.report('APP_KEY_SPEND_CAP_NEAR', 'must be at least APP_KEY_ACCOUNT_CAP_NEAR');
  return { voucherKeys: signup.publicKeys, accountCapYocto, spendCapYocto };
}

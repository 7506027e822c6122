/** The relay's configuration, read from environment variables (interop.md section 7). */
import { base58 } from '@scure/base';
import * as v from 'valibot';
import { accountIdProblem } from '../account-id.js';
import { RFC3526_GROUP_14_P } from '../config.js';
import { LatchkeyError, messageOf } from '../errors.js';
import { parseRpcUrls } from '../near/index.js';
import { readNear, writeNear } from '../near/near-amount.js';
import { type DelegatePolicy, mostYoctoOfOneCall, readCalls, readOwnActions } from './delegate-policy.js';
import type { RateLimit, RateLimits } from './limits.js';
import { type LockKey, MIN_GRACE_DAYS, readLockKey } from './lock.js';
import { type LockGroup, readLockGroup } from './lock-group.js';
import { isLogLevel, type LogLevel } from './log.js';
import { Secret } from './secret.js';
import { gasReserveYocto } from './spend.js';

/** Where the lock's current key comes from. */
export type LockSource =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'given'; readonly group: LockGroup; readonly key: LockKey }
  /** Read from this file, or made and stored there at the first start. */
  | ({ readonly kind: 'file' } & LockFile);

export interface LockFile {
  readonly group: LockGroup;
  readonly path: string;
  /** The key is replaced when it is as old. Null: by command only. */
  readonly rotationDays: number | null;
  /** How long a former key opens. */
  readonly graceDays: number;
}

export interface RelayConfig {
  readonly relayerAccountId: string;
  /** `ed25519:` and base58 of seed32 || pub32, each. */
  readonly relayerPrivateKeys: readonly Secret[];
  readonly contractId: string;
  readonly rpcUrls: readonly string[];
  readonly networkId: string;
  /** yoctoNEAR that a new account starts with. */
  readonly initialBalanceYocto: bigint;
  /** Gas attached to a registration. */
  readonly registrationGas: bigint;
  /** How many registrations may run at a time; further ones are told to come back. */
  readonly parallelRegistrations: number;
  /** yoctoNEAR that may be spent within 24 hours. Null: no cap. */
  readonly spendCapYocto: bigint | null;
  readonly limits: RateLimits;
  /** How many proxies in front tell their client's address in `X-Forwarded-For`. */
  readonly trustedProxyHops: number;
  /** Opens `GET /metrics`. Null: there is no such route. */
  readonly metricsToken: Secret | null;
  /** Which signed delegates this relay pays for. Null: none. */
  readonly delegates: DelegatePolicy | null;
  readonly lock: LockSource;
  /** A file with former lock keys, which still open. */
  readonly graceKeysFile: string | null;
  /** The origins whose pages may call. */
  readonly allowedOrigins: readonly string[];
  readonly host: string;
  readonly port: number;
  /** How long a relay that is told to end waits for what it has sent. */
  readonly stopTimeoutSeconds: number;
  readonly logLevel: LogLevel;
}

/** What the relayer's account is changed with. */
export interface RelayerAccount {
  readonly accountId: string;
  readonly privateKeys: readonly Secret[];
  readonly rpcUrls: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULTS = {
  WEBAUTHN_CONTRACT_ID: 'w3a-v1.testnet',
  NEAR_RPC_URL: 'https://test.rpc.fastnear.com',
  NETWORK_ID: 'testnet',
  ACCOUNT_INITIAL_BALANCE: '30000000000000000000000',
  CREATE_ACCOUNT_AND_REGISTER_GAS: '85000000000000',
  RELAY_SPEND_CAP_NEAR: '10',
  RELAY_PARALLEL_REGISTRATIONS: '64',
  RELAY_LIMIT_REGISTRATIONS: '20,600',
  RELAY_LIMIT_LOCK: '300,12000',
  RELAY_LIMIT_DELEGATE: '60,600',
  RELAY_LIMIT_ORIGINS: '300,12000',
  TRUSTED_PROXY_HOPS: '0',
  DELEGATE_MAX_GAS: '100000000000000',
  DELEGATE_MAX_DEPOSIT: '0',
  SHAMIR_P_B64U: RFC3526_GROUP_14_P,
  LOCK_GRACE_DAYS: '180',
  STOP_TIMEOUT_SECONDS: '30',
  HOST: '127.0.0.1',
  PORT: '3000',
  LOG_LEVEL: 'info',
} as const;

const MAX_GAS = 10n ** 15n;
const MAX_PARALLEL = 10_000;
const MAX_DAYS = 3650;
const MAX_DELEGATE_DEPOSIT_YOCTO = 10n ** 24n;
const MAX_INITIAL_BALANCE_YOCTO = 10n * 10n ** 24n;

/** Reads and checks the environment. Throws one error that names every bad variable, and repeats no secret. */
export function readRelayConfig(env: Environment): RelayConfig {
  const reader = new EnvironmentReader(env);
  const config = {
    relayerAccountId: reader.read('RELAYER_ACCOUNT_ID', accountId),
    relayerPrivateKeys: reader.read('RELAYER_PRIVATE_KEY', readPrivateKeys),
    contractId: reader.read('WEBAUTHN_CONTRACT_ID', accountId),
    rpcUrls: reader.read('NEAR_RPC_URL', rpcUrls),
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
    limits: {
      registrations: reader.read('RELAY_LIMIT_REGISTRATIONS', rateLimit),
      lock: reader.read('RELAY_LIMIT_LOCK', rateLimit),
      delegate: reader.read('RELAY_LIMIT_DELEGATE', rateLimit),
      origins: reader.read('RELAY_LIMIT_ORIGINS', rateLimit),
    },
    trustedProxyHops: reader.read('TRUSTED_PROXY_HOPS', count(0, 10, 'proxies')),
    metricsToken: env.METRICS_TOKEN ? reader.read('METRICS_TOKEN', metricsToken) : null,
    delegates: readDelegatePolicy(reader),
    lock: readLockSource(reader),
    graceKeysFile: env.SHAMIR_GRACE_KEYS_FILE?.trim() || null,
    allowedOrigins: [
      ...(reader.read('EXPECTED_ORIGIN', origins) ?? []),
      ...(env.EXPECTED_WALLET_ORIGIN ? (reader.read('EXPECTED_WALLET_ORIGIN', origins) ?? []) : []),
    ],
    host: reader.read('HOST', pattern(/^[\w.:-]+$/, 'must be a host name or address')),
    port: reader.read('PORT', count(0, 65_535, 'port')),
    stopTimeoutSeconds: reader.read('STOP_TIMEOUT_SECONDS', count(1, 3600, 'seconds')),
    logLevel: reader.read('LOG_LEVEL', logLevel),
  };
  checkSpendCap(reader, config);
  reader.throwIfBad();
  // Each field is set: an undefined one was reported as a problem just now.
  return config as RelayConfig;
}

/** A cap that no registration, or no delegate, fits under would refuse every one of them. */
function checkSpendCap(
  reader: EnvironmentReader,
  config: {
    spendCapYocto?: bigint | null | undefined;
    initialBalanceYocto?: bigint | undefined;
    registrationGas?: bigint | undefined;
    delegates?: DelegatePolicy | null | undefined;
  },
): void {
  const { spendCapYocto, initialBalanceYocto = 0n, registrationGas = 0n, delegates } = config;
  if (typeof spendCapYocto !== 'bigint') return;
  const ofRegistration = initialBalanceYocto + gasReserveYocto(registrationGas);
  const ofDelegate = delegates ? mostYoctoOfOneCall(delegates) : 0n;
  if (spendCapYocto < ofRegistration) {
    const problem = `must be more than ${writeNear(ofRegistration)}, what one registration reserves`;
    reader.report('RELAY_SPEND_CAP_NEAR', problem);
  } else if (spendCapYocto < ofDelegate) {
    const problem = `must be at least ${writeNear(ofDelegate)}, what one delegate of the largest gas and deposit reserves`;
    reader.report('RELAY_SPEND_CAP_NEAR', problem);
  }
}

/** The part of the environment that names the relayer's account and the chain. Throws as {@link readRelayConfig}. */
export function readRelayerAccount(env: Environment): RelayerAccount {
  const reader = new EnvironmentReader(env);
  const account = {
    accountId: reader.read('RELAYER_ACCOUNT_ID', accountId),
    privateKeys: reader.read('RELAYER_PRIVATE_KEY', readPrivateKeys),
    rpcUrls: reader.read('NEAR_RPC_URL', rpcUrls),
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

/** Delegates are paid for where the calls and the spend are both named. */
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
  const problem = `must be at least ${writeNear(least)}, what one call of DELEGATE_MAX_GAS and DELEGATE_MAX_DEPOSIT reserves`;
  if (spendCapYocto < least) reader.report('DELEGATE_SPEND_CAP_NEAR', problem);
  else if (senderCapYocto < least) reader.report('DELEGATE_SENDER_CAP_NEAR', problem);
  return policy;
}

/** The part of the environment that names the lock's key file. Throws as {@link readRelayConfig}. */
export function readLockFileConfig(env: Environment): LockFile {
  const reader = new EnvironmentReader(env);
  const { SHAMIR_KEY_FILE: path, SHAMIR_E_S_B64U: e, SHAMIR_D_S_B64U: d } = env;
  const file = readLockFile(reader);
  if (!path) {
    const given = e || d ? ': a key that the environment gives cannot be changed from here' : '';
    reader.report('SHAMIR_KEY_FILE', `is missing${given}`);
  }
  reader.throwIfBad();
  return file as LockFile;
}

function readLockFile(reader: EnvironmentReader): LockFile | undefined {
  const group = reader.read('SHAMIR_P_B64U', readLockGroup);
  const { SHAMIR_KEY_FILE: path = '', LOCK_ROTATION_DAYS: rotation } = reader.env;
  const rotationDays = rotation?.trim()
    ? reader.read('LOCK_ROTATION_DAYS', count(1, MAX_DAYS, 'days'))
    : null;
  const graceDays = reader.read('LOCK_GRACE_DAYS', count(MIN_GRACE_DAYS, MAX_DAYS, 'days'));
  if (!group || rotationDays === undefined || graceDays === undefined) return undefined;
  return { group, path, rotationDays, graceDays };
}

function readLockSource(reader: EnvironmentReader): LockSource | undefined {
  const { SHAMIR_E_S_B64U: e, SHAMIR_D_S_B64U: d, SHAMIR_KEY_FILE: path } = reader.env;
  if (!e && !d && !path) return { kind: 'disabled' };
  const file = readLockFile(reader);
  if (!e && !d && path) return file && { kind: 'file', ...file };
  if (reader.env.LOCK_ROTATION_DAYS?.trim()) {
    reader.report(
      'LOCK_ROTATION_DAYS',
      'needs SHAMIR_KEY_FILE in place of SHAMIR_E_S_B64U and SHAMIR_D_S_B64U',
    );
  }
  if (path)
    reader.report('SHAMIR_KEY_FILE', 'must not be set together with SHAMIR_E_S_B64U and SHAMIR_D_S_B64U');
  if (!e) reader.report('SHAMIR_E_S_B64U', 'is missing beside SHAMIR_D_S_B64U');
  if (!d) reader.report('SHAMIR_D_S_B64U', 'is missing beside SHAMIR_E_S_B64U');
  if (!file || !e || !d) return undefined;
  const { group } = file;
  try {
    return { kind: 'given', group, key: readLockKey(group, { e_s_b64u: e, d_s_b64u: d }) };
  } catch (error) {
    reader.report('SHAMIR_E_S_B64U, SHAMIR_D_S_B64U', messageOf(error));
    return undefined;
  }
}

class EnvironmentReader {
  readonly env: Environment;
  readonly #problems: string[] = [];

  constructor(env: Environment) {
    this.env = env;
  }

  /** The variable's value or its default, parsed; a parser that throws says what is wrong. */
  read<T>(name: string, parse: (text: string) => T): T | undefined {
    const text = this.env[name]?.trim() || (DEFAULTS as Readonly<Record<string, string>>)[name];
    if (!text) {
      this.report(name, 'is missing');
      return undefined;
    }
    try {
      return parse(text);
    } catch (error) {
      this.report(name, messageOf(error));
      return undefined;
    }
  }

  report(name: string, problem: string): void {
    this.#problems.push(`${name}: ${problem}`);
  }

  throwIfBad(): void {
    if (this.#problems.length === 0) return;
    const reason = ['the relay cannot start with this environment', ...this.#problems].join('\n  ');
    throw new LatchkeyError('INVALID_CONFIG', { values: { reason }, details: { problems: this.#problems } });
  }
}

function accountId(text: string): string {
  const problem = accountIdProblem(text);
  if (problem) throw new Error(problem);
  return text;
}

/** Says nothing of what it was given: a node's address may hold an API key. */
function rpcUrls(text: string): string[] {
  try {
    return parseRpcUrls(text);
  } catch {
    throw new Error(
      'must be one http(s) URL or several, separated by commas, none with a user name or password',
    );
  }
}

/** Private keys, separated by commas or spaces. */
export function readPrivateKeys(text: string): Secret[] {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '');
  if (!keys.every(isPrivateKey))
    throw new Error('must be one or several keys of the form ed25519:<base58 of 64 bytes>');
  if (new Set(keys).size !== keys.length) throw new Error('names one key twice');
  return keys.map((key) => new Secret(key));
}

function isPrivateKey(text: string): boolean {
  if (!text.startsWith('ed25519:') || text.length > 100) return false;
  try {
    return base58.decode(text.slice('ed25519:'.length)).length === 64;
  } catch {
    return false;
  }
}

function wholeNumber(min: bigint, max: bigint, unit: string): (text: string) => bigint {
  return (text) => {
    if (/^\d{1,39}$/.test(text)) {
      const value = BigInt(text);
      if (value >= min && value <= max) return value;
    }
    throw new Error(`must be a whole number from ${min} to ${max} (${unit})`);
  };
}

function spendCap(text: string): bigint | null {
  if (text === 'none') return null;
  const yocto = readNear(text);
  if (yocto === null) throw new Error('must be an amount in NEAR such as 10 or 2.5, or none');
  return yocto;
}

function nearAmount(text: string): bigint {
  const yocto = readNear(text);
  if (yocto === null) throw new Error('must be an amount in NEAR such as 10 or 2.5');
  return yocto;
}

/** Requests a minute from one address, and of all of them together. */
function rateLimit(text: string): RateLimit | null {
  if (text === 'off') return null;
  const [, perAddress = 0, total = 0] = (/^(\d{1,7})\s*,\s*(\d{1,7})$/.exec(text) ?? []).map(Number);
  if (perAddress >= 1 && total >= perAddress) return { perAddress, total };
  throw new Error('must be two whole numbers such as 20,600 (a minute from one address, and in all), or off');
}

/** Bearer tokens are of these characters (RFC 6750, section 2.1). */
function metricsToken(text: string): Secret {
  if (!/^[\w.~+/-]{16,200}=*$/.test(text))
    throw new Error('must be 16 to 200 letters, digits or any of - . _ ~ + /');
  return new Secret(text);
}

/** As {@link wholeNumber}, for what is no amount of money or gas. */
function count(min: number, max: number, unit: string): (text: string) => number {
  const parse = wholeNumber(BigInt(min), BigInt(max), unit);
  return (text) => Number(parse(text));
}

function pattern(allowed: RegExp, problem: string): (text: string) => string {
  return (text) => {
    if (!allowed.test(text)) throw new Error(problem);
    return text;
  };
}

function logLevel(text: string): LogLevel {
  if (!isLogLevel(text)) throw new Error('must be info, warn, error or silent');
  return text;
}

const OriginSchema = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)),
);

/** One origin or several, separated by commas or spaces, each written as browsers send it. */
function origins(text: string): string[] {
  const list = text.split(/[\s,]+/).filter((origin) => origin !== '');
  const bad = list.find((origin) => !v.is(OriginSchema, origin));
  if (bad !== undefined) throw new Error(`is not an origin such as https://app.example.com: ${bad}`);
  return list;
}

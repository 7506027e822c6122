/** The relay's configuration, read from environment variables (interop.md section 7). */
import { base58 } from '@scure/base';
import * as v from 'valibot';
import { accountIdProblem } from '../account-id.js';
import { RFC3526_GROUP_14_P } from '../config.js';
import { LatchkeyError, messageOf } from '../errors.js';
import { parseRpcUrls } from '../near/index.js';
import { type LockKey, readLockKey } from './lock.js';
import { type LockGroup, readLockGroup } from './lock-group.js';
import { isLogLevel, type LogLevel } from './log.js';
import { Secret } from './secret.js';

/** Where the lock's current key comes from. */
export type LockSource =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'given'; readonly group: LockGroup; readonly key: LockKey }
  /** Read from this file, or made and stored there at the first start. */
  | { readonly kind: 'file'; readonly group: LockGroup; readonly path: string };

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
  readonly lock: LockSource;
  /** A file with former lock keys, which still open. */
  readonly graceKeysFile: string | null;
  /** The origins whose pages may call. */
  readonly allowedOrigins: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULTS = {
  WEBAUTHN_CONTRACT_ID: 'w3a-v1.testnet',
  NEAR_RPC_URL: 'https://test.rpc.fastnear.com',
  NETWORK_ID: 'testnet',
  ACCOUNT_INITIAL_BALANCE: '30000000000000000000000',
  CREATE_ACCOUNT_AND_REGISTER_GAS: '85000000000000',
  SHAMIR_P_B64U: RFC3526_GROUP_14_P,
  HOST: '127.0.0.1',
  PORT: '3000',
  LOG_LEVEL: 'info',
} as const;

const MAX_GAS = 10n ** 15n;
const MAX_INITIAL_BALANCE_YOCTO = 10n * 10n ** 24n;

/** Reads and checks the environment. Throws one error that names every bad variable, and repeats no secret. */
export function readRelayConfig(env: Environment): RelayConfig {
  const reader = new EnvironmentReader(env);
  const config = {
    relayerAccountId: reader.read('RELAYER_ACCOUNT_ID', accountId),
    relayerPrivateKeys: reader.read('RELAYER_PRIVATE_KEY', privateKeys),
    contractId: reader.read('WEBAUTHN_CONTRACT_ID', accountId),
    rpcUrls: reader.read('NEAR_RPC_URL', parseRpcUrls),
    networkId: reader.read(
      'NETWORK_ID',
      pattern(/^[a-z0-9-]{1,32}$/, 'must be a network name such as testnet'),
    ),
    initialBalanceYocto: reader.read(
      'ACCOUNT_INITIAL_BALANCE',
      wholeNumber(0n, MAX_INITIAL_BALANCE_YOCTO, 'yoctoNEAR'),
    ),
    registrationGas: reader.read('CREATE_ACCOUNT_AND_REGISTER_GAS', wholeNumber(1n, MAX_GAS, 'gas')),
    lock: readLockSource(reader),
    graceKeysFile: env.SHAMIR_GRACE_KEYS_FILE?.trim() || null,
    allowedOrigins: [
      ...(reader.read('EXPECTED_ORIGIN', origins) ?? []),
      ...(env.EXPECTED_WALLET_ORIGIN ? (reader.read('EXPECTED_WALLET_ORIGIN', origins) ?? []) : []),
    ],
    host: reader.read('HOST', pattern(/^[\w.:-]+$/, 'must be a host name or address')),
    port: reader.read('PORT', (text) => Number(wholeNumber(0n, 65_535n, 'port')(text))),
    logLevel: reader.read('LOG_LEVEL', logLevel),
  };
  reader.throwIfBad();
  // Each field is set: an undefined one was reported as a problem just now.
  return config as RelayConfig;
}

function readLockSource(reader: EnvironmentReader): LockSource | undefined {
  const { SHAMIR_E_S_B64U: e, SHAMIR_D_S_B64U: d, SHAMIR_KEY_FILE: path } = reader.env;
  if (!e && !d && !path) return { kind: 'disabled' };
  const group = reader.read('SHAMIR_P_B64U', readLockGroup);
  if (!e && !d && path) return group && { kind: 'file', group, path };
  if (path)
    reader.report('SHAMIR_KEY_FILE', 'must not be set together with SHAMIR_E_S_B64U and SHAMIR_D_S_B64U');
  if (!e) reader.report('SHAMIR_E_S_B64U', 'is missing beside SHAMIR_D_S_B64U');
  if (!d) reader.report('SHAMIR_D_S_B64U', 'is missing beside SHAMIR_E_S_B64U');
  if (!group || !e || !d) return undefined;
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

function privateKeys(text: string): Secret[] {
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

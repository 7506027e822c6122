/** Reads environment variables one by one, and reports all bad ones together. */
import { base58 } from '@scure/base';
import {
  existingAccountIdProblem,
  INVALID_CONFIG,
  LatchkeyError,
  messageOf,
  networkOf,
  parseRpcUrls,
  RFC3526_GROUP_14_P,
  readNear,
  TESTNET,
} from 'latchkey/internal/server';
import * as v from 'valibot';
import type { RateLimit } from '../http/rate-buckets.js';
import { isLogLevel, type LogLevel } from '../observe/log.js';
import { Secret } from './secret.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULTS = {
  NETWORK_ID: TESTNET.networkId,
  ACCOUNT_INITIAL_BALANCE: '30000000000000000000000',
  CREATE_ACCOUNT_AND_REGISTER_GAS: '85000000000000',
  RELAY_SPEND_CAP_NEAR: '10',
  RELAY_DAILY_SHARE: '10,25',
  RELAY_PARALLEL_REGISTRATIONS: '64',
  RELAY_LIMIT_REGISTRATIONS: '20,600',
  RELAY_LIMIT_LOCK: '300,12000',
  RELAY_LIMIT_DELEGATE: '60,600',
  RELAY_LIMIT_APP_KEYS: '20,600',
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

export class EnvironmentReader {
  readonly env: Environment;
  readonly #defaults: Readonly<Record<string, string | undefined>>;
  readonly #problems: string[] = [];

  constructor(env: Environment) {
    this.env = env;
    // The registry has no default on mainnet.
    const network = networkOf(env.NETWORK_ID?.trim()) ?? TESTNET;
    const { contractId: WEBAUTHN_CONTRACT_ID, rpcUrls: NEAR_RPC_URL } = network;
    this.#defaults = { ...DEFAULTS, WEBAUTHN_CONTRACT_ID, NEAR_RPC_URL };
  }

  /** The variable's value or its default, parsed; reports the message of a parser that throws. */
  read<T>(name: string, parse: (text: string) => T): T | undefined {
    const text = this.env[name]?.trim() || this.#defaults[name];
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

  throwIfBad(meaning = 'the relay cannot start with this environment'): void {
    if (this.#problems.length === 0) return;
    const reason = [meaning, ...this.#problems].join('\n  ');
    throw new LatchkeyError(INVALID_CONFIG, { values: { reason }, details: { problems: this.#problems } });
  }
}

export function accountId(text: string): string {
  const problem = existingAccountIdProblem(text);
  if (problem) throw new Error(problem);
  return text;
}

/** The error does not quote the text: a node's address may contain an API key. */
export function rpcUrls(text: string): string[] {
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

export function wholeNumber(min: bigint, max: bigint, unit: string): (text: string) => bigint {
  return (text) => {
    if (/^\d{1,39}$/.test(text)) {
      const value = BigInt(text);
      if (value >= min && value <= max) return value;
    }
    throw new Error(`must be a whole number from ${min} to ${max} (${unit})`);
  };
}

export function spendCap(text: string): bigint | null {
  if (text === 'none') return null;
  const yocto = readNear(text);
  if (yocto === null) throw new Error('must be an amount in NEAR such as 10 or 2.5, or none');
  return yocto;
}

export function nearAmount(text: string): bigint {
  const yocto = readNear(text);
  if (yocto === null) throw new Error('must be an amount in NEAR such as 10 or 2.5');
  return yocto;
}

/** Requests per minute, from one address and in total. */
export function rateLimit(text: string): RateLimit | null {
  if (text === 'off') return null;
  const [, perAddress = 0, total = 0] = (/^(\d{1,7})\s*,\s*(\d{1,7})$/.exec(text) ?? []).map(Number);
  if (perAddress >= 1 && total >= perAddress) return { perAddress, total };
  throw new Error('must be two whole numbers such as 20,600 (a minute from one address, and in all), or off');
}

/** Percent of the day's budget, of one address and of one network. */
export interface DailyShare {
  readonly addressPercent: number;
  readonly networkPercent: number;
}

export function dailyShare(text: string): DailyShare | null {
  if (text === 'off') return null;
  const [, addressPercent = 0, networkPercent = 0] = (/^(\d{1,3})\s*,\s*(\d{1,3})$/.exec(text) ?? []).map(
    Number,
  );
  if (addressPercent >= 1 && networkPercent >= addressPercent && networkPercent <= 100) {
    return { addressPercent, networkPercent };
  }
  throw new Error('must be two whole percentages such as 10,25 (of one address, and of its network), or off');
}

/** A secret of an outside service, as the service writes it. The error does not quote it. */
export function secret(text: string): Secret {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) throw new Error('must be at most 200 characters without spaces');
  return new Secret(text);
}

/** An http(s) URL whose parts may be secret: the error does not quote it. */
export function secretUrl(text: string): Secret {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Error('must be an http(s) URL');
  }
  return new Secret(text);
}

/** A Redis address, which may hold a password: the error does not quote it. */
export function redisUrl(text: string): Secret {
  if (!URL.canParse(text) || !/^rediss?:$/.test(new URL(text).protocol)) {
    throw new Error('must be a URL such as redis://127.0.0.1:6379, or rediss:// with TLS');
  }
  return new Secret(text);
}

/** Bearer tokens consist of these characters (RFC 6750, section 2.1). */
export function metricsToken(text: string): Secret {
  if (!/^[\w.~+/-]{16,200}=*$/.test(text))
    throw new Error('must be 16 to 200 letters, digits or any of - . _ ~ + /');
  return new Secret(text);
}

/** Like {@link wholeNumber}, for counts instead of amounts. */
export function count(min: number, max: number, unit: string): (text: string) => number {
  const parse = wholeNumber(BigInt(min), BigInt(max), unit);
  return (text) => Number(parse(text));
}

export function pattern(allowed: RegExp, problem: string): (text: string) => string {
  return (text) => {
    if (!allowed.test(text)) throw new Error(problem);
    return text;
  };
}

export function logLevel(text: string): LogLevel {
  if (!isLogLevel(text)) throw new Error('must be info, warn, error or silent');
  return text;
}

const OriginSchema = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)),
);

/** One origin or several, separated by commas or spaces, each as browsers send it. */
export function origins(text: string): string[] {
  const list = text.split(/[\s,]+/).filter((origin) => origin !== '');
  const bad = list.find((origin) => !v.is(OriginSchema, origin));
  if (bad !== undefined) throw new Error(`is not an origin such as https://app.example.com: ${bad}`);
  return list;
}

/** Like {@link origins}; `none` stands for an empty list. */
export function originsOrNone(text: string): string[] {
  return text === 'none' ? [] : origins(text);
}

/** The account-id rules; every check in the kit uses these. */
import { INVALID_ACCOUNT_ID, LatchkeyError } from '../errors/core.js';

/** Default last labels of an account id. */
export const DEFAULT_SUFFIXES: readonly string[] = ['testnet', 'near'];

/**
 * Longest account id that can be registered, in bytes: a WebAuthn user handle holds 64, of which the device's suffix ` (255)`
 * takes 6 and the random tail 7.
 */
export const MAX_REGISTRABLE_LENGTH = 51;

/** Shortest and longest account id on chain, in bytes (near-account-id). */
const MIN_LENGTH = 2;
export const MAX_LENGTH = 64;

const MAX_USERNAME_LENGTH = 32;
const LABEL = /^[a-z0-9_-]+$/;

export interface AccountIdRules {
  readonly suffixes?: readonly string[] | undefined;
  /** Exactly two labels, as in `alice.testnet`. */
  readonly requireTopLevelDomain?: boolean | undefined;
}

/** The first thing wrong with an account id, or undefined when it is well formed. */
export function accountIdProblem(accountId: unknown, rules: AccountIdRules = {}): string | undefined {
  if (typeof accountId !== 'string' || accountId.length === 0) return 'Account ID must be a non-empty string';
  const labels = accountId.split('.');
  if (labels.length < 2) return 'Account ID must contain at least one dot (e.g., username.testnet)';
  const [username = '', ...domain] = labels;
  if (username.length === 0) return 'Username part cannot be empty';
  if (!LABEL.test(username)) {
    return 'Username can only contain lowercase letters, numbers, underscores, and hyphens';
  }
  if (domain.some((label) => label.length === 0)) return 'Domain part cannot be empty';
  const suffixes = rules.suffixes ?? DEFAULT_SUFFIXES;
  if (!suffixes.some((suffix) => accountId.endsWith(`.${suffix}`))) {
    return `Invalid NEAR account ID suffix. Expected account to end with one of: ${suffixes.join(', ')}`;
  }
  if (!domain.every((label) => LABEL.test(label))) {
    return 'Domain can only contain lowercase letters, numbers, underscores, and hyphens';
  }
  if (rules.requireTopLevelDomain && labels.length !== 2) return 'Account ID must have exactly two parts';
  if (accountId.length > MAX_LENGTH) return `Account ID must be at most ${MAX_LENGTH} characters`;
  // After the rules above, separator placement is the chain's only remaining objection.
  if (!isNearAccountId(accountId)) {
    return 'Account ID can only have underscores and hyphens between two letters or numbers';
  }
  return undefined;
}

const ANY_ACCOUNT_ID = /^(?:(?:[a-z\d]+[-_])*[a-z\d]+\.)*(?:[a-z\d]+[-_])*[a-z\d]+$/;

/**
 * Whether the chain accepts the text as an account id of any kind, including implicit accounts and contracts without
 * a dot (near-account-id: 2 to 64 characters).
 */
export function isNearAccountId(text: string): boolean {
  return text.length >= MIN_LENGTH && text.length <= MAX_LENGTH && ANY_ACCOUNT_ID.test(text);
}

/** Throws INVALID_ACCOUNT_ID, which names the field, unless {@link isNearAccountId}. */
export function assertNearAccountId(field: string, accountId: unknown): asserts accountId is string {
  if (typeof accountId === 'string' && isNearAccountId(accountId)) return;
  const reason = `${field} must be an account id in lower case, such as alice.near`;
  throw new LatchkeyError(INVALID_ACCOUNT_ID, { values: { reason } });
}

/** 64 hex digits of an ed25519 key, `0x` and 40 of an Ethereum address, or `0s` and 40 of a first state (NEP-616). */
const IMPLICIT = /^(?:[\da-f]{64}|0[xs][\da-f]{40})$/;

/** Whether a transfer may make the account: its id follows from a key, an address or a first state. */
export function isImplicitAccountId(accountId: string): boolean {
  return IMPLICIT.test(accountId);
}

const NEAR_IMPLICIT = /^[\da-f]{64}$/;

/**
 * Whether the account's id is an ed25519 key, 64 lower-case hex digits. In this wallet it is an account of the passkey
 * alone: longer ids than {@link MAX_REGISTRABLE_LENGTH} are neither registered nor linked.
 */
export function isNearImplicitAccountId(accountId: string): boolean {
  return NEAR_IMPLICIT.test(accountId);
}

/**
 * The first thing wrong with the id of an account that exists: a name under any top-level account, or an implicit account.
 * Undefined when it is well formed.
 */
export function existingAccountIdProblem(accountId: unknown): string | undefined {
  if (typeof accountId === 'string' && isImplicitAccountId(accountId)) return undefined;
  return accountIdProblem(accountId, { suffixes: [topLevelOf(String(accountId))] });
}

/** Throws INVALID_ACCOUNT_ID where {@link existingAccountIdProblem} finds a problem. */
export function assertExistingAccountId(accountId: unknown): asserts accountId is string {
  const reason = existingAccountIdProblem(accountId);
  if (reason) throw new LatchkeyError(INVALID_ACCOUNT_ID, { values: { reason } });
}

/** The rules of an account that `parent` creates: its id ends as the parent's does. */
export function rulesBelow(parent: string): AccountIdRules {
  return { suffixes: [...new Set([...DEFAULT_SUFFIXES, topLevelOf(parent)])] };
}

function topLevelOf(accountId: string): string {
  return accountId.split('.').at(-1) ?? '';
}

/** Whether the account is a direct child of `parent`. The chain lets only `parent` create it. */
export function isDirectChildOf(accountId: string, parent: string): boolean {
  const dot = accountId.indexOf('.');
  return dot > 0 && accountId.slice(dot + 1) === parent;
}

/** The part before the first dot; the whole id if it has none. */
export function usernameOf(accountId: string): string {
  return accountId.split('.', 1)[0] ?? '';
}

/** Throws INVALID_ACCOUNT_ID unless the id is well formed. */
export function assertAccountId(accountId: unknown, rules: AccountIdRules = {}): asserts accountId is string {
  const reason = accountIdProblem(accountId, rules);
  if (reason) throw new LatchkeyError(INVALID_ACCOUNT_ID, { values: { reason } });
}

/** As {@link assertAccountId}, for an id about to be registered: at most 51 bytes. */
export function assertRegistrableAccountId(
  accountId: unknown,
  rules: AccountIdRules = {},
): asserts accountId is string {
  assertAccountId(accountId, rules);
  if (accountId.length > MAX_REGISTRABLE_LENGTH) {
    throw new LatchkeyError(INVALID_ACCOUNT_ID, {
      values: { reason: `Account ID must be at most ${MAX_REGISTRABLE_LENGTH} characters to be registered` },
    });
  }
}

/** As {@link assertRegistrableAccountId}, for an account that another passkey joins: one without a name is none too long. */
export function assertJoinableAccountId(
  accountId: unknown,
  rules: AccountIdRules = {},
): asserts accountId is string {
  if (typeof accountId === 'string' && isNearImplicitAccountId(accountId)) return;
  assertRegistrableAccountId(accountId, rules);
}

/**
 * Makes an account id from user input: lowercases it, drops other characters, cuts at 32 and appends the suffix. The
 * result may still be malformed (an empty name, or a hyphen at an end): check it with {@link accountIdProblem}.
 */
export function toAccountId(input: string, suffix: string): string {
  const username = input
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, MAX_USERNAME_LENGTH);
  return `${username}.${suffix}`;
}

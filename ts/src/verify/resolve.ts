/**
 * The resolution of an authorization (NEP-641): a key's authorization is judged here, any other by the account's contract,
 * which may rest it on authorizations of other accounts. Every answer is read at one block.
 */
import * as v from 'valibot';
import { isWellFormed } from '../borsh.js';
import { definedFields } from '../defined-fields.js';
import { messageOf } from '../errors/latchkey-error.js';
import { isNearAccountId } from '../near/account-id.js';
import { type CallResult, isFullAccessView, rpcFailure } from '../near/index.js';
import type {
  AuthorizationExpectation,
  AuthorizationLimits,
  AuthorizationRefusal,
  AuthorizationVerdict,
} from './authorization.js';
import {
  implicitAccountIdOf,
  isSignedByItsKey,
  type ReadKeyAuthorization,
  readKeyAuthorization,
} from './key-authorization.js';
import { refused } from './verdict.js';

const METHOD = 'w_resolve_auth';
/** Of a contract's own words, and of a payload, in a refusal. */
const MAX_QUOTED = 300;

/** One authorization to resolve. */
interface Authorization {
  readonly accountId: string;
  readonly authorization: string;
  /** The accounts that need it: the direct parent first. */
  readonly path: readonly string[];
}

interface SubAuthorization extends Authorization {
  /** What it must be for. */
  readonly expect: string;
}

/** What an authorization is for, once those that it rests on hold too. */
interface Resolution {
  readonly payload: string;
  readonly pending: readonly SubAuthorization[];
  /** Set where a key resolved it. */
  readonly publicKey?: string;
}

/** The block that every answer is read at. */
interface PinnedBlock {
  readonly height: number;
  readonly hash: string;
  /** Nanoseconds since 1970. */
  readonly time: bigint;
}

/** Ends a resolution. */
class Refusal extends Error {
  readonly reason: AuthorizationRefusal;

  constructor(reason: AuthorizationRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

const AuthorizedSchema = v.looseObject({ accountId: v.string(), authorization: v.string() });

/** `maxDepth` and so on, where the backend names none. */
const DEFAULT_LIMITS: AuthorizationLimits = {
  maxDepth: 4,
  maxSubAuthorizations: 8,
  maxCalls: 32,
  maxBytes: 256 * 1024,
};

/** Checks what was received, then resolves it; see `resolveAuthorization`. */
export async function resolve(
  authorized: unknown,
  expected: AuthorizationExpectation,
): Promise<AuthorizationVerdict> {
  const limits = { ...DEFAULT_LIMITS, ...definedFields(expected.limits ?? {}) };
  const problem = problemOf(expected, limits);
  if (problem) return refused('EXPECTATION_INVALID', `Nothing was checked: ${problem}.`);
  const parsed = v.safeParse(AuthorizedSchema, authorized);
  if (!parsed.success) {
    const at = v.getDotPath(parsed.issues[0]);
    const what = at === null ? 'it is not an object' : `${at} is not text`;
    return refused('MALFORMED', `Not an answer with accountId and authorization: ${what}.`);
  }
  const { accountId, authorization } = parsed.output;
  if (!isNearAccountId(accountId)) {
    return refused('ACCOUNT_ID_INVALID', 'accountId is not a NEAR account id.');
  }
  if (expected.accountId != null && accountId !== expected.accountId) {
    return refused(
      'ACCOUNT_MISMATCH',
      `The authorization is of ${accountId}, expected was ${expected.accountId}.`,
    );
  }
  return resolved({ accountId, authorization }, expected, limits);
}

function problemOf(
  { chainId, payload, accountId, maxAgeMs = 0 }: AuthorizationExpectation,
  limits: AuthorizationLimits,
): string | undefined {
  if (!isText(chainId) || chainId === '')
    return 'the expected chainId must be well-formed text, and not empty';
  if (!isText(payload)) return 'the expected payload must be well-formed text';
  if (accountId != null && !(isText(accountId) && isNearAccountId(accountId))) {
    return 'the expected accountId must be a NEAR account id';
  }
  if (!isCount(maxAgeMs)) return 'maxAgeMs must be a whole number of milliseconds';
  const wrong = Object.entries(limits).find(([, limit]) => !isCount(limit));
  return wrong && `the limit ${wrong[0]} must be a whole number`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isWellFormed(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Resolves an authorization whose account id is well formed. */
async function resolved(
  authorized: { readonly accountId: string; readonly authorization: string },
  expected: AuthorizationExpectation,
  limits: AuthorizationLimits,
): Promise<AuthorizationVerdict> {
  const { accountId } = authorized;
  try {
    const budget = new Budget(limits);
    budget.spend('maxBytes', new TextEncoder().encode(authorized.authorization).length);
    budget.spend('maxCalls');
    const { header } = await expected.rpc.block(
      { finality: 'final' },
      { agreed: true, signal: expected.signal },
    );
    const block = { height: header.height, hash: header.hash, time: BigInt(header.timestamp_nanosec) };
    const resolver = new Resolver(expected, block, budget);

    const root = await resolver.resolve({ ...authorized, path: [] });
    if (root.payload !== expected.payload) {
      const what = `${accountId} authorizes ${quoted(root.payload)}, expected was ${quoted(expected.payload)}.`;
      throw new Refusal('PAYLOAD_MISMATCH', what);
    }
    await resolver.resolvePending(root.pending);
    const { publicKey } = root;
    return {
      verified: true,
      accountId,
      ...(publicKey !== undefined && { publicKey }),
      blockHeight: block.height,
      blockHash: block.hash,
    };
  } catch (error) {
    if (error instanceof Refusal) return refused(error.reason, error.message);
    throw error;
  }
}

const OVERRUN = {
  maxSubAuthorizations: ['TOO_MANY_SUB_AUTHORIZATIONS', 'rests on more than {} others'],
  maxCalls: ['TOO_MANY_CALLS', 'needs more than {} questions to the chain'],
  maxBytes: ['TOO_MANY_BYTES', "and the contracts' answers exceed {} bytes"],
} as const;

/** Counts what a resolution costs; its sender decides that. */
class Budget {
  readonly maxDepth: number;
  readonly #limits: AuthorizationLimits;
  readonly #spent = { maxSubAuthorizations: 0, maxCalls: 0, maxBytes: 0 };

  constructor(limits: AuthorizationLimits) {
    this.#limits = limits;
    this.maxDepth = limits.maxDepth;
  }

  spend(what: keyof typeof OVERRUN, count = 1): void {
    this.#spent[what] += count;
    const limit = this.#limits[what];
    if (this.#spent[what] <= limit) return;
    const [reason, words] = OVERRUN[what];
    throw new Refusal(reason, `The authorization ${words.replace('{}', String(limit))}.`);
  }
}

class Resolver {
  readonly #expected: AuthorizationExpectation;
  readonly #block: PinnedBlock;
  readonly #budget: Budget;

  constructor(expected: AuthorizationExpectation, block: PinnedBlock, budget: Budget) {
    this.#expected = expected;
    this.#block = block;
    this.#budget = budget;
  }

  /** By the account's key or, where that is no key's authorization or a wrong one, by its contract. */
  async resolve(asked: Authorization): Promise<Resolution> {
    const byKey = readKeyAuthorization(asked.authorization);
    if (!byKey) return this.#byContract(asked);
    try {
      await this.#assertKeyAuthorizes(asked, byKey);
      return { payload: byKey.msg.payload, pending: [], publicKey: byKey.access_key };
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason === 'TOO_MANY_CALLS') throw error;
      try {
        return await this.#byContract(asked);
      } catch (contractsError) {
        // What is in the form of a key's authorization is meant as one, so the key's fault says more.
        if (contractsError instanceof Refusal && CONTRACTS_FAULTS.has(contractsError.reason)) throw error;
        throw contractsError;
      }
    }
  }

  /** One after the other, so that nothing is asked once a limit is reached. */
  async resolvePending(pending: readonly SubAuthorization[]): Promise<void> {
    for (const sub of pending) {
      const { payload, pending: next } = await this.resolve(sub);
      if (payload !== sub.expect) {
        const what = `authorizes ${quoted(payload)}, needed is ${quoted(sub.expect)}.`;
        throw new Refusal('SUB_PAYLOAD_MISMATCH', `${nameOf(sub)} ${what}`);
      }
      await this.resolvePending(next);
    }
  }

  async #assertKeyAuthorizes(asked: Authorization, byKey: ReadKeyAuthorization): Promise<void> {
    const { accountId, path } = asked;
    const { chainId, maxAgeMs } = this.#expected;
    const { msg, signedAt, access_key: publicKey } = byKey;
    const of = `The authorization of ${nameOf(asked)}`;
    if (msg.chain_id !== chainId) {
      throw new Refusal(
        'CHAIN_MISMATCH',
        `${of} is for the chain ${quoted(msg.chain_id)}, expected was ${chainId}.`,
      );
    }
    if (msg.signer_id !== accountId) {
      throw new Refusal('SIGNER_MISMATCH', `${of} is signed for ${msg.signer_id}.`);
    }
    const signedPath = msg.path ?? [];
    if (signedPath.length !== path.length || signedPath.some((id, index) => id !== path[index])) {
      const named = signedPath.length === 0 ? 'for no other account' : `for ${quoted(signedPath.join(', '))}`;
      throw new Refusal('PATH_MISMATCH', `${of} is signed ${named}, which is not the way to it.`);
    }
    if (!(await isSignedByItsKey(byKey))) {
      throw new Refusal('SIGNATURE_INVALID', `${of} is not signed by ${publicKey}.`);
    }
    const { time, height } = this.#block;
    if (signedAt > time) {
      throw new Refusal('FROM_THE_FUTURE', `${of} is signed at ${msg.timestamp}, after the block ${height}.`);
    }
    if (maxAgeMs !== undefined && time - signedAt > BigInt(maxAgeMs) * 1_000_000n) {
      throw new Refusal('EXPIRED', `${of} is signed at ${msg.timestamp}, more than ${maxAgeMs} ms ago.`);
    }
    const key = await this.#ask((rpc, at) => rpc.viewAccessKey(accountId, publicKey, at));
    if (key ? !isFullAccessView(key) : !(await this.#isStillOfKey(accountId, byKey))) {
      throw key
        ? new Refusal('KEY_NOT_FULL_ACCESS', `${publicKey} is not a full-access key of ${accountId}.`)
        : new Refusal('KEY_NOT_FOUND', `${accountId} has no access key ${publicKey}, or does not exist.`);
    }
  }

  /**
   * Whether the account is the key's own and nobody has made it yet, so that this key alone will control it. One that exists
   * may have removed its first key.
   */
  async #isStillOfKey(accountId: string, { key }: ReadKeyAuthorization): Promise<boolean> {
    if ((await implicitAccountIdOf(key)) !== accountId) return false;
    const account = await this.#ask((rpc, at) => rpc.viewAccount(accountId, at));
    return account === null || account.state === 'uninitialized';
  }

  async #byContract(asked: Authorization): Promise<Resolution> {
    const { accountId, authorization, path } = asked;
    const answer = await this.#ask((rpc, at) =>
      rpc.callFunction(accountId, METHOD, { path, authorization }, at),
    ).catch((error: unknown) => {
      throw contractsFault(error, asked) ?? error;
    });
    this.#budget.spend('maxBytes', answer.bytes.length);
    const resolution = readResolution(answer);
    if (!resolution) {
      const what = `${METHOD} of ${nameOf(asked)} returned something else than a payload and pending authorizations.`;
      throw new Refusal('CONTRACT_ANSWER_INVALID', what);
    }
    const { payload, pending } = resolution;
    if (pending.length > 0 && path.length >= this.#budget.maxDepth) {
      const what = `The authorization of ${nameOf(asked)} rests on others, more than ${this.#budget.maxDepth} deep.`;
      throw new Refusal('TOO_DEEP', what);
    }
    this.#budget.spend('maxSubAuthorizations', pending.length);
    const below = [accountId, ...path];
    return {
      payload,
      pending: pending.map((sub) => ({
        accountId: sub.account_id,
        authorization: sub.authorization,
        expect: sub.expect,
        path: below,
      })),
    };
  }

  #ask<T>(
    ask: (
      rpc: AuthorizationExpectation['rpc'],
      at: { blockHash: string; agreed: true; signal: AbortSignal | undefined },
    ) => Promise<T>,
  ): Promise<T> {
    this.#budget.spend('maxCalls');
    const { rpc, signal } = this.#expected;
    return ask(rpc, { blockHash: this.#block.hash, agreed: true, signal });
  }
}

/** What a contract does wrong itself; a limit that it exceeds is the whole authorization's. */
const CONTRACTS_FAULTS: ReadonlySet<AuthorizationRefusal> = new Set([
  'NO_CONTRACT',
  'CONTRACT_REFUSED',
  'CONTRACT_ANSWER_INVALID',
]);

/** The refusal that an error of the call is; undefined where it says nothing about the contract. */
function contractsFault(error: unknown, asked: Authorization): Refusal | undefined {
  switch (rpcFailure(error)?.kind) {
    case 'unknown_account':
    case 'no_contract': {
      const what = `The authorization of ${nameOf(asked)} is not a key's, and the account has no contract to resolve it.`;
      return new Refusal('NO_CONTRACT', what);
    }
    case 'contract':
    case 'invalid_request': {
      const said = messageOf(error).slice(0, MAX_QUOTED);
      return new Refusal(
        'CONTRACT_REFUSED',
        `${METHOD} of ${nameOf(asked)} refused the authorization: ${said}`,
      );
    }
    default:
      return undefined;
  }
}

const ResolutionSchema = v.object({
  payload: v.string(),
  pending: v.optional(
    v.array(
      v.object({
        account_id: v.pipe(v.string(), v.check(isNearAccountId)),
        authorization: v.string(),
        expect: v.string(),
      }),
    ),
    [],
  ),
});

function readResolution({ bytes }: CallResult): v.InferOutput<typeof ResolutionSchema> | undefined {
  try {
    const parsed = v.safeParse(
      ResolutionSchema,
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)),
    );
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** The account, after those that need its authorization. */
function nameOf({ accountId, path }: Authorization): string {
  return [accountId, ...path].reverse().join(' -> ');
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}

/** Resolves an off-chain authorization (NEP-641): by an access key of the account, or by the account's own contract. */
import type { AnyOf } from '../defined-fields.js';
import type { RpcClient } from '../near/index.js';
import type { Verdict } from './verdict.js';

/** How far a resolution goes. The sender of an authorization decides how much there is to resolve, up to these. */
export interface AuthorizationLimits {
  /** How deep authorizations may rest on others. Default 4; 0 takes none that rests on another. */
  readonly maxDepth: number;
  /** How many authorizations the first one may rest on, in all. Default 8. */
  readonly maxSubAuthorizations: number;
  /** How many questions the chain is asked; each goes to as many nodes as must agree. Default 32. */
  readonly maxCalls: number;
  /** Bytes of the authorization and of all contracts' answers together. Default 262144 (256 KiB). */
  readonly maxBytes: number;
}

/** What the backend knows of the authorization that it requested. */
export interface AuthorizationExpectation {
  /** Asks the chain that the account lives on. */
  readonly rpc: Pick<RpcClient, 'block' | 'viewAccessKey' | 'viewAccount' | 'callFunction'>;
  /** That chain's id, such as `mainnet`: the backend's own configuration, never from the request. */
  readonly chainId: string;
  /** The payload that this backend issued, to the byte. The backend must accept it only once. */
  readonly payload: string;
  /** The only accepted account; any if absent. */
  readonly accountId?: string | null | undefined;
  /**
   * How old a key's signature may be, in milliseconds, by the time of the block. Any age if absent. A contract judges the age
   * of what it resolves itself.
   */
  readonly maxAgeMs?: number | undefined;
  /** Raises or lowers single limits. */
  readonly limits?: AnyOf<AuthorizationLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * - `EXPECTATION_INVALID`: the backend's expectation cannot be met by any authorization.
 * - `MALFORMED`: not an object with the texts `accountId` and `authorization`.
 * - `ACCOUNT_ID_INVALID`: not a NEAR account id.
 * - `ACCOUNT_MISMATCH`: not the expected account.
 * - `CHAIN_MISMATCH`, `SIGNER_MISMATCH`, `PATH_MISMATCH`: signed by a key for another chain, account or parents.
 * - `SIGNATURE_INVALID`: not the signature of the message by the key that the authorization names.
 * - `FROM_THE_FUTURE`: signed after the block that was read.
 * - `EXPIRED`: signed by a key longer ago than `maxAgeMs`.
 * - `KEY_NOT_FOUND`: the account has no such key, and is no missing account that belongs to this key.
 * - `KEY_NOT_FULL_ACCESS`: a function-call key.
 * - `NO_CONTRACT`: not a key's authorization, and the account has no contract that could resolve it.
 * - `CONTRACT_REFUSED`: the account's contract resolves no authorizations, or not this one.
 * - `CONTRACT_ANSWER_INVALID`: what the contract returned is not what the NEP says.
 * - `SUB_PAYLOAD_MISMATCH`: an authorization that another one rests on is for something else than that one needs.
 * - `PAYLOAD_MISMATCH`: the account authorizes something else than the expected payload.
 * - `TOO_DEEP`, `TOO_MANY_SUB_AUTHORIZATIONS`, `TOO_MANY_CALLS`, `TOO_MANY_BYTES`: beyond {@link AuthorizationLimits}.
 */
export type AuthorizationRefusal =
  | 'EXPECTATION_INVALID'
  | 'MALFORMED'
  | 'ACCOUNT_ID_INVALID'
  | 'ACCOUNT_MISMATCH'
  | 'CHAIN_MISMATCH'
  | 'SIGNER_MISMATCH'
  | 'PATH_MISMATCH'
  | 'SIGNATURE_INVALID'
  | 'FROM_THE_FUTURE'
  | 'EXPIRED'
  | 'KEY_NOT_FOUND'
  | 'KEY_NOT_FULL_ACCESS'
  | 'NO_CONTRACT'
  | 'CONTRACT_REFUSED'
  | 'CONTRACT_ANSWER_INVALID'
  | 'SUB_PAYLOAD_MISMATCH'
  | 'PAYLOAD_MISMATCH'
  | 'TOO_DEEP'
  | 'TOO_MANY_SUB_AUTHORIZATIONS'
  | 'TOO_MANY_CALLS'
  | 'TOO_MANY_BYTES';

export type AuthorizationVerdict = Verdict<
  {
    accountId: string;
    /** The key that signed for the account; absent where its contract resolved the authorization. */
    publicKey?: string;
    /** The block that every answer was read at. */
    blockHeight: number;
    /** base58. */
    blockHash: string;
  },
  AuthorizationRefusal
>;

/**
 * Verifies a wallet's answer to a request to authorize a payload: `authorized` is {accountId, authorization}, as received;
 * further members are ignored. Asks every question about one final block, which as many nodes as must agree have.
 *
 * Rejects with NEAR_RPC_FAILED if no node answered, with RPC_DISAGREEMENT if nodes differ, and with the signal's reason.
 */
export async function resolveAuthorization(
  authorized: unknown,
  expected: AuthorizationExpectation,
): Promise<AuthorizationVerdict> {
  return (await import('./resolve.js')).resolve(authorized, expected);
}

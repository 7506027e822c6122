/** Verifies a passkey assertion: asks the registry contract, and compares what it confirms with the expectation. */
import { base64urlnopad } from '@scure/base';
import * as v from 'valibot';
import { isBase64url } from '../base64url.js';
import { isNearAccountId } from '../near/account-id.js';
import type { CallResult, RpcClient } from '../near/index.js';
import { parseReturnedJson } from '../near/rpc-answer.js';
import { viewVerdict } from '../near/verdict-view.js';
import { refused, type Verdict } from './verdict.js';

/** What the backend knows of the assertion that it requested. */
export interface AuthenticationExpectation {
  /** Asks the chain that the registry lives on. */
  readonly rpc: Pick<RpcClient, 'callFunction'>;
  /** The registry contract's account. */
  readonly contractId: string;
  /**
   * The intent that the user approved: 32 bytes in base64url without padding, as `loginSessionDigest` returns it.
   * Without it, an assertion made for another intent would pass.
   */
  readonly intentDigest: string;
  /** The only accepted account; any if absent. */
  readonly accountId?: string | undefined;
  /** The passkey's rpId; if absent, any that the registry has for it. */
  readonly rpId?: string | undefined;
  /** The page or pages that requested the passkey: exact origins. If absent, any that the registry allows. */
  readonly origin?: string | readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * - `EXPECTATION_INVALID`: `intentDigest` is not 32 bytes in base64url, or `rpId` is not text.
 * - `MALFORMED`: not `vrf_data` and `webauthn_authentication` as the registry expects them.
 * - `INTENT_MISMATCH`, `ACCOUNT_MISMATCH`, `RP_ID_MISMATCH`, `ORIGIN_MISMATCH`: made for something else than
 *   expected.
 * - `NOT_ACCEPTED`: the registry refused it as forged, outdated or unknown. The message quotes the registry's reason.
 */
export type AuthenticationRefusal =
  | 'EXPECTATION_INVALID'
  | 'MALFORMED'
  | 'INTENT_MISMATCH'
  | 'ACCOUNT_MISMATCH'
  | 'RP_ID_MISMATCH'
  | 'NOT_ACCEPTED'
  | 'ORIGIN_MISMATCH';

export type AuthenticationVerdict = Verdict<
  {
    accountId: string;
    /** base64url. */
    credentialId: string;
    rpId: string;
    origin: string;
    /**
     * The WebAuthn challenge, 32 bytes in base64url without padding. Account, rpId, intent and block determine it: to
     * accept an assertion only once, remember it until the registry's `max_block_age` has passed since `blockHeight`.
     */
    challenge: string;
    /** The block of the challenge. */
    blockHeight: number;
    /** The authenticator's signature counter; a synced passkey's stays 0. */
    signatureCount: number;
    /** `multiDevice` for a passkey that is or can be synced. */
    deviceType: string;
    isBackedUp: boolean;
  },
  AuthenticationRefusal
>;

const METHOD = 'verify_authentication_response';
const DIGEST_LENGTH = 32;
const CHALLENGE_LENGTH = 32;
/** Limit on a node's text that is passed on. */
const MAX_LOG_LENGTH = 300;

const Base64urlText = v.pipe(v.string(), v.check(isBase64url, 'not base64url without padding'));
const Byte = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(255));
const BYTES = 'not bytes: numbers from 0 to 255, or base64url without padding';

/** The contract accepts both forms. Converts to one, so that it reads exactly what was compared here. */
const bytesOf = (length: number) =>
  v.pipe(
    v.union(
      [
        v.array(Byte),
        v.pipe(
          Base64urlText,
          v.transform((text) => [...base64urlnopad.decode(text)]),
        ),
      ],
      BYTES,
    ),
    v.length(length, `not ${length} bytes`),
  );

const AssertionSchema = v.object({
  vrf_data: v.object({
    vrf_input_data: bytesOf(32),
    vrf_output: bytesOf(64),
    vrf_proof: bytesOf(80),
    public_key: bytesOf(32),
    user_id: v.pipe(v.string(), v.check(isNearAccountId, 'not a NEAR account id')),
    rp_id: v.string(),
    block_height: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    block_hash: bytesOf(32),
    intent_digest_32: bytesOf(DIGEST_LENGTH),
    session_policy_digest_32: v.optional(v.nullable(bytesOf(DIGEST_LENGTH))),
  }),
  webauthn_authentication: v.object({
    id: Base64urlText,
    rawId: Base64urlText,
    type: v.literal('public-key'),
    authenticatorAttachment: v.optional(v.nullable(v.string())),
    response: v.object({
      clientDataJSON: Base64urlText,
      authenticatorData: Base64urlText,
      signature: Base64urlText,
      userHandle: v.optional(v.nullable(Base64urlText)),
    }),
  }),
});

const AnswerSchema = v.union([
  v.looseObject({
    verified: v.literal(true),
    authentication_info: v.looseObject({
      credential_id: v.string(),
      new_counter: v.number(),
      credential_device_type: v.string(),
      credential_backed_up: v.boolean(),
      origin: v.string(),
      rp_id: v.string(),
    }),
  }),
  v.looseObject({ verified: v.literal(false) }),
]);

/**
 * Verifies an assertion of a registered passkey: `assertion` is {vrf_data, webauthn_authentication} in the registry's
 * own shapes, as received; further members are dropped. The registry's free view verifies proof, freshness and
 * signature. A lagging node does not know the challenge's block yet, so a refusal stands once every answering node
 * gave it, from a block that does not come before the challenge's.
 *
 * Rejects with NEAR_RPC_FAILED if no node answered or `contractId` has no registry, and with the signal's reason.
 */
export async function verifyAuthentication(
  assertion: unknown,
  expected: AuthenticationExpectation,
): Promise<AuthenticationVerdict> {
  const { rpc, contractId, intentDigest, accountId, rpId, origin, signal } = expected;
  if (!isBase64url(intentDigest) || base64urlnopad.decode(intentDigest).length !== DIGEST_LENGTH) {
    return refused(
      'EXPECTATION_INVALID',
      `Nothing was checked: the expected intentDigest must be ${DIGEST_LENGTH} bytes in base64url without padding.`,
    );
  }
  if (rpId !== undefined && typeof rpId !== 'string') {
    return refused('EXPECTATION_INVALID', 'Nothing was checked: the expected rpId must be text.');
  }
  const parsed = v.safeParse(AssertionSchema, assertion);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return refused('MALFORMED', `Not an assertion: ${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}.`);
  }
  const args = parsed.output;
  const claim = args.vrf_data;
  if (base64urlnopad.encode(Uint8Array.from(claim.intent_digest_32)) !== intentDigest) {
    return refused('INTENT_MISMATCH', 'The assertion approves something else than what is expected.');
  }
  if (accountId !== undefined && claim.user_id !== accountId) {
    return refused('ACCOUNT_MISMATCH', `The assertion is of ${claim.user_id}, expected was ${accountId}.`);
  }
  // The registry compares rpIds case-insensitively.
  if (rpId !== undefined && claim.rp_id.toLowerCase() !== rpId.toLowerCase()) {
    return refused('RP_ID_MISMATCH', `The assertion is for the rpId ${claim.rp_id}, expected was ${rpId}.`);
  }

  const call = [contractId, METHOD, args] as const;
  const result = await viewVerdict(rpc, call, claim.block_height, isVerified, signal);
  const answer = parseReturnedJson(AnswerSchema, METHOD, result);
  if (!answer.verified) {
    const log = result.logs.join('; ').slice(0, MAX_LOG_LENGTH) || 'it gave no reason';
    return refused('NOT_ACCEPTED', `The registry ${contractId} did not accept the assertion: ${log}.`);
  }
  const info = answer.authentication_info;
  const origins = origin === undefined ? [info.origin] : [origin].flat();
  if (!origins.includes(info.origin)) {
    return refused(
      'ORIGIN_MISMATCH',
      `The passkey was asked for at ${info.origin}, expected was ${origins.join(' or ')}.`,
    );
  }
  return {
    verified: true,
    accountId: claim.user_id,
    credentialId: info.credential_id,
    rpId: info.rp_id,
    origin: info.origin,
    challenge: base64urlnopad.encode(Uint8Array.from(claim.vrf_output.slice(0, CHALLENGE_LENGTH))),
    blockHeight: claim.block_height,
    signatureCount: info.new_counter,
    deviceType: info.credential_device_type,
    isBackedUp: info.credential_backed_up,
  };
}

function isVerified({ bytes }: CallResult): boolean {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)).verified === true;
  } catch {
    return false;
  }
}

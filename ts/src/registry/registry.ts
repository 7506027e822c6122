/** The registry contract's views: arguments and answers in the contract's own shapes. */
import { base64urlnopad } from '@scure/base';
import * as v from 'valibot';
import { isBase64url } from '../base64url.js';
import type { ResolvedConfig } from '../config.js';
import { LatchkeyError, REGISTRATION_CHECK_FAILED, VERIFICATION_FAILED } from '../errors/wallet.js';
import type { AccessKeyList, CallResult, FunctionArgs, ListViewOptions } from '../near/index.js';
import type { KnownCredential } from '../webauthn/passkeys.js';
import type { VrfChallenge, WebAuthnAuthentication, WebAuthnRegistration } from '../workers/signer-api.js';
import type { RegistryCapabilities } from './capabilities.js';
import type { RegistryAt } from './registry-at.js';
import { orRegistryError } from './registry-error.js';

type AuthenticatorOptions = ResolvedConfig['authenticatorOptions'];

/** Accepts bytes as the contract writes them, an array of numbers, and as base64url. */
const Bytes = v.union([
  v.pipe(
    v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))),
    v.transform((numbers) => Uint8Array.from(numbers)),
  ),
  v.pipe(
    v.string(),
    v.check(isBase64url),
    v.transform((text) => base64urlnopad.decode(text)),
  ),
]);

/** The latest time that a Date can hold (ECMA-262, section 21.4.1.1). */
const LAST_MILLISECOND = 8.64e15;

/** Milliseconds since 1970, which the registry gives as decimal text. */
const Milliseconds = v.pipe(
  v.union([v.pipe(v.string(), v.digits()), v.number()]),
  v.transform(Number),
  v.integer(),
  v.minValue(0),
  v.maxValue(LAST_MILLISECOND),
);

const StoredAuthenticator = v.looseObject({
  credential_public_key: Bytes,
  // The other registry on testnet may have neither: see other-registry.ts.
  transports: v.nullish(v.array(v.string()), []),
  registered: Milliseconds,
  device_number: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255)),
  near_public_key: v.nullish(v.string(), null),
  expected_rp_id: v.optional(v.string()),
  vrf_public_keys: v.array(Bytes),
});

const CredentialId = v.pipe(v.string(), v.nonEmpty(), v.check(isBase64url));
const Authenticators = v.array(v.tuple([CredentialId, StoredAuthenticator]));
export type RegistryAuthenticator = v.InferOutput<typeof StoredAuthenticator>;
export type RegistryAuthenticators = readonly (readonly [credentialId: string, RegistryAuthenticator])[];

const Verified = v.looseObject({ verified: v.literal(true) });
const VrfSettings = v.looseObject({ max_block_age: v.number() });

/** The vrf_data argument of the contract's methods. */
export function vrfData(challenge: VrfChallenge) {
  const bytes = (text: string): number[] => [...base64urlnopad.decode(text)];
  return {
    vrf_input_data: bytes(challenge.vrfInput),
    vrf_output: bytes(challenge.vrfOutput),
    vrf_proof: bytes(challenge.vrfProof),
    public_key: bytes(challenge.vrfPublicKey),
    user_id: challenge.userId,
    rp_id: challenge.rpId,
    block_height: Number(challenge.blockHeight),
    block_hash: bytes(challenge.blockHash),
    ...(challenge.intentDigest && { intent_digest_32: bytes(challenge.intentDigest) }),
    ...(challenge.sessionPolicyDigest && { session_policy_digest_32: bytes(challenge.sessionPolicyDigest) }),
  };
}

/** The WebAuthn challenge: the first 32 bytes of the VRF output. */
export function webAuthnChallenge(challenge: VrfChallenge): Uint8Array<ArrayBuffer> {
  return new Uint8Array(base64urlnopad.decode(challenge.vrfOutput).subarray(0, 32));
}

/** The registry's verdict on a new passkey. */
export interface RegistrationVerdict {
  /** The arguments of the check; the registration itself sends the same. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly verified: boolean;
  readonly userExists: boolean;
  /** The last line that it logged. */
  readonly reason: string;
}

/** Asks the registry whether it would take the registration. Throws REGISTRATION_CHECK_FAILED for an unreadable answer. */
export async function checkCanRegister(
  context: RegistryAt,
  challenge: VrfChallenge,
  registration: WebAuthnRegistration,
  { userVerification, originPolicy }: AuthenticatorOptions,
  signal: AbortSignal,
): Promise<RegistrationVerdict> {
  const capabilities = await readCapabilities(context);
  const body = {
    vrf_data: vrfData(challenge),
    webauthn_registration: registrationFields(registration),
    authenticator_options: {
      user_verification: userVerification,
      origin_policy: capabilities.originPolicy(originPolicy),
    },
  };
  const answer = await askForVerdict(context, 'check_can_register_user', body, signal);
  const verdict = json(answer) as { verified?: unknown; user_exists?: unknown } | null | undefined;
  const [verified, userExists] = [verdict?.verified, verdict?.user_exists];
  if (typeof verified !== 'boolean' || typeof userExists !== 'boolean') {
    const values = { reason: 'unreadable answer of the registry' };
    throw new LatchkeyError(REGISTRATION_CHECK_FAILED, { values });
  }
  const reason = answer.logs.at(-1) ?? 'the registry did not accept the passkey';
  return { body, verified, userExists, reason };
}

/** The credential's fields by name, so that no other field of the object (a PRF output) is ever sent. */
function registrationFields({
  id,
  rawId,
  type,
  authenticatorAttachment,
  response: { clientDataJSON, attestationObject, transports },
}: WebAuthnRegistration): WebAuthnRegistration {
  return {
    id,
    rawId,
    type,
    ...(authenticatorAttachment !== undefined && { authenticatorAttachment }),
    response: { clientDataJSON, attestationObject, ...(transports !== undefined && { transports }) },
  };
}

/** Throws VERIFICATION_FAILED unless the registry accepts the assertion. */
export async function verifyAuthentication(
  context: RegistryAt,
  challenge: VrfChallenge,
  authentication: WebAuthnAuthentication,
  signal: AbortSignal,
): Promise<void> {
  const args = { vrf_data: vrfData(challenge), webauthn_authentication: authentication };
  const answer = await askForVerdict(context, 'verify_authentication_response', args, signal);
  if (!isVerified(answer)) {
    throw new LatchkeyError(VERIFICATION_FAILED, { details: { logs: answer.logs } });
  }
}

/**
 * Asks for the verdict, which two nodes must agree on where that is configured. Asks again when a node refuses from below the highest block seen: a lagging node does not know the challenge's block
 * yet, and the registry refuses a block of the future.
 */
function askForVerdict(
  at: RegistryAt,
  method: string,
  args: FunctionArgs,
  signal: AbortSignal,
): Promise<CallResult> {
  const view = { finality: 'optimistic', accept: isVerified, agreed: true, signal } as const;
  return orRegistryError(at, at.rpc.callFunction(at.config.contractId, method, args, view));
}

function isVerified(answer: CallResult): boolean {
  return v.is(Verified, json(answer));
}

/** The account's keys, and the block at which they were read. */
export interface KeyList {
  readonly keys: AccessKeyList['keys'];
  readonly height: number;
  /** The block's, base58. */
  readonly hash: string;
}

/** The account's keys; none when there is no such account. Two nodes must agree where that is configured. */
export async function keysOf(
  { rpc }: Pick<RegistryAt, 'rpc'>,
  accountId: string,
  signal?: AbortSignal,
  view: ListViewOptions<AccessKeyList> = {},
): Promise<KeyList> {
  const options = { ...view, agreed: true, signal };
  const { keys, block_height: height, block_hash: hash } = await rpc.viewAccessKeyList(accountId, options);
  return { keys, height, hash };
}

/**
 * The account's authenticators with their credential ids; two nodes must agree where that is configured. A node that
 * lags may not have seen them: an empty list counts from the highest block seen.
 */
export async function authenticatorsOf(
  at: RegistryAt,
  accountId: string,
  signal?: AbortSignal,
  view: ListViewOptions<RegistryAuthenticators> = {},
): Promise<RegistryAuthenticators> {
  const args = { user_id: accountId };
  return orRegistryError(
    at,
    at.rpc.callFunctionJson(Authenticators, at.config.contractId, 'get_authenticators_by_user', args, {
      isNo: (list) => list.length === 0,
      ...view,
      agreed: true,
      signal,
    }),
  );
}

/** The passkeys that an authenticator is to recognise as the account's. */
export function knownCredentials(records: RegistryAuthenticators): KnownCredential[] {
  return records.map(([credentialId, { transports }]) => ({ credentialId, transports }));
}

/** The account's newest device number; 0 for an account that has not joined. */
export async function deviceCounter(
  at: RegistryAt,
  accountId: string,
  signal?: AbortSignal,
  view: ListViewOptions<number> = {},
): Promise<number> {
  const args = { account_id: accountId };
  return orRegistryError(
    at,
    at.rpc.callFunctionJson(v.number(), at.config.contractId, 'get_device_counter', args, {
      isNo: (counter) => counter === 0,
      ...view,
      agreed: true,
      signal,
    }),
  );
}

/** How many blocks old a challenge may be. */
export async function maxBlockAge(at: RegistryAt): Promise<number> {
  const settings = await orRegistryError(
    at,
    at.rpc.callFunctionJson(VrfSettings, at.config.contractId, 'get_vrf_settings', {}, { agreed: true }),
  );
  return settings.max_block_age;
}

/** Learns which registry this is, once: see `capabilities.ts`. */
export async function readCapabilities(at: RegistryAt): Promise<RegistryCapabilities> {
  return (await import('./capabilities.js')).readCapabilities(at);
}

function json({ bytes }: CallResult): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** The shapes of what clients send (interop.md sections 6 and 7). Fields that are not named here are dropped. */
import { base58, base64urlnopad } from '@scure/base';
import * as v from 'valibot';

const isBase58OfKey = (text: string): boolean => {
  if (text.length > 52) return false;
  try {
    return base58.decode(text.slice('ed25519:'.length)).length === 32;
  } catch {
    return false;
  }
};

/** `ed25519:` and base58 of 32 bytes. */
const PublicKeySchema = v.pipe(
  v.string(),
  v.startsWith('ed25519:'),
  v.check(isBase58OfKey, 'must be ed25519: and base58 of 32 bytes'),
);

/** Exactly this many bytes, as an array of numbers or as base64url text; passed on as numbers. */
const bytes = (length: number) => {
  const message = `must be ${length} bytes, as numbers or base64url`;
  const numbers = v.pipe(
    v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))),
    v.length(length),
  );
  const text = v.pipe(
    v.string(),
    v.maxLength(Math.ceil((length * 4) / 3)),
    v.rawTransform(decodeText),
    numbers,
  );
  return v.union([numbers, text], message);
};

function decodeText({
  dataset,
  addIssue,
  NEVER,
}: Parameters<Parameters<typeof v.rawTransform<string, number[]>>[0]>[0]) {
  try {
    return [...base64urlnopad.decode(dataset.value)];
  } catch {
    addIssue({ message: 'not base64url' });
    return NEVER;
  }
}

const Base64urlSchema = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(16_384),
  v.regex(/^[\w-]+$/, 'must be base64url'),
);
const AccountIdSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(64));

const VrfDataSchema = v.object({
  vrf_input_data: bytes(32),
  vrf_output: bytes(64),
  vrf_proof: bytes(80),
  public_key: bytes(32),
  user_id: AccountIdSchema,
  rp_id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
  block_height: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  block_hash: bytes(32),
  intent_digest_32: bytes(32),
  session_policy_digest_32: v.exactOptional(bytes(32)),
});

const WebauthnRegistrationSchema = v.object({
  id: Base64urlSchema,
  rawId: Base64urlSchema,
  type: v.literal('public-key'),
  authenticatorAttachment: v.exactOptional(v.nullable(v.picklist(['platform', 'cross-platform']))),
  response: v.object({
    clientDataJSON: Base64urlSchema,
    attestationObject: Base64urlSchema,
    transports: v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(10))),
  }),
});

const OriginPolicySchema = v.union([
  v.strictObject({ all_subdomains: v.literal(true) }),
  v.strictObject({ single: v.literal(true) }),
  v.strictObject({
    multiple: v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.minLength(1), v.maxLength(50)),
  }),
]);

const AuthenticatorOptionsSchema = v.object({
  user_verification: v.exactOptional(v.picklist(['required', 'preferred', 'discouraged'])),
  origin_policy: v.exactOptional(OriginPolicySchema),
});

export const RegistrationRequestSchema = v.object({
  new_account_id: AccountIdSchema,
  new_public_key: PublicKeySchema,
  device_number: v.exactOptional(v.literal(1)),
  vrf_data: VrfDataSchema,
  webauthn_registration: WebauthnRegistrationSchema,
  deterministic_vrf_public_key: bytes(32),
  authenticator_options: v.exactOptional(AuthenticatorOptionsSchema),
});

export const ApplyLockRequestSchema = v.object({ kek_c_b64u: v.string() });
export const RemoveLockRequestSchema = v.object({
  kek_cs_b64u: v.string(),
  keyId: v.pipe(v.string(), v.nonEmpty()),
});

export type RegistrationRequest = v.InferOutput<typeof RegistrationRequestSchema>;

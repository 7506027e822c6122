/** The shapes of client requests (interop.md sections 6 and 7). Unknown fields are dropped. */
import { base58, base64nopad, base64urlnopad } from '@scure/base';
import { isByteArray, MAX_LENGTH as MAX_ACCOUNT_ID_LENGTH } from 'latchkey/internal/server';
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

/** Bytes as numbers, checked in one go: a body may be full of wrong items, each of which would create an issue. */
const ByteNumbersSchema = v.custom<number[]>(isByteArray, 'must be bytes, as numbers');

/** A list whose items are checked only if there are not too many. */
const list = <S extends v.GenericSchema>(item: S, least: number, most: number) =>
  v.pipe(v.array(v.unknown()), v.minLength(least), v.maxLength(most), v.array(item));

/** Exactly this many bytes, as an array of numbers or base64url text; passed on as numbers. */
const bytes = (length: number) => {
  const message = `must be ${length} bytes, as numbers or base64url`;
  const numbers = v.pipe(ByteNumbersSchema, v.length(length));
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
const MAX_VOUCHER_LENGTH = 4096;
const AccountIdSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_ACCOUNT_ID_LENGTH));

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
    transports: v.exactOptional(list(v.pipe(v.string(), v.maxLength(32)), 0, 10)),
  }),
});

const OriginPolicySchema = v.union([
  v.strictObject({ all_subdomains: v.literal(true) }),
  // As a client spells it for the other registry on testnet; the relay spells it for the one that it calls.
  v.pipe(
    v.strictObject({ allSubdomains: v.literal(true) }),
    v.transform(({ allSubdomains }) => ({ all_subdomains: allSubdomains })),
  ),
  v.strictObject({ single: v.literal(true) }),
  v.strictObject({
    multiple: list(v.pipe(v.string(), v.maxLength(255)), 1, 50),
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

/** What the client adds for the relay alone; the chain does not see it. */
export const SignupSchema = v.object({
  signup_voucher: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_VOUCHER_LENGTH))),
});

export const ApplyLockRequestSchema = v.object({ kek_c_b64u: v.string() });
export const RemoveLockRequestSchema = v.object({
  kek_cs_b64u: v.string(),
  keyId: v.pipe(v.string(), v.nonEmpty()),
});

/** Bytes of any length, as base64 or base64url text, with or without padding, or as numbers. */
const FreeBytesSchema = v.union(
  [
    v.pipe(v.string(), v.nonEmpty(), v.rawTransform(decodeBase64)),
    v.pipe(
      ByteNumbersSchema,
      v.transform((numbers) => Uint8Array.from(numbers)),
    ),
  ],
  'must be borsh bytes, as base64 or numbers',
);

function decodeBase64({
  dataset,
  addIssue,
  NEVER,
}: Parameters<Parameters<typeof v.rawTransform<string, Uint8Array>>[0]>[0]) {
  try {
    return base64nopad.decode(
      dataset.value
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/={1,2}$/, ''),
    );
  } catch {
    addIssue({ message: 'not base64' });
    return NEVER;
  }
}

export const SignedDelegateRequestSchema = v.object({
  /** The delegate's NEP-461 hash, in base58 or base64url. */
  hash: v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)),
  signedDelegate: FreeBytesSchema,
});

export const FundAppKeyRequestSchema = v.object({
  account_id: AccountIdSchema,
  public_key: PublicKeySchema,
  /** yoctoNEAR. */
  amount: v.pipe(v.string(), v.regex(/^[1-9]\d{0,29}$/, 'must be an amount in yoctoNEAR above 0')),
});

export type FundAppKeyRequest = v.InferOutput<typeof FundAppKeyRequestSchema>;
export type SignedDelegateRequest = v.InferOutput<typeof SignedDelegateRequestSchema>;
export type RegistrationRequest = v.InferOutput<typeof RegistrationRequestSchema>;

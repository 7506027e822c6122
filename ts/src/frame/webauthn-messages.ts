/**
 * The window messages for a passkey ceremony that runs outside the wallet's frame: those of the bridge (between the
 * frame and the page around it), and the parts shared with the messages of its own window (`popup-messages.ts`).
 * Results carry PRF outputs, so each message goes to one window and an exact origin, and is accepted from those
 * alone.
 */
import * as v from 'valibot';
import { bytesOf } from '../bytes.js';
import { errorFrom, isErrorCode, LatchkeyError } from '../errors/latchkey-error.js';
import { said } from '../webauthn/forms.js';
import type { AssertedPasskey, CreatedPasskey } from '../webauthn/read-credential.js';

const MAX_TEXT = 4_096;
const MAX_BYTES = 1_024;
/** base64url of an attestation object, the largest there is. */
const MAX_ENCODED = 65_536;
/** Passkeys of one account. */
export const MAX_PASSKEYS = 64;
const PRF_BYTES = 32;

/** Any short text. */
export const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
/** base64url, no padding. */
export const encoded = v.pipe(v.string(), v.regex(/^[\w-]*$/), v.maxLength(MAX_ENCODED));
const bytes = bytesWhere((found) => found.length > 0 && found.length <= MAX_BYTES);
/** `<kind>:<milliseconds>:<random>`. */
export const requestId = v.pipe(
  v.string(),
  v.regex(/^(create|get|confirm|export|scan):\d{1,16}:[\w-]{1,64}$/),
);

/** How an authenticator is reached: `AuthenticatorTransport` names. */
export const transports = v.pipe(v.array(text), v.maxLength(8));

const extensions = v.optional(
  v.strictObject({
    prf: v.strictObject({ eval: v.strictObject({ first: bytes, second: v.optional(bytes) }) }),
    credProps: v.optional(v.literal(true)),
  }),
);
const publicKeyType = v.literal('public-key');
const descriptors = v.optional(
  v.pipe(
    v.array(
      v.strictObject({
        type: publicKeyType,
        id: bytes,
        transports: v.optional(transports),
      }),
    ),
    v.maxLength(MAX_PASSKEYS),
  ),
);
const timeout = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(600_000)));
const userVerification = v.picklist(['required', 'preferred', 'discouraged']);

/** The options that the wallet passes to navigator.credentials.create; no others are passed on. */
export const CreationSchema = v.strictObject({
  rp: v.strictObject({ name: text, id: text }),
  user: v.strictObject({ id: bytes, name: text, displayName: text }),
  challenge: bytes,
  pubKeyCredParams: v.pipe(v.array(v.strictObject({ type: publicKeyType, alg: v.number() })), v.maxLength(8)),
  authenticatorSelection: v.strictObject({
    residentKey: v.literal('required'),
    requireResidentKey: v.literal(true),
    userVerification,
  }),
  excludeCredentials: descriptors,
  attestation: v.literal('none'),
  timeout,
  extensions,
});

/** The same for navigator.credentials.get. */
export const RequestSchema = v.strictObject({
  rpId: text,
  challenge: bytes,
  allowCredentials: descriptors,
  userVerification,
  timeout,
  extensions,
});

const prf = v.variant('kind', [
  v.strictObject({
    kind: v.literal('outputs'),
    outputs: v.strictObject({ first: prfOutput(), second: prfOutput() }),
  }),
  v.strictObject({ kind: v.picklist(['half', 'none']), reason: text }),
]);

function prfOutput() {
  return bytesWhere(({ length, buffer }) => length === PRF_BYTES && buffer.byteLength === PRF_BYTES);
}

/** Bytes of this realm, which are the message's own. */
function bytesWhere(isRight: (bytes: Uint8Array<ArrayBuffer>) => boolean) {
  return v.pipe(
    v.unknown(),
    v.transform(bytesOf),
    v.custom<Uint8Array<ArrayBuffer>>(
      (bytes) => bytes !== undefined && isRight(bytes as Uint8Array<ArrayBuffer>),
    ),
  );
}

const identity = {
  id: encoded,
  rawId: encoded,
  type: publicKeyType,
  authenticatorAttachment: v.exactOptional(text),
};

/** The result of a create(). */
const CreatedSchema = v.strictObject({
  registration: v.strictObject({
    ...identity,
    response: v.strictObject({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: v.exactOptional(transports),
    }),
  }),
  prf,
  isDiscoverable: v.exactOptional(v.boolean()),
});

/** The result of a get(). */
const AssertedSchema = v.strictObject({
  authentication: v.strictObject({
    ...identity,
    response: v.strictObject({
      clientDataJSON: encoded,
      authenticatorData: encoded,
      signature: encoded,
      userHandle: v.exactOptional(encoded),
    }),
  }),
  prf,
});

/** A failure as plain data. */
export const failed = v.strictObject({ name: text, message: text, code: v.exactOptional(text) });
/** The outcome of a ceremony. */
export const ceremonyResult = v.variant('ok', [
  v.strictObject({
    requestId,
    ok: v.literal(true),
    credential: v.union([CreatedSchema, AssertedSchema]),
  }),
  v.strictObject({ requestId, ok: v.literal(false), error: failed }),
]);

/** From the frame to the page around it: run this ceremony. */
export const BridgeRequestSchema = v.variant('type', [
  v.strictObject({
    type: v.literal('WALLET_WEBAUTHN_CREATE'),
    payload: v.strictObject({ requestId, publicKey: CreationSchema }),
  }),
  v.strictObject({
    type: v.literal('WALLET_WEBAUTHN_GET'),
    payload: v.strictObject({ requestId, publicKey: RequestSchema }),
  }),
]);

/** That page's answer. */
export const BridgeResultSchema = v.strictObject({
  type: v.picklist(['WALLET_WEBAUTHN_CREATE_RESULT', 'WALLET_WEBAUTHN_GET_RESULT']),
  payload: ceremonyResult,
});

export type BridgeRequest = v.InferOutput<typeof BridgeRequestSchema>;
export type BridgeResult = v.InferOutput<typeof BridgeResultSchema>;
export type CeremonyResult = v.InferOutput<typeof ceremonyResult>;
export type Ceremony = 'create' | 'get';

export function newRequestId(kind: Ceremony | 'confirm' | 'export' | 'scan'): string {
  return `${kind}:${Date.now()}:${crypto.randomUUID()}`;
}

/** Returns the message if it is from this window, with this origin, and of this schema; else undefined. */
export function readFrom<T>(
  schema: v.GenericSchema<unknown, T>,
  event: MessageEvent<unknown>,
  source: MessageEventSource | null,
  origin: string,
): T | undefined {
  if (source === null || event.source !== source || event.origin !== origin) return undefined;
  const read = v.safeParse(schema, event.data);
  return read.success ? read.output : undefined;
}

/** The error as plain data; an error object loses its name and code on the way. */
export function sentError(error: unknown): v.InferOutput<typeof failed> {
  const { name, message } = said(error);
  const cut = { name: name.slice(0, MAX_TEXT), message: message.slice(0, MAX_TEXT) };
  return error instanceof LatchkeyError ? { ...cut, code: error.code } : cut;
}

/** Returns the credential, or throws the error that was sent. */
export function credentialOf(result: CeremonyResult): CreatedPasskey | AssertedPasskey {
  if (result.ok) return result.credential as CreatedPasskey | AssertedPasskey;
  throw errorOf(result.error);
}

/** Rebuilds the error that was sent: a LatchkeyError, or one as the browser threw it. */
export function errorOf({ name, message, code }: v.InferOutput<typeof failed>): Error {
  return isErrorCode(code) ? errorFrom({ code, message }) : new DOMException(message, name);
}

export function isCreated(credential: CreatedPasskey | AssertedPasskey): credential is CreatedPasskey {
  return 'registration' in credential;
}

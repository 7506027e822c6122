/** The authorization of an account by one of its access keys (NEP-641, "AccessKeyAuthorization"). */
import { base58, hex } from '@scure/base';
import * as v from 'valibot';
import { isWellFormed } from '../borsh.js';
import { isNearAccountId } from '../near/account-id.js';
import {
  type KeyAuthorization,
  nanosecondsOf,
  nep413RecipientOf,
  offchainMessageHash,
} from '../nep641/message.js';
import {
  isSignatureOf,
  isSoundPoint,
  isSoundSignature,
  PUBLIC_KEY_LENGTH,
  SIGNATURE_LENGTH,
} from './ed25519.js';
import { nep413Hash } from './nep413.js';

const CURVES = {
  ed25519: { key: PUBLIC_KEY_LENGTH, signature: SIGNATURE_LENGTH },
  secp256k1: { key: 64, signature: 65 },
} as const;
type Curve = keyof typeof CURVES;
type Part = 'key' | 'signature';

interface OfCurve {
  readonly curve: Curve;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A key authorization that was read. */
export interface ReadKeyAuthorization extends KeyAuthorization {
  /** Nanoseconds since 1970. */
  readonly signedAt: bigint;
  readonly key: OfCurve;
  readonly madeSignature: OfCurve;
}

const Text = v.pipe(v.string(), v.check(isWellFormed));
const AccountId = v.pipe(v.string(), v.check(isNearAccountId));

/** Strict at the top alone, as the NEP asks: a contract's own form of an authorization must not pass for a key's. */
const KeyAuthorizationSchema = v.strictObject({
  msg: v.object({
    chain_id: Text,
    signer_id: AccountId,
    path: v.optional(v.array(AccountId), []),
    timestamp: v.string(),
    payload: Text,
  }),
  via: v.object({
    schema: v.literal('nep413'),
    extra: v.object({ callback_url: v.optional(v.nullable(Text)) }),
  }),
  access_key: v.string(),
  signature: v.string(),
});

/** Undefined where the text is no key authorization, so that it may be a contract's. */
export function readKeyAuthorization(text: string): ReadKeyAuthorization | undefined {
  const { success, output } = v.safeParse(KeyAuthorizationSchema, parsed(text));
  if (!success) return undefined;
  const { msg, via, access_key, signature } = output;
  const signedAt = nanosecondsOf(msg.timestamp);
  const key = ofCurve(access_key, 'key');
  const madeSignature = ofCurve(signature, 'signature');
  if (signedAt === undefined || !key || !madeSignature) return undefined;
  const { callback_url } = via.extra;
  const extra = callback_url == null ? {} : { callback_url };
  return { msg, via: { schema: 'nep413', extra }, access_key, signature, signedAt, key, madeSignature };
}

/** Whether the key made the signature of the message, by NEP-413. */
export async function isSignedByItsKey({
  msg,
  via,
  key,
  madeSignature,
}: ReadKeyAuthorization): Promise<boolean> {
  if (key.curve !== madeSignature.curve) return false;
  const hash = await nep413Hash({
    message: msg.payload,
    nonce: offchainMessageHash(msg),
    recipient: nep413RecipientOf(msg),
    callbackUrl: via.extra.callback_url,
  });
  if (key.curve === 'secp256k1') {
    const { isSecp256k1SignatureOf } = await import('./secp256k1.js');
    return isSecp256k1SignatureOf(key.bytes, madeSignature.bytes, hash);
  }
  const isSound = isSoundPoint(key.bytes) && isSoundSignature(madeSignature.bytes);
  return isSound && (await isSignatureOf(key.bytes, madeSignature.bytes, hash));
}

/** The account that anyone can make for a key by a transfer, and that this key alone controls then. */
export async function implicitAccountIdOf({ curve, bytes }: OfCurve): Promise<string> {
  if (curve === 'ed25519') return hex.encode(bytes);
  return (await import('./secp256k1.js')).ethImplicitAccountId(bytes);
}

/** Undefined unless it is the curve's name, a colon and the canonical base58 of as many bytes as the curve's part has. */
function ofCurve(text: string, part: Part): OfCurve | undefined {
  const colon = text.indexOf(':');
  const curve = text.slice(0, colon);
  if (curve !== 'ed25519' && curve !== 'secp256k1') return undefined;
  const length = CURVES[curve][part];
  const encoded = text.slice(colon + 1);
  // Base58 takes 1.37 characters a byte, and the time of decoding grows with the square of the length.
  if (encoded.length > length * 1.4) return undefined;
  try {
    const bytes = Uint8Array.from(base58.decode(encoded));
    return bytes.length === length ? { curve, bytes } : undefined;
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

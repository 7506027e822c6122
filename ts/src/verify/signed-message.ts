/**
 * Verifies a signed message (NEP-413): the signature covers the expected payload, and the key may speak for the
 * account.
 */
import { base58, base64 } from '@scure/base';
import * as v from 'valibot';
import { isWellFormed } from '../borsh.js';
import { bytesOf } from '../bytes.js';
import { isNearAccountId } from '../near/account-id.js';
import { isIdOf } from '../near/id-of-key.js';
import type { AccessKeyView, RpcClient } from '../near/index.js';
import {
  isSignatureOf,
  isSoundPoint,
  isSoundSignature,
  PUBLIC_KEY_LENGTH,
  SIGNATURE_LENGTH,
} from './ed25519.js';
import { type Nep413Payload, NONCE_LENGTH, nep413Hash } from './nep413.js';
import { refused, type Verdict } from './verdict.js';

/** What the backend knows of the message that it requested. */
export interface SignedMessageExpectation {
  /** Asks the chain that the account lives on. */
  readonly rpc: Pick<RpcClient, 'viewAccessKey' | 'viewAccount'>;
  /** The whole text. */
  readonly message: string;
  /** The 32 bytes that this backend issued. The backend must accept them only once. */
  readonly nonce: Uint8Array;
  /** This backend's own name, never one from the request. */
  readonly recipient: string;
  /** The return address given to the wallet, for wallets that sign it. */
  readonly callbackUrl?: string | null | undefined;
  /** The only accepted account; any if absent. */
  readonly accountId?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * - `EXPECTATION_INVALID`: the backend's expectation cannot be signed (its nonce is not 32 bytes, for example).
 * - `MALFORMED`: not an object with the texts `accountId`, `publicKey` and `signature`.
 * - `ACCOUNT_ID_INVALID`: not a NEAR account id.
 * - `ACCOUNT_MISMATCH`: not the expected account.
 * - `PUBLIC_KEY_INVALID`: not `ed25519:` and base58 of 32 bytes, or a key for which anyone can sign.
 * - `SIGNATURE_MALFORMED`: not canonical base64 of 64 bytes, or not a signature's one canonical form.
 * - `SIGNATURE_INVALID`: not this key's signature of this message, nonce, recipient and callback URL.
 * - `KEY_NOT_FOUND`: the account has no such key, or does not exist.
 * - `KEY_NOT_FULL_ACCESS`: a function-call key, which by NEP-413 may not speak for its account.
 */
export type SignedMessageRefusal =
  | 'EXPECTATION_INVALID'
  | 'MALFORMED'
  | 'ACCOUNT_ID_INVALID'
  | 'ACCOUNT_MISMATCH'
  | 'PUBLIC_KEY_INVALID'
  | 'SIGNATURE_MALFORMED'
  | 'SIGNATURE_INVALID'
  | 'KEY_NOT_FOUND'
  | 'KEY_NOT_FULL_ACCESS';

export type SignedMessageVerdict = Verdict<
  {
    accountId: string;
    /** `ed25519:` and base58. */
    publicKey: string;
  },
  SignedMessageRefusal
>;

const SignedMessageSchema = v.looseObject({
  accountId: v.string(),
  publicKey: v.string(),
  signature: v.string(),
});

const KEY_PREFIX = 'ed25519:';
const SIGNATURE_TEXT_LENGTH = 88;

/**
 * Verifies a wallet's answer to a signing request: `signed` is NEP-413's SignedMessage {accountId, publicKey,
 * signature}, as received; further members are ignored. Builds the payload only from the expectation, and asks the
 * chain (last final block) once the signature holds.
 *
 * Rejects with NEAR_RPC_FAILED if no node answered, and with the signal's reason.
 */
export async function verifySignedMessage(
  signed: unknown,
  expected: SignedMessageExpectation,
): Promise<SignedMessageVerdict> {
  const problem = problemOf(expected);
  if (problem) return refused('EXPECTATION_INVALID', `Nothing was checked: ${problem}.`);
  const parsed = v.safeParse(SignedMessageSchema, signed);
  if (!parsed.success) {
    const at = v.getDotPath(parsed.issues[0]);
    const what = at === null ? 'it is not an object' : `${at} is not text`;
    return refused('MALFORMED', `Not a signed message with accountId, publicKey and signature: ${what}.`);
  }
  const { accountId, publicKey, signature } = parsed.output;
  if (!isNearAccountId(accountId)) {
    return refused('ACCOUNT_ID_INVALID', 'accountId is not a NEAR account id.');
  }
  if (expected.accountId != null && accountId !== expected.accountId) {
    return refused(
      'ACCOUNT_MISMATCH',
      `The message is signed for ${accountId}, expected was ${expected.accountId}.`,
    );
  }
  const keyBytes = readPublicKey(publicKey);
  if (!keyBytes) {
    return refused(
      'PUBLIC_KEY_INVALID',
      'publicKey is not "ed25519:" and base58 of the 32 bytes of a sound key.',
    );
  }
  const signatureBytes = readSignature(signature);
  if (!signatureBytes) {
    return refused(
      'SIGNATURE_MALFORMED',
      'signature is not the base64 of the 64 bytes of a sound signature.',
    );
  }
  if (!(await isSignatureOf(keyBytes, signatureBytes, await nep413Hash(payloadOf(expected))))) {
    return refused(
      'SIGNATURE_INVALID',
      `${publicKey} did not sign the expected message for ${expected.recipient} with the expected nonce and callback URL.`,
    );
  }

  const key = await accessKeyOf(accountId, publicKey, expected);
  if (!key && !(await isStillOfKey(accountId, publicKey, expected)))
    return refused('KEY_NOT_FOUND', `${accountId} has no access key ${publicKey}, or does not exist.`);
  if (key && key.permission !== 'FullAccess') {
    return refused('KEY_NOT_FULL_ACCESS', `${publicKey} is not a full-access key of ${accountId}.`);
  }
  return { verified: true, accountId, publicKey };
}

/** Checks the expectation: it may contain client input, and an untyped caller may omit parts. */
function problemOf({
  message,
  nonce,
  recipient,
  callbackUrl,
  accountId,
}: SignedMessageExpectation): string | undefined {
  if (!isText(message)) return 'the expected message must be well-formed text';
  if (bytesOf(nonce)?.length !== NONCE_LENGTH) {
    return `the expected nonce must be ${NONCE_LENGTH} bytes`;
  }
  if (!isText(recipient) || recipient === '')
    return 'the expected recipient must be well-formed text, and not empty';
  if (callbackUrl != null && !isText(callbackUrl)) return 'the expected callbackUrl must be well-formed text';
  if (accountId != null && !(isText(accountId) && isNearAccountId(accountId))) {
    return 'the expected accountId must be a NEAR account id';
  }
  return undefined;
}

/** The payload that the wallet signs. A null callbackUrl, as JSON and other clients write it, means absent. */
function payloadOf({ message, nonce, recipient, callbackUrl }: SignedMessageExpectation): Nep413Payload {
  const bytes = bytesOf(nonce) ?? nonce;
  return { message, nonce: bytes, recipient, callbackUrl: callbackUrl ?? undefined };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isWellFormed(value);
}

/** The 32 bytes of a key in canonical text form; undefined for anything else. */
function readPublicKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!text.startsWith(KEY_PREFIX)) return undefined;
  const bytes = decoded(base58, text.slice(KEY_PREFIX.length));
  return bytes?.length === PUBLIC_KEY_LENGTH && isSoundPoint(bytes) ? bytes : undefined;
}

function readSignature(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length !== SIGNATURE_TEXT_LENGTH) return undefined;
  const bytes = decoded(base64, text);
  return bytes?.length === SIGNATURE_LENGTH && isSoundSignature(bytes) ? bytes : undefined;
}

/** The bytes of a text, if it is their canonical encoding. */
function decoded(
  coder: { encode(bytes: Uint8Array): string; decode(text: string): Uint8Array },
  text: string,
): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(coder.decode(text));
    return coder.encode(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** The key at the last final block. Null if the node reports the key or the account as unknown. */
async function accessKeyOf(
  accountId: string,
  publicKey: string,
  { rpc, signal }: SignedMessageExpectation,
): Promise<AccessKeyView | null> {
  return rpc.viewAccessKey(accountId, publicKey, { finality: 'final', agreed: true, signal });
}

/**
 * Whether the id is the key's own and nobody has made the account yet, so that this key alone will control it. One that exists
 * may have removed its first key.
 */
async function isStillOfKey(
  accountId: string,
  publicKey: string,
  { rpc, signal }: SignedMessageExpectation,
): Promise<boolean> {
  if (!isIdOf(accountId, publicKey)) return false;
  return (await rpc.viewAccount(accountId, { finality: 'final', agreed: true, signal })) === null;
}

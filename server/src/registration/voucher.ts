/**
 * Vouchers: the app's server signs that one account may be registered at the relay's expense, or that the relay may pay into an
 * app key of that account; once and soon.
 *
 * `v1.<payload>.<signature>`, each part base64url without padding. The payload is JSON: `account` (the full account id),
 * `expires` (seconds since 1970), `id` (16 random bytes, base64url) and, for an app key alone, `prepaid` (yoctoNEAR, decimal). The
 * signature is Ed25519 (RFC 8032) over `latchkey-signup-voucher:v1.<payload>`.
 */
import { base58, base64urlnopad } from '@scure/base';
import { isSignatureOf, isSoundPoint, isSoundSignature, readNear, writeNear } from 'latchkey/internal/server';
import * as v from 'valibot';
import type { Secret } from '../platform/secret.js';
import type { SignupVerdict, VerifySignup } from './signup.js';
import { KEPT_LONGER_MS, type SingleUse } from './single-use.js';

/** 32 bytes. */
export type VoucherPublicKey = Uint8Array<ArrayBuffer>;

export interface VoucherKeyPair {
  /** `ed25519:` and base58 of seed32 || pub32, for the app's server. */
  readonly privateKey: string;
  /** `ed25519:` and base58 of 32 bytes, for the relay's `SIGNUP_VOUCHER_KEY`. */
  readonly publicKey: string;
}

export interface IssueVoucherOptions {
  /** `ed25519:` and base58 of seed32 || pub32. */
  readonly privateKey: string;
  /**
   * The account that the voucher pays for, such as `alice.w3a-v1.testnet`. Null: one account of any name, where the user
   * chooses it in the wallet (`connect`).
   */
  readonly accountId: string | null;
  /**
   * The most that the relay may pay into an app key of this account, in NEAR as a decimal text (`'0.1'`): what `addAppKey` names
   * as `prepaid`. Such a voucher registers no account. Absent: the voucher pays for the registration.
   */
  readonly prepaid?: string | undefined;
  /** Default 900, at most 86400. */
  readonly validForSeconds?: number | undefined;
}

const VERSION = 'v1';
const DOMAIN = 'latchkey-signup-voucher:';
const DEFAULT_SECONDS = 900;
const MAX_SECONDS = 86_400;
/** How far the clocks of relay and app may differ. */
const CLOCK_SKEW_SECONDS = 60;
const KEY_PREFIX = 'ed25519:';
/** PKCS #8 of an Ed25519 seed (RFC 8410, section 7), up to the seed. */
const PKCS8_START = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);

const PayloadSchema = v.strictObject({
  account: v.nullable(v.string()),
  expires: v.pipe(v.number(), v.safeInteger()),
  id: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)),
  prepaid: v.exactOptional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,38}$/))),
});
type Payload = v.InferOutput<typeof PayloadSchema>;

/** What a client asks the relay to pay into. */
export interface FundAsked {
  readonly accountId: string;
  readonly amountYocto: bigint;
  readonly voucher: Secret | undefined;
}

export type FundVerdict =
  | { readonly ok: true; readonly once: SingleUse }
  | { readonly ok: false; readonly reason: string };

/**
 * Issues a voucher: the app's server calls this for a user that it knows, and the app passes it to `registerPasskey` or
 * `connect`; one with `prepaid` to `addAppKey`.
 */
export async function issueSignupVoucher({
  privateKey,
  accountId,
  prepaid,
  validForSeconds = DEFAULT_SECONDS,
}: IssueVoucherOptions): Promise<string> {
  const prepaidYocto = prepaid === undefined ? undefined : readNear(prepaid);
  if (prepaidYocto === null || prepaidYocto === 0n)
    throw new RangeError("prepaid must be above 0, in NEAR as a decimal text such as '0.1'");
  if (prepaidYocto !== undefined && accountId === null)
    throw new TypeError('a voucher with prepaid must name its account');
  if (!(validForSeconds >= 1 && validForSeconds <= MAX_SECONDS)) {
    throw new RangeError(`validForSeconds must be from 1 to ${MAX_SECONDS}`);
  }
  const payload = {
    account: accountId,
    expires: Math.floor(Date.now() / 1000 + validForSeconds),
    id: base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(16))),
    ...(prepaidYocto !== undefined && { prepaid: String(prepaidYocto) }),
  };
  const signed = `${VERSION}.${base64urlnopad.encode(utf8(JSON.stringify(payload)))}`;
  const key = await importPrivateKey(privateKey);
  const signature = await crypto.subtle.sign('Ed25519', key, utf8(DOMAIN + signed));
  return `${signed}.${base64urlnopad.encode(new Uint8Array(signature))}`;
}

/** A new pair of keys for vouchers. */
export async function makeVoucherKeyPair(): Promise<VoucherKeyPair> {
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const key = await crypto.subtle.importKey('pkcs8', pkcs8(seed), 'Ed25519', true, ['sign']);
  const { x = '' } = await crypto.subtle.exportKey('jwk', key);
  const publicBytes = base64urlnopad.decode(x);
  return {
    privateKey: KEY_PREFIX + base58.encode(Uint8Array.from([...seed, ...publicBytes])),
    publicKey: KEY_PREFIX + base58.encode(publicBytes),
  };
}

/** Accepts an unexpired voucher for the account that asks, signed by one of the keys, once. */
export function verifyVouchers(publicKeys: readonly VoucherPublicKey[]): VerifySignup {
  return judgeVouchers(publicKeys, 0);
}

/**
 * The same before anything else is known, for {@link SignupGateOptions.screen}: takes a voucher that has just expired
 * too, because the registration that it paid for may be on the chain.
 */
export function screenVouchers(publicKeys: readonly VoucherPublicKey[]): VerifySignup {
  return judgeVouchers(publicKeys, KEPT_LONGER_MS / 1000);
}

function judgeVouchers(publicKeys: readonly VoucherPublicKey[], lateSeconds: number): VerifySignup {
  return async ({ accountId, voucher }) => {
    if (!voucher)
      return refused('This relay registers only with a voucher of the app. Start again from the app.');
    const payload = await readVoucher(voucher.reveal(), publicKeys);
    if (typeof payload?.prepaid === 'string')
      return refused('This voucher is for an app key, and registers no account. Start again from the app.');
    return verdictOn(payload, accountId, lateSeconds);
  };
}

/**
 * Accepts an unexpired voucher that pays at least this amount into an app key of the account, once. A `late` one has just
 * expired: its payment may be on the chain.
 */
export async function judgeFundVoucher(
  publicKeys: readonly VoucherPublicKey[],
  { accountId, amountYocto, voucher }: FundAsked,
  late: boolean,
): Promise<FundVerdict> {
  if (!voucher)
    return refused('This relay pays into app keys only with a voucher of the app. Start again from the app.');
  const payload = await readVoucher(voucher.reveal(), publicKeys);
  const verdict = verdictOn(payload, accountId, late ? KEPT_LONGER_MS / 1000 : 0);
  if (!verdict.ok) return verdict;
  if (payload?.prepaid === undefined || payload.account === null)
    return refused('This voucher is not for an app key. Start again from the app.');
  if (BigInt(payload.prepaid) < amountYocto) {
    return refused(
      `This voucher pays ${writeNear(BigInt(payload.prepaid))} NEAR into an app key at most. Start again from the app.`,
    );
  }
  return verdict;
}

function verdictOn(payload: Payload | null, accountId: string, lateSeconds: number): FundVerdict {
  if (!payload)
    return refused('This is not a voucher of an app that this relay knows. Start again from the app.');
  if (payload.account !== null && payload.account !== accountId) {
    return refused('This voucher is for another account. Start again from the app.');
  }
  const now = Date.now() / 1000;
  if (payload.expires + lateSeconds < now)
    return refused('This voucher has expired. Start again from the app.');
  if (payload.expires > now + MAX_SECONDS + CLOCK_SKEW_SECONDS) {
    return refused('This voucher is valid for more than a day. The app must issue a shorter one.');
  }
  return { ok: true, once: { id: payload.id, expiresAtMs: payload.expires * 1000 } };
}

/** Reads the `ed25519:` form of a public key. Throws if it is none. */
export function readVoucherKey(text: string): VoucherPublicKey {
  const bytes = decodeKey(text, 32);
  if (!bytes || !isSoundPoint(bytes)) throw new Error('must be ed25519: and base58 of 32 bytes');
  return bytes;
}

function refused(reason: string): SignupVerdict & FundVerdict {
  return { ok: false, reason };
}

/** The payload if one of the keys signed it; null for anything else. */
async function readVoucher(text: string, publicKeys: readonly VoucherPublicKey[]): Promise<Payload | null> {
  const [version, payload = '', signature = '', ...rest] = text.split('.');
  if (version !== VERSION || rest.length > 0) return null;
  try {
    const bytes = new Uint8Array(base64urlnopad.decode(signature));
    if (bytes.length !== 64 || !isSoundSignature(bytes)) return null;
    const signed = utf8(`${DOMAIN}${version}.${payload}`);
    const verdicts = await Promise.all(publicKeys.map((key) => isSignatureOf(key, bytes, signed)));
    if (!verdicts.includes(true)) return null;
    const parsed = JSON.parse(new TextDecoder().decode(base64urlnopad.decode(payload)));
    return v.parse(PayloadSchema, parsed);
  } catch (error) {
    // The text is not base64url or not JSON. A failing engine is no verdict on the voucher.
    if (error instanceof DOMException) throw error;
    return null;
  }
}

async function importPrivateKey(text: string): Promise<CryptoKey> {
  const bytes = decodeKey(text, 64);
  if (!bytes) throw new TypeError('privateKey must be ed25519: and base58 of 64 bytes');
  return crypto.subtle.importKey('pkcs8', pkcs8(bytes.subarray(0, 32)), 'Ed25519', false, ['sign']);
}

function pkcs8(seed: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...PKCS8_START, ...seed]);
}

function decodeKey(text: string, length: number): Uint8Array<ArrayBuffer> | null {
  if (!text.startsWith(KEY_PREFIX) || text.length > 100) return null;
  try {
    const bytes = new Uint8Array(base58.decode(text.slice(KEY_PREFIX.length)));
    return bytes.length === length ? bytes : null;
  } catch {
    return null;
  }
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

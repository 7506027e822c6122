/**
 * The signature of an assertion against a COSE key (RFC 9053; W3C WebAuthn Level 3, section 6.5.5), by Web Crypto.
 */
import { base64urlnopad } from '@scure/base';
import type { WebAuthnAuthentication } from '../workers/signer-api.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** COSE labels (RFC 9052, section 7.1; RFC 9053, section 7; RFC 8230, section 4). */
const KTY = 1;
const ALG = 3;
const CRV = -1;
const X = -2;
const Y = -3;
const RSA_N = -1;
const RSA_E = -2;

const ES256 = -7;
const COORDINATE_LENGTH = 32;
const RSA_MIN_BITS = 2048;
const RSA_MAX_BITS = 4096;
const RSA_MAX_EXPONENT_LENGTH = 4;

/** Whether this key signed the assertion. False for any key but ES256, RS256 and EdDSA. */
export async function isSignedBy(
  { response }: WebAuthnAuthentication,
  coseKey: Uint8Array,
): Promise<boolean> {
  try {
    const fields = readCoseKey(coseKey);
    const signature = decode(response.signature);
    const signed = await signedBytes(response);
    const { jwk, algorithm } = webCryptoKey(fields);
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
    const raw = fields.get(ALG) === ES256 ? rawEcdsa(signature) : signature;
    return await crypto.subtle.verify(algorithm, key, raw, signed);
  } catch (error) {
    // The key or signature is malformed, or this browser cannot verify its kind.
    if (error instanceof Malformed || error instanceof DOMException) return false;
    throw error;
  }
}

/** What an assertion signs: its authenticator data and the hash of its client data (Level 3, section 7.2). */
export async function signedBytes(response: WebAuthnAuthentication['response']): Promise<Bytes> {
  const clientDataHash = await crypto.subtle.digest('SHA-256', decode(response.clientDataJSON));
  return Uint8Array.of(...decode(response.authenticatorData), ...new Uint8Array(clientDataHash));
}

/** An ECDSA signature as r || s, 32 bytes each; undefined for a signature of another kind. */
export function ecdsaSignature({ signature }: WebAuthnAuthentication['response']): Bytes | undefined {
  try {
    return rawEcdsa(decode(signature));
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** Whether two COSE keys are one key, in whatever order their entries come. */
export function isSameKey(one: Uint8Array, other: Uint8Array): boolean {
  if (base64urlnopad.encode(one) === base64urlnopad.encode(other)) return true;
  try {
    const [a, b] = [one, other].map((coseKey) => JSON.stringify(webCryptoKey(readCoseKey(coseKey))));
    return a === b;
  } catch {
    return false;
  }
}

class Malformed extends Error {}

const hash = 'SHA-256';

/** The key and its algorithm in Web Crypto's names. Accepts only maps with exactly the entries of their kind. */
function webCryptoKey(fields: CoseKey) {
  const bytes = (label: number) => base64urlnopad.encode(bytesOf(fields, label));
  const coordinate = (label: number) => {
    // Some Web Crypto engines accept a longer or shorter form.
    if (bytesOf(fields, label).length !== COORDINATE_LENGTH)
      throw new Malformed('a coordinate of another size');
    return bytes(label);
  };
  const kind = [KTY, ALG, CRV]
    .map((label) => fields.get(label))
    .map((value) => (typeof value === 'number' ? value : 'bytes'));
  switch (`${kind.join()}, ${fields.size} entries`) {
    case '2,-7,1, 5 entries':
      return {
        jwk: { kty: 'EC', crv: 'P-256', x: coordinate(X), y: coordinate(Y) },
        algorithm: { name: 'ECDSA', namedCurve: 'P-256', hash },
      };
    case '3,-257,bytes, 4 entries':
      checkRsaKey(bytesOf(fields, RSA_N), bytesOf(fields, RSA_E));
      return {
        jwk: { kty: 'RSA', n: bytes(RSA_N), e: bytes(RSA_E) },
        algorithm: { name: 'RSASSA-PKCS1-v1_5', hash },
      };
    case '1,-8,6, 4 entries':
      return {
        jwk: { kty: 'OKP', crv: 'Ed25519', x: coordinate(X) },
        algorithm: { name: 'Ed25519' },
      };
    default:
      throw new Malformed('a key of another kind');
  }
}

/** Throws unless both are in their shortest form, of the sizes that the registry accepts. */
function checkRsaKey([n = 0, ...nRest]: Bytes, [e = 0, ...eRest]: Bytes): void {
  const bits = 8 * nRest.length + 32 - Math.clz32(n);
  if (n === 0 || bits < RSA_MIN_BITS || bits > RSA_MAX_BITS) throw new Malformed('a modulus of another size');
  if (e === 0 || eRest.length >= RSA_MAX_EXPONENT_LENGTH) throw new Malformed('an exponent of another size');
}

/** These keys have small integers as labels, and integers or byte strings as values. */
type CoseKey = ReadonlyMap<number | Bytes, number | Bytes>;

/** Reads one canonical CBOR map of a COSE key and rejects trailing bytes. */
function readCoseKey(cbor: Uint8Array): CoseKey {
  const view = new DataView(cbor.buffer, cbor.byteOffset, cbor.byteLength);
  let offset = 0;
  const take = (length: number): number => {
    const start = offset;
    offset += length;
    if (offset > cbor.length) throw new Malformed('cut short');
    return start;
  };
  const head = (): { major: number; value: number } => {
    const first = view.getUint8(take(1));
    const [major, short] = [first >> 5, first & 31];
    if (short < 24) return { major, value: short };
    const value = short === 24 ? view.getUint8(take(1)) : short === 25 ? view.getUint16(take(2)) : -1;
    if (value < (short === 24 ? 24 : 256))
      throw new Malformed('a number not in its shortest form, or too large');
    return { major, value };
  };
  const item = (): number | Bytes => {
    const { major, value } = head();
    if (major === 0) return value;
    if (major === 1) return -1 - value;
    if (major !== 2) throw new Malformed('neither a number nor bytes');
    const start = take(value);
    return cbor.slice(start, start + value);
  };

  const { major, value: entries } = head();
  if (major !== 5) throw new Malformed('no map');
  const fields = new Map<number | Bytes, number | Bytes>();
  for (let entry = 0; entry < entries; entry += 1) {
    const label = item();
    if (fields.has(label)) throw new Malformed('a label twice');
    fields.set(label, item());
  }
  if (offset !== cbor.length) throw new Malformed('more than a key');
  return fields;
}

function bytesOf(fields: CoseKey, label: number): Bytes {
  const value = fields.get(label);
  if (typeof value !== 'object') throw new Malformed('a part is missing');
  return value;
}

/** Converts ASN.1 DER (X.690) to r || s, 32 bytes each, as Web Crypto expects. */
function rawEcdsa(der: Bytes): Bytes {
  const raw = new Uint8Array(2 * COORDINATE_LENGTH);
  let offset = 2;
  if (der[0] !== 0x30 || der[1] !== der.length - 2) throw new Malformed('no DER sequence');
  for (const end of [COORDINATE_LENGTH, 2 * COORDINATE_LENGTH]) {
    const length = der[offset + 1] ?? 0;
    const integer = der.subarray(offset + 2, offset + 2 + length);
    const [first = 0, second = 0] = integer;
    // A zero byte comes first exactly if the number would be negative without it.
    const hasSignByte = first === 0 && second >= 0x80;
    if (der[offset] !== 0x02 || !(hasSignByte || (first > 0 && first < 0x80)))
      throw new Malformed('no positive DER integer');
    const digits = integer.subarray(hasSignByte ? 1 : 0);
    if (digits.length > COORDINATE_LENGTH) throw new Malformed('a number too large');
    raw.set(digits, end - digits.length);
    offset += 2 + length;
  }
  if (offset !== der.length) throw new Malformed('more than two integers');
  return raw;
}

function decode(text: string): Bytes {
  return new Uint8Array(base64urlnopad.decode(text));
}

/**
 * Ed25519 (RFC 8032) by WebCrypto, plus the checks that engines omit: those of `verify_strict` in ed25519-dalek,
 * which the chain uses, and canonical points.
 *
 * For a low-order key, anyone can make a signature, even one that holds for many messages. An unreduced scalar or a
 * non-canonical point gives one signature several forms.
 */

export const PUBLIC_KEY_LENGTH = 32;
export const SIGNATURE_LENGTH = 64;

/** The prime of the field (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n;
/** The order of the base point. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const WITHOUT_SIGN = 2n ** 255n - 1n;

/** One of the two y coordinates of the points of order 8; the other is its negative. */
const Y_OF_ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
/** The y coordinates of the eight points of low order. */
const LOW_ORDER_Y: ReadonlySet<bigint> = new Set([1n, P - 1n, 0n, Y_OF_ORDER_8, P - Y_OF_ORDER_8]);

/**
 * Whether 32 bytes may stand for a key or for a signature's R: y below the prime, and not of low order. Checking the
 * signature reveals whether they are a point of the curve.
 */
export function isSoundPoint(bytes: Uint8Array): boolean {
  const y = littleEndian(bytes) & WITHOUT_SIGN;
  return y < P && !LOW_ORDER_Y.has(y);
}

/** The constant of the curve (RFC 8032, section 5.1): -121665/121666. */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** Whether a sound point of 32 bytes lies on the curve: (y² - 1) / (d y² + 1) has a root, so that it has an x. */
export function isOnCurve(bytes: Uint8Array): boolean {
  const square = (littleEndian(bytes) & WITHOUT_SIGN) ** 2n % P;
  // A quotient is a square if the product is (Euler's criterion); the product is 0 only for low-order points.
  const product = ((square - 1n) * (D * square + 1n)) % P;
  return power((product + P) % P, (P - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let factor = base, bits = exponent; bits > 0n; bits >>= 1n, factor = factor ** 2n % P) {
    if (bits & 1n) result = (result * factor) % P;
  }
  return result;
}

/** Whether the 64 bytes are R, a sound point, and S below the order, which leaves one form per signature. */
export function isSoundSignature(signature: Uint8Array): boolean {
  return isSoundPoint(signature.subarray(0, 32)) && littleEndian(signature.subarray(32)) < L;
}

/**
 * Whether the key (32 bytes, a sound point) made the signature (64 bytes, sound) over `data`. Throws if the engine
 * lacks Ed25519.
 */
export async function isSignatureOf(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await importKey(publicKey);
  return key !== null && (await crypto.subtle.verify('Ed25519', key, signature, data));
}

/** Null if the engine already rejects the bytes as not on the curve. */
async function importKey(publicKey: Uint8Array<ArrayBuffer>): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataError') return null;
    throw error;
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

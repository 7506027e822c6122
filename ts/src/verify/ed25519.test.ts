// Compares with a model written with the points of @noble/ed25519, which shares no code with any engine's WebCrypto.
import { readFileSync } from 'node:fs';
import { getPublicKeyAsync, hashes, Point, signAsync, verifyAsync } from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSignatureOf, isSoundPoint, isSoundSignature } from './ed25519.js';

const { p: P, n: L } = Point.CURVE();
const vectors: { seed: string; publicKey: string; message: string; signature: string }[] = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/ed25519.json', import.meta.url), 'utf8'),
).cases;

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (raw: Uint8Array) => Buffer.from(raw).toString('hex');
const number = (raw: Uint8Array) => BigInt(`0x${hexOf(Uint8Array.from(raw).reverse())}`);
const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

function littleEndian(value: bigint): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: 32 }, (_, index) => Number((value >> BigInt(8 * index)) & 255n));
}

/** The eight points of low order: multiples of one of order 8, found by clearing the large factor of any point. */
const torsion = (() => {
  for (let y = 2n; ; y += 1n) {
    try {
      const point = Point.fromBytes(littleEndian(y));
      const small = point.multiplyUnsafe(L - 1n).add(point);
      if (small.double().double().is0()) continue;
      return Array.from({ length: 8 }, (_, times) =>
        Array.from({ length: times }).reduce<Point>((sum) => sum.add(small), Point.ZERO),
      );
    } catch {
      // No point has this y.
    }
  }
})();

/** Every encoding of them that a lenient decoder accepts: y plus the prime where that fits, and the sign of zero. */
const lowOrderEncodings = [
  ...new Set(
    torsion.flatMap((point) => {
      const y = number(point.toBytes()) & (2n ** 255n - 1n);
      return [y, y + P]
        .filter((form) => form < 2n ** 255n)
        .flatMap((form) => [form, form + 2n ** 255n])
        .map((form) => hexOf(littleEndian(form)));
    }),
  ),
];

async function isAccepted(key: Uint8Array, signature: Uint8Array, data: Uint8Array): Promise<boolean> {
  const [own, sig] = [Uint8Array.from(key), Uint8Array.from(signature)];
  return isSoundPoint(own) && isSoundSignature(sig) && isSignatureOf(own, sig, Uint8Array.from(data));
}

async function hashToScalar(...parts: Uint8Array[]): Promise<bigint> {
  return number(Uint8Array.from(await hashes.sha512Async(join(...parts)))) % L;
}

/** Strict verification, from its definition: canonical, no low order, and SB = R + kA without the cofactor. */
async function model(key: Uint8Array, signature: Uint8Array, data: Uint8Array): Promise<boolean> {
  const [r, s] = [signature.slice(0, 32), number(signature.slice(32))];
  try {
    const [A, R] = [Point.fromBytes(key), Point.fromBytes(r)];
    if (s >= L || A.isSmallOrder() || R.isSmallOrder()) return false;
    const k = await hashToScalar(r, key, data);
    return Point.BASE.multiplyUnsafe(s).equals(R.add(A.multiplyUnsafe(k)));
  } catch {
    return false;
  }
}

describe('ed25519', () => {
  it('accepts the signatures of RFC 8032', async () => {
    expect(vectors.length).toBeGreaterThan(3);
    for (const { publicKey, message, signature } of vectors) {
      expect(await isAccepted(bytes(publicKey), bytes(signature), bytes(message))).toBe(true);
    }
  });

  it('refuses all points of low order, in every encoding', () => {
    expect(new Set(torsion.map((point) => point.toHex())).size).toBe(8);
    expect(lowOrderEncodings).toHaveLength(14);
    for (const hex of lowOrderEncodings) {
      expect(isSoundPoint(bytes(hex)), hex).toBe(false);
      expect(isSoundSignature(join(bytes(hex), littleEndian(1n))), hex).toBe(false);
    }
  });

  it('refuses a signature that anyone can make for a low-order key, which the engine alone accepts', async () => {
    const [key, data] = [littleEndian(1n), new Uint8Array(32).fill(7)];
    const forged = join(Point.BASE.toBytes(), littleEndian(1n));
    expect(await isSignatureOf(key, forged, data)).toBe(true);
    expect(await isAccepted(key, forged, data)).toBe(false);
  });

  it('refuses coordinates at or above the prime, and accepts lower ones', () => {
    const lastLine = 2n ** 255n - 1n;
    for (let y = P; y <= lastLine; y += 1n) expect(isSoundPoint(littleEndian(y))).toBe(false);
    for (const y of [P - 2n, 2n, 3n]) expect(isSoundPoint(littleEndian(y))).toBe(true);
  });

  it('refuses the other forms of a scalar', async () => {
    const [{ publicKey, signature, message }] = vectors as [(typeof vectors)[0]];
    const s = number(bytes(signature).slice(32));
    for (const other of [s + L, s + 8n * L, s + 2n ** 255n]) {
      const changed = join(bytes(signature).slice(0, 32), littleEndian(other));
      expect(isSoundSignature(changed)).toBe(false);
      expect(await isAccepted(bytes(publicKey), changed, bytes(message))).toBe(false);
    }
    expect(isSoundSignature(join(bytes(signature).slice(0, 32), littleEndian(L - 1n)))).toBe(true);
    expect(isSoundSignature(join(bytes(signature).slice(0, 32), littleEndian(L)))).toBe(false);
  });

  it('decides as the definition does, even for keys and signatures with low-order parts', async () => {
    const scalar = fc.bigInt({ min: 1n, max: L - 1n });
    const torsionPoint = fc.constantFrom(...torsion);
    const seen = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        scalar,
        scalar,
        torsionPoint,
        torsionPoint,
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        fc.boolean(),
        async (a, r, keyTorsion, nonceTorsion, data, isLarge) => {
          // A key that is not large is of low order: anyone can sign for it.
          const A = (isLarge ? Point.BASE.multiply(a) : Point.ZERO).add(keyTorsion).toBytes();
          const R = Point.BASE.multiply(r).add(nonceTorsion).toBytes();
          const k = await hashToScalar(R, A, data);
          const signature = join(R, littleEndian((r + k * (isLarge ? a : 0n)) % L));
          const taken = await isAccepted(A, signature, data);
          seen[taken ? 'taken' : 'refused'] += 1;
          expect(taken).toBe(await model(A, signature, data));
        },
      ),
      { numRuns: 400 },
    );
    expect(seen.taken).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(50);
  });

  it('agrees with noble on honest signatures, changed or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 100 }),
        fc.option(fc.record({ at: fc.nat(63), mask: fc.integer({ min: 1, max: 255 }) })),
        async (seed, data, change) => {
          const key = await getPublicKeyAsync(seed);
          const signature = Uint8Array.from(await signAsync(data, seed));
          if (change) signature[change.at]! ^= change.mask;
          const taken = await isAccepted(key, signature, data);
          expect(taken).toBe(change === null);
          expect(taken).toBe(await verifyAsync(signature, data, key, { zip215: false }));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('returns false for bytes that are not a point of the curve', async () => {
    // No point has y = 2 (Point.fromBytes says so), yet it is below the prime.
    expect(() => Point.fromBytes(littleEndian(2n))).toThrow();
    expect(await isSignatureOf(littleEndian(2n), new Uint8Array(64).fill(1), new Uint8Array(32))).toBe(false);
  });
});

import { createDiffieHellman, getDiffieHellman, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { base64urlnopad } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import { encodeNumber, makeLockKeyText, modPow } from '../testing/lock-numbers.js';
import { deriveKeyId, readLockKey } from './lock.js';
import { makePower, readLockGroup } from './lock-group.js';
import { readGroupNumber, toBigInt } from './lock-number.js';
import { ServerLock } from './server-lock.js';

/** The wallet reads the same vectors: crates/shamir3pass/src/group/tests.rs. */
const primes: Record<'safe2048' | 'unsafe2048' | 'safe1024' | 'safe6144', { p_b64u: string }> & {
  standard: { name: string; p_b64u: string }[];
} = JSON.parse(readFileSync(new URL('../../../tests/vectors/shamir-primes.json', import.meta.url), 'utf8'));

const group = readLockGroup(RFC3526_GROUP_14_P);
const text = makeLockKeyText(group.p);

describe('the group', () => {
  it("is OpenSSL's RFC 3526 group 14 by default", () => {
    expect(Buffer.from(group.pBytes).equals(getDiffieHellman('modp14').getPrime())).toBe(true);
  });

  it.each(primes.standard)('accepts the prime of $name', ({ p_b64u }) => {
    expect(readLockGroup(p_b64u).pB64u).toBe(p_b64u);
  });

  it('accepts another safe prime', () => {
    expect(readLockGroup(primes.safe2048.p_b64u).pB64u).toBe(primes.safe2048.p_b64u);
  });

  it.each([
    ['a short safe prime', primes.safe1024.p_b64u, 'at least 2048 bits'],
    ['a number of 2047 bits', encodeNumber((1n << 2047n) - 1n), 'at least 2048 bits'],
    ['a safe prime of more than 4096 bits', primes.safe6144.p_b64u, 'at most 4096 bits'],
    ['a number of 4097 bits', encodeNumber((1n << 4096n) + 3n), 'at most 4096 bits'],
    ['a number of 2048 bits that is not prime', encodeNumber(group.p - 2n), 'must be a safe prime'],
    ['a prime that is not safe', primes.unsafe2048.p_b64u, 'must be a safe prime'],
    ['leading zeros', base64urlnopad.encode(Uint8Array.of(0, ...group.pBytes)), 'without leading zeros'],
    ['padding', `${RFC3526_GROUP_14_P}==`, 'base64url without padding'],
    ['nothing', '', 'without leading zeros'],
    ['a number of a megabyte', 'A'.repeat(1_000_000), 'too long'],
  ])('refuses %s', (_, pB64u, message) => {
    expect(() => readLockGroup(pB64u)).toThrow(message);
  });
});

describe('the power', () => {
  it('equals BigInt’s, for every exponent and number of the group', () => {
    const number = fc.bigInt({ min: 2n, max: group.p - 2n });
    fc.assert(
      fc.property(number, number, (base, exponent) => {
        const power = makePower(group, decode(exponent));
        expect(toBigInt(power(decode(base)))).toBe(modPow(base, exponent, group.p));
      }),
      { numRuns: 5 },
    );
  });

  it.each([
    ['the smallest number', 2n],
    ['the largest number', group.p - 2n],
  ])('accepts %s', (_, base) => {
    const exponent = toBigInt(randomBytes(32)) | 1n;
    expect(toBigInt(makePower(group, decode(exponent))(decode(base)))).toBe(modPow(base, exponent, group.p));
  });

  it('returns the shortest form, although OpenSSL pads to the length of p', () => {
    const power = makePower(group, decode(3n));
    expect(power(decode(2n))).toEqual(Uint8Array.of(8));
    const raw = createDiffieHellman(group.pBytes, 2);
    raw.setPrivateKey(Uint8Array.of(3));
    expect(raw.computeSecret(Uint8Array.of(2))).toHaveLength(256);
  });
});

describe('a lock key', () => {
  it('has the id of interop.md section 5', () => {
    // Computed by hand with sha256sum over the three parts, for e = 3.
    expect(deriveKeyId(group, Uint8Array.of(3))).toBe('znlJKeufzHI4NVGwZXleTQ');
  });

  it('is refused when its exponents are not inverse', () => {
    const other = makeLockKeyText(group.p);
    expect(() => readLockKey(group, { ...text, d_s_b64u: other.d_s_b64u })).toThrow('do not match');
  });

  it('is refused when an exponent lies outside 2..p-2', () => {
    expect(() => readLockKey(group, { e_s_b64u: encodeNumber(1n), d_s_b64u: encodeNumber(1n) })).toThrow(
      '2..p-2',
    );
  });
});

describe('the three passes', () => {
  const current = readLockKey(group, text);
  const former = readLockKey(group, makeLockKeyText(group.p));
  const lock = new ServerLock(group, current, [former]);
  const kek = modPow(toBigInt(randomBytes(256)) % group.p, 2n, group.p);

  it('restore the key, which the server never sees', () => {
    const client = exponents();
    const kekC = modPow(kek, client.e, group.p);
    const applied = lock.apply(encodeNumber(kekC));
    expect(applied.keyId).toBe(current.keyId);
    const kekS = modPow(read(applied.kek_cs_b64u), client.d, group.p);

    const later = exponents();
    const removed = lock.remove(encodeNumber(modPow(kekS, later.e, group.p)), applied.keyId);
    expect(modPow(read(removed.kek_c_b64u), later.d, group.p)).toBe(kek);
  });

  it('remove the lock with a key in grace, and never apply it with one', () => {
    const locked = former.apply(decode(kek));
    expect(read(lock.remove(base64urlnopad.encode(locked), former.keyId).kek_c_b64u)).toBe(kek);
    expect(lock.apply(encodeNumber(kek)).keyId).toBe(current.keyId);
    expect(lock.keyInfo).toEqual({
      currentKeyId: current.keyId,
      p_b64u: RFC3526_GROUP_14_P,
      graceKeyIds: [former.keyId],
    });
  });
});

describe('a number that a client sends', () => {
  const key = readLockKey(group, text);
  const lock = new ServerLock(group, key);

  it.each([
    ['nothing', ''],
    ['zero', 'AA'],
    ['one', encodeNumber(1n)],
    ['p - 1', encodeNumber(group.p - 1n)],
    ['p', encodeNumber(group.p)],
    ['p + 2', encodeNumber(group.p + 2n)],
    ['twice p', encodeNumber(group.p * 2n)],
    ['two with a leading zero', base64urlnopad.encode(Uint8Array.of(0, 2))],
    ['two with padding', 'Ag=='],
    ['base64 of the other alphabet', '+/'],
    ['a megabyte', 'A'.repeat(1_000_000)],
  ])('is refused by both passes when it is %s', (_, number) => {
    expect(() => lock.apply(number)).toThrow(
      expect.objectContaining({ code: 'invalid_request', status: 400 }),
    );
    expect(() => lock.remove(number, key.keyId)).toThrow(
      expect.objectContaining({ code: 'invalid_request', status: 400 }),
    );
  });

  it.each([
    ['two', 2n],
    ['p - 2', group.p - 2n],
  ])('is accepted when it is %s', (_, value) => {
    const { kek_cs_b64u } = lock.apply(encodeNumber(value));
    expect(lock.remove(kek_cs_b64u, key.keyId).kek_c_b64u).toBe(encodeNumber(value));
  });
});

function exponents() {
  const made = makeLockKeyText(group.p);
  return { e: read(made.e_s_b64u), d: read(made.d_s_b64u) };
}

function read(number: string): bigint {
  return toBigInt(readGroupNumber(group, number));
}

function decode(value: bigint): Uint8Array {
  return base64urlnopad.decode(encodeNumber(value));
}

import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { LatchkeyError } from '../../errors/latchkey-error.js';
import type { LinkDeviceQrData } from '../../types.js';
import { isOnCurve } from '../../verify/ed25519.js';
import { checkCode } from './check-code.js';
import { linkQrText, parseLinkQr } from './qr.js';

const NOW = 1_760_000_000_000;
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const GOOD = { device2PublicKey: KEY, timestamp: NOW, version: '1.0' } as const;

function refused(scanned: unknown): { code: string; message: string } {
  try {
    parseLinkQr(scanned as string, NOW);
  } catch (error) {
    if (error instanceof LatchkeyError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the code was taken');
}

function refusedData(change: object): { code: string; message: string } {
  return refused(JSON.stringify({ ...GOOD, ...change }));
}

const invalid = (message: string) => ({ code: 'INVALID_QR_DATA', message });

describe('a linking code (core 3, core 5, core 8, core 9)', () => {
  it('reads back as it was written, with and without an account', () => {
    const withAccount: LinkDeviceQrData = { ...GOOD, accountId: 'alice.testnet' };
    expect(parseLinkQr(linkQrText(GOOD), NOW)).toEqual(GOOD);
    expect(parseLinkQr(linkQrText(withAccount), NOW)).toEqual(withAccount);
    expect(parseLinkQr(withAccount, NOW)).toEqual(withAccount);
  });

  it('keeps no unknown field', () => {
    expect(parseLinkQr(JSON.stringify({ ...GOOD, __proto__: { a: 1 }, more: 'x' }), NOW)).toEqual(GOOD);
  });

  it('may omit its version, but not have another one', () => {
    expect(parseLinkQr(JSON.stringify({ device2PublicKey: KEY, timestamp: NOW }), NOW)).toEqual(GOOD);
    expect(refusedData({ version: '2.0' }).code).toBe('INVALID_QR_DATA');
  });

  it.each([
    'https://example.com/link',
    'HTTP://example.com',
    ' near://wallet ',
    'https://x/?key=ed25519:abc',
  ])('is distinguished from the URL %s', (text) => {
    expect(refused(text)).toEqual(invalid('QR code contains a URL, not device linking data'));
  });

  it('is distinguished from a NEAR key', () => {
    expect(refused(KEY)).toEqual(invalid('QR code contains a NEAR key, not device linking data'));
  });

  it.each(['', 'hello', '{', '[]', 'null', '7', '"https://example.com"', '[{"device2PublicKey":1}]'])(
    'is distinguished from %j',
    (text) => {
      expect(refused(text)).toEqual(invalid('Invalid QR code format - expected JSON device linking data'));
    },
  );

  it.each([null, undefined, 7, [GOOD]])('is distinguished from the value %j', (value) => {
    expect(refused(value)).toEqual(invalid('Invalid QR code format - expected JSON device linking data'));
  });

  it('is refused unread when it is longer than any code of this wallet', () => {
    expect(refusedData({ filler: 'x'.repeat(3_000) })).toEqual(
      invalid('Invalid QR code format - expected JSON device linking data'),
    );
  });

  it.each([undefined, null, ''])('needs a key: refuses %j', (device2PublicKey) => {
    expect(refusedData({ device2PublicKey })).toEqual(invalid('Missing device public key'));
  });

  it.each([
    ['a number', 7],
    ['another curve', 'secp256k1:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2'],
    ['no prefix', KEY.slice(8)],
    ['nothing after the prefix', 'ed25519:'],
    ['other letters', `ed25519:${'0'.repeat(44)}`],
    ['31 bytes', `ed25519:${base58.encode(new Uint8Array(31).fill(7))}`],
    ['33 bytes', `ed25519:${base58.encode(new Uint8Array(33).fill(7))}`],
    ['a private key', `ed25519:${base58.encode(new Uint8Array(64).fill(7))}`],
    ['a very long text', `ed25519:${'2'.repeat(1_500)}`],
    ['a point of low order', `ed25519:${base58.encode(new Uint8Array(32))}`],
    ['a y beyond the prime', `ed25519:${base58.encode(new Uint8Array(32).fill(255))}`],
    ['no point of the curve', `ed25519:${base58.encode(Uint8Array.of(2, ...new Uint8Array(31)))}`],
  ])('refuses a key that is %s', (_, device2PublicKey) => {
    expect(refusedData({ device2PublicKey })).toEqual(invalid('Invalid device public key format'));
  });

  it.each([undefined, null, ''])('needs a timestamp: refuses %j', (timestamp) => {
    expect(refusedData({ timestamp })).toEqual(invalid('Missing timestamp'));
  });

  it.each(['1760000000000', -1, 0, 1.5, 1e300, {}])('refuses the timestamp %j', (timestamp) => {
    expect(refusedData({ timestamp }).code).toBe('INVALID_QR_DATA');
  });

  it('expires after 15 minutes', () => {
    const longAgo = NOW - 15 * 60_000;
    expect(parseLinkQr({ ...GOOD, timestamp: longAgo }, NOW).timestamp).toBe(longAgo);
    expect(refusedData({ timestamp: longAgo - 1 })).toEqual({
      code: 'SESSION_EXPIRED',
      message: 'QR code expired',
    });
  });

  it('may be at most a minute ahead of this clock: one dated far ahead would never expire', () => {
    expect(parseLinkQr({ ...GOOD, timestamp: NOW + 60_000 }, NOW).timestamp).toBe(NOW + 60_000);
    expect(refusedData({ timestamp: NOW + 60_001 }).code).toBe('INVALID_QR_DATA');
  });

  it.each([
    ['alice', 'Account ID must contain at least one dot (e.g., username.testnet)'],
    ['Alice.testnet', 'Username can only contain lowercase letters, numbers, underscores, and hyphens'],
    [7, 'Account ID must be a non-empty string'],
  ])('refuses the account id %j', (accountId, reason) => {
    expect(refusedData({ accountId })).toEqual(invalid(`Invalid NEAR account ID: ${reason}`));
  });
});

describe('the check that someone can sign with a key', () => {
  it('passes for every key on the curve', async () => {
    for (let n = 0; n < 20; n += 1) {
      const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign'])) as CryptoKeyPair;
      expect(isOnCurve(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))).toBe(true);
    }
  });

  it('passes for about half of all y coordinates', () => {
    const onCurve = Array.from({ length: 200 }, (_, n) =>
      isOnCurve(new Uint8Array(32).fill(n % 127, 1)),
    ).filter(Boolean).length;
    expect(onCurve).toBeGreaterThan(60);
    expect(onCurve).toBeLessThan(140);
  });
});

describe('the check code (frame 7)', () => {
  it('is the first 16 base32 characters of the SHA-256 of its domain and the text [S33]', async () => {
    // printf 'latchkey-link-v2ed25519:Bv…NuU2' | sha256sum | xxd -r -p | base32 | cut -c-16
    expect(await checkCode(KEY)).toBe('TBIBIXISQQJXWE2V');
  });

  it('differs for two keys that the first 40 bits of a hash of their texts do not tell apart [S33]', async () => {
    // A search for any two such keys takes seconds; their seeds are 629060 and 820332 (8 bytes LE), 'latchkey', zeros.
    const [one, other] = [
      'ed25519:Ew2utBmshShFr1vNmiRShw2oDujJqgY9yr2UVAjfB3JZ',
      'ed25519:F726gECxdA1EN2FnjmrgvVZkXHvZaR2uosGNLcBEenjw',
    ];
    expect(await checkCode(one)).not.toBe(await checkCode(other));
  });

  it('differs for another key', async () => {
    expect(await checkCode(`${KEY.slice(0, -1)}3`)).not.toBe(await checkCode(KEY));
  });
});

/** Key authorizations (NEP-641): the reference's published vectors, and a second SHA3-256. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hex } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type KeyAuthorization,
  nanosecondsOf,
  nep413RecipientOf,
  type OffchainMessage,
  offchainMessageHash,
  secondsText,
} from '../nep641/message.js';
import { implicitAccountIdOf, isSignedByItsKey, readKeyAuthorization } from './key-authorization.js';
import { nep413Hash } from './nep413.js';

interface Vectors {
  readonly hashes: readonly { name: string; message: OffchainMessage; sha3_256: string }[];
  readonly nep413: readonly {
    message: OffchainMessage;
    callbackUrl: string | null;
    recipient: string;
    sha256: string;
  }[];
  readonly signed: readonly { name: string; authorization: KeyAuthorization; implicitAccountId: string }[];
  readonly forged: readonly { name: string; authorization: KeyAuthorization }[];
}
const { hashes, nep413, signed, forged }: Vectors = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/nep641.json', import.meta.url), 'utf8'),
);
const authorization = signed[0]!.authorization;

const isSigned = async (blob: object): Promise<boolean> => {
  const read = readKeyAuthorization(JSON.stringify(blob));
  if (!read) throw new Error('no key authorization');
  return isSignedByItsKey(read);
};

describe('the hash of a message', () => {
  it.each(hashes)('is the published one: $name', ({ message, sha3_256 }) => {
    expect(hex.encode(offchainMessageHash(message))).toBe(sha3_256);
  });

  it('is the one that OpenSSL computes over bytes written in another way', () => {
    const text = (value: string) => {
      const bytes = Buffer.from(value);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return Buffer.concat([length, bytes]);
    };
    const messages = fc.record({
      chain_id: fc.string({ unit: 'grapheme' }),
      signer_id: fc.string({ unit: 'grapheme' }),
      path: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }),
      seconds: fc.integer({ min: 0, max: 18_446_744_072 }),
      payload: fc.string({ unit: 'grapheme', maxLength: 300 }),
    });
    fc.assert(
      fc.property(messages, ({ seconds, ...rest }) => {
        const count = Buffer.alloc(4);
        count.writeUInt32LE(rest.path.length);
        const time = Buffer.alloc(8);
        time.writeBigUInt64LE(BigInt(seconds) * 1_000_000_000n);
        const hash = createHash('sha3-256')
          .update('NEAR_NEP641_OFFCHAIN_MESSAGE/V1')
          .update(Buffer.concat([text(rest.chain_id), text(rest.signer_id), count, ...rest.path.map(text)]))
          .update(Buffer.concat([time, text(rest.payload)]))
          .digest('hex');
        const timestamp = secondsText(seconds);
        expect(hex.encode(offchainMessageHash({ ...rest, timestamp }))).toBe(hash);
      }),
    );
  });

  it.each(nep413)(
    'is the nonce of the NEP-413 message for $recipient',
    async ({ message, callbackUrl, recipient, sha256 }) => {
      expect(nep413RecipientOf(message)).toBe(recipient);
      const payload = { message: message.payload, nonce: offchainMessageHash(message), recipient };
      const hash = await nep413Hash({ ...payload, callbackUrl: callbackUrl ?? undefined });
      expect(hex.encode(hash)).toBe(sha256);
    },
  );
});

describe('a timestamp', () => {
  it('is read to the nanosecond, in any zone', () => {
    expect(nanosecondsOf('1970-01-01T00:00:00Z')).toBe(0n);
    expect(nanosecondsOf('1970-01-01T00:00:01.000000001Z')).toBe(1_000_000_001n);
    expect(nanosecondsOf('1970-01-01t02:30:00.5+02:30')).toBe(500_000_000n);
    expect(nanosecondsOf('1969-12-31T23:00:00-01:00')).toBe(0n);
    expect(nanosecondsOf('2554-07-21T23:34:33.709551615Z')).toBe(2n ** 64n - 1n);
  });

  it.each([
    '1785828480123456789',
    '2026-08-05',
    '2026-08-05T07:28:00',
    '2026-02-30T07:28:00Z',
    '2026-08-05T24:00:00Z',
    '2026-08-05T07:28:60Z',
    '2026-08-05T07:28:00.1234567890Z',
    '2026-08-05T07:28:00.Z',
    '2026-08-05T07:28:00+24:00',
    '1969-12-31T23:59:59Z',
    '2554-07-21T23:34:33.709551616Z',
    '',
  ])('is refused: %s', (timestamp) => {
    expect(nanosecondsOf(timestamp)).toBeUndefined();
  });
});

describe('a key authorization', () => {
  it.each(signed)('with the published signature is signed: $name', async (vector) => {
    expect(await isSigned(vector.authorization)).toBe(true);
    const { key } = readKeyAuthorization(JSON.stringify(vector.authorization))!;
    expect(await implicitAccountIdOf(key)).toBe(vector.implicitAccountId);
  });

  it.each(forged)('is not signed by its key: $name', async (vector) => {
    expect(await isSigned(vector.authorization)).toBe(false);
  });

  const { msg, via, access_key, signature } = authorization;
  const asNep = [
    ['an empty path', { ...authorization, msg: { ...msg, path: [] } }],
    [
      'no callback URL, as null',
      { ...authorization, via: { schema: 'nep413', extra: { callback_url: null } } },
    ],
    ['more in the message', { ...authorization, msg: { ...msg, surplus: 1 } }],
    ['more in `via`', { ...authorization, via: { ...via, surplus: 1 } }],
    ['more in `extra`', { ...authorization, via: { schema: 'nep413', extra: { surplus: 1 } } }],
  ] as const;
  it.each(asNep)('may have %s', async (_name, blob) => {
    expect(await isSigned(blob)).toBe(true);
  });

  const others: readonly (readonly [string, unknown])[] = [
    ['more at the top', { ...authorization, surplus: 1 }],
    ['no `extra`', { ...authorization, via: { schema: 'nep413' } }],
    ['`extra` null', { ...authorization, via: { schema: 'nep413', extra: null } }],
    [
      'a callback URL that is no text',
      { ...authorization, via: { schema: 'nep413', extra: { callback_url: 7 } } },
    ],
    ['a path that is no list', { ...authorization, msg: { ...msg, path: 'wallet.near' } }],
    ['a path of what is no account', { ...authorization, msg: { ...msg, path: ['A'] } }],
    ['another schema', { ...authorization, via: { ...via, schema: 'nep999' } }],
    ['a schema alone', { ...authorization, via: 'nep413' }],
    ['no signature', { msg, via, access_key }],
    ['no `via`', { msg, access_key, signature }],
    ['a curve in upper case', { ...authorization, access_key: access_key.replace('ed', 'Ed') }],
    ['no curve', { ...authorization, access_key: access_key.slice(8) }],
    ['another curve', { ...authorization, access_key: access_key.replace('ed25519', 'p256') }],
    ['a key of 31 bytes', { ...authorization, access_key: `ed25519:${'1'.repeat(31)}` }],
    ['a key of 33 bytes', { ...authorization, access_key: `${access_key}1` }],
    ['a signature of 32 bytes', { ...authorization, signature: `ed25519:${'1'.repeat(32)}` }],
    ['a key of a megabyte', { ...authorization, access_key: `ed25519:${'2'.repeat(1_000_000)}` }],
    ['a time that is none', { ...authorization, msg: { ...msg, timestamp: '1785828480123456789' } }],
    ['a signer that is no account', { ...authorization, msg: { ...msg, signer_id: 'NOT ONE' } }],
    ['half a surrogate pair', { ...authorization, msg: { ...msg, payload: '\ud800' } }],
    ['a form of its own', { signed: { message: 'hello' }, proof: '0xdead' }],
    ['null', null],
  ];
  it.each(others)('is not what has %s', (_name, blob) => {
    expect(readKeyAuthorization(JSON.stringify(blob))).toBeUndefined();
  });

  it('is not what is no JSON', () => {
    expect(readKeyAuthorization('{')).toBeUndefined();
  });
});

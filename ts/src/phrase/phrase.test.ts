import { hex } from '@scure/base';
import { KeyPair } from 'near-api-js';
import { parseSeedPhrase } from 'near-seed-phrase';
import { describe, expect, it, test } from 'vitest';
import { keyOfPhrase } from './phrase-key.js';
import { deriveSeed } from './slip10.js';
import { makePhrase, readPhrase, seedOf } from './words.js';

/** SLIP-0010, "Test vector 1 for ed25519" and "Test vector 2 for ed25519": path and private key. */
const SLIP_10 = [
  [
    '000102030405060708090a0b0c0d0e0f',
    [],
    '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7',
  ],
  [
    '000102030405060708090a0b0c0d0e0f',
    [0],
    '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3',
  ],
  [
    '000102030405060708090a0b0c0d0e0f',
    [0, 1, 2, 2, 1_000_000_000],
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
  ],
  [
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
    [0, 2_147_483_647, 1, 2_147_483_646, 2],
    '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
  ],
] as const;

/** The phrase of 16 zero bytes in BIP-39's reference vectors. */
const ZEROS = `${'abandon '.repeat(11)}about`;

const privateKeyOf = async (phrase: string) =>
  new TextDecoder().decode((await keyOfPhrase(phrase)).privateKey);
const codeOf = (typed: string): unknown => {
  try {
    return readPhrase(typed);
  } catch (error) {
    return error;
  }
};

describe('the key of a phrase', () => {
  test.each(SLIP_10)('derives the SLIP-0010 vector of seed %s at %j', (seed, path, expected) => {
    expect(hex.encode(deriveSeed(hex.decode(seed), path))).toBe(expected);
  });

  it('is that of near-seed-phrase, which other NEAR wallets use', async () => {
    const phrases = [ZEROS, ...Array.from({ length: 20 }, makePhrase)];
    for (const phrase of phrases) {
      const { publicKey, secretKey } = parseSeedPhrase(phrase);
      const { publicKey: own } = await keyOfPhrase(phrase);
      expect([own, await privateKeyOf(phrase)]).toEqual([publicKey, secretKey]);
    }
  });

  it('opens in near-api-js', async () => {
    const { publicKey } = await keyOfPhrase(ZEROS);
    const opened = KeyPair.fromString((await privateKeyOf(ZEROS)) as `ed25519:${string}`);
    expect(opened.getPublicKey().toString()).toBe(publicKey);
  });

  it('comes from the BIP-39 seed without a passphrase', async () => {
    expect(hex.encode(await seedOf(ZEROS)).slice(0, 64)).toBe(
      '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1',
    );
  });
});

describe('a phrase', () => {
  it('is 12 words of the English list, and another one each time', () => {
    const phrases = Array.from({ length: 50 }, makePhrase);
    expect(new Set(phrases).size).toBe(50);
    for (const phrase of phrases) {
      expect(phrase.split(' ')).toHaveLength(12);
      expect(readPhrase(phrase)).toBe(phrase);
    }
  });

  it('is read with any case, spaces and lines between its words', () => {
    const typed = `  ABANDON\tabandon \n${'Abandon  '.repeat(9)} about\r\n`;
    expect(readPhrase(typed)).toBe(ZEROS);
  });

  it.each([
    ['commas', ZEROS.replaceAll(' ', ', ')],
    ['commas alone, and one at the end', `${ZEROS.replaceAll(' ', ',')},`],
    [
      'a byte order mark, a soft hyphen, a joiner and a mark of direction',
      `\uFEFF${ZEROS.replace('ab', 'a\u00ADb')}\u200D\u200E`,
    ],
    ['zero-width spaces', ZEROS.replaceAll(' ', '\u200B')],
  ])('is read with %s', (_, typed) => {
    expect(readPhrase(typed)).toBe(ZEROS);
  });

  it('names an unknown word by its position and never repeats it [S4]', () => {
    const error = codeOf(ZEROS.replace('abandon abandon', 'abandon hunter22'));
    expect(error).toMatchObject({
      code: 'RECOVERY_PHRASE_WORD',
      message: expect.stringContaining('Word 2 '),
    });
    expect(String(error)).not.toContain('hunter22');
  });

  it('has an error of its own for the wrong number of words, and for words whose checksum is wrong', () => {
    expect(codeOf('abandon about')).toMatchObject({
      code: 'RECOVERY_PHRASE_LENGTH',
      message: expect.stringContaining('these are 2'),
    });
    expect(codeOf('')).toMatchObject({ code: 'RECOVERY_PHRASE_LENGTH' });
    expect(codeOf('abandon '.repeat(12))).toMatchObject({ code: 'RECOVERY_PHRASE_CHECKSUM' });
  });
});

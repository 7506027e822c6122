import { filled } from 'latchkey/internal';
import { describe, expect, it } from 'vitest';
import { englishTokens } from '../texts/english-tokens.js';
import { amountOf, mostOf, receiverOf, receiverProblem } from './transfer.js';

const words = englishTokens.send;

describe('the receiver of a transfer', () => {
  const problemOf = (typed: string) =>
    receiverProblem(receiverOf(typed), 'alice.testnet', 'coin.testnet', words);

  it('is any account id of the chain, with the spaces and capitals of a keyboard left out', () => {
    for (const typed of [
      ' Bob.testnet ',
      'bob.near',
      'w3a-v1.testnet',
      'a'.repeat(64),
      `0x${'a'.repeat(40)}`,
      'near',
    ])
      expect([typed, problemOf(typed)]).toEqual([typed, undefined]);
  });

  it('is refused where it is none, the sender, or the token itself', () => {
    for (const typed of ['bob testnet', 'bob..near', '-bob.near', 'b', 'x'.repeat(65), 'bоb.near'])
      expect(problemOf(typed)).toBe(words.notAnAccount);
    expect(problemOf('  ')).toBe(words.noReceiver);
    expect(problemOf('ALICE.testnet')).toBe(words.isYourself);
    expect(problemOf('coin.testnet')).toBe(words.isTheToken);
  });
});

describe('the amount of a transfer', () => {
  const read = (typed: string, most?: string, decimals = 24) => amountOf(typed, decimals, most, words);

  it('is exact to the last decimal', () => {
    expect(read('1.000000000000000000000001')).toEqual({ units: '1000000000000000000000001' });
    expect(read(' .5 ')).toEqual({ units: '500000000000000000000000' });
    expect(read('123456789012')).toEqual({ units: `123456789012${'0'.repeat(24)}` });
    expect(read('12.34', undefined, 2)).toEqual({ units: '1234' });
    expect(read('12', undefined, 0)).toEqual({ units: '12' });
  });

  it('is refused rather than rounded or guessed', () => {
    for (const typed of ['1,5', '1.5.', '-1', '+1', '1e3', 'one', '0.0000000000000000000000001', '１'])
      expect(read(typed)).toEqual({ problem: filled(words.notAnAmount, { decimals: 24 }) });
    expect(read('0.001', undefined, 2)).toEqual({ problem: filled(words.notAnAmount, { decimals: 2 }) });
    expect(read(' ')).toEqual({ problem: words.noAmount });
    expect(read('0.0')).toEqual({ problem: words.isZero });
  });

  it('is refused above what there is, and not at it', () => {
    expect(read('2', `2${'0'.repeat(24)}`)).toEqual({ units: `2${'0'.repeat(24)}` });
    expect(read('2', '1999999999999999999999999')).toEqual({ problem: words.isTooMuch });
    expect(read('5.01', '500', 2)).toEqual({ problem: words.isTooMuch });
  });
});

describe('the most of a transfer', () => {
  it('is all that can be spent but 0.01 NEAR, exactly, and nothing where no more is there', () => {
    expect(mostOf('1000000000000000000000001')).toBe('0.990000000000000000000001');
    expect(mostOf('10000000000000000000001')).toBe('0.000000000000000000000001');
    for (const spendable of ['10000000000000000000000', '1', '0']) expect(mostOf(spendable)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { englishCheck } from '../check/texts/english.js';
import { germanCheck } from '../check/texts/german.js';
import { addressOf, SCREENS, screenOf } from './routes.js';
import { englishHome } from './texts/english.js';
import { germanHome } from './texts/german.js';
import { amountOf, isMadeByTransfer, mostOf, receiverOf, receiverProblem } from './transfer.js';

describe('the addresses of the home page', () => {
  it('lead to the screen that each names, and any other to the overview', () => {
    for (const screen of SCREENS) expect(screenOf(addressOf(screen))).toBe(screen);
    for (const hash of ['', '#', '#/nothing', '#send', '#/send/x', '#/__proto__'])
      expect(screenOf(hash)).toBe('overview');
  });
});

describe('the receiver of a transfer', () => {
  const problemOf = (typed: string) => receiverProblem(receiverOf(typed), 'alice.testnet', englishHome);

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

  it('is refused where it is none, or the sender', () => {
    for (const typed of ['bob testnet', 'bob..near', '-bob.near', 'b', 'x'.repeat(65), 'bоb.near'])
      expect(problemOf(typed)).toBe(englishHome.send.notAnAccount);
    expect(problemOf('  ')).toBe(englishHome.send.noReceiver);
    expect(problemOf('ALICE.testnet')).toBe(englishHome.send.isYourself);
  });

  it('may be missing on the chain only where a transfer makes it', () => {
    expect(isMadeByTransfer('f'.repeat(64))).toBe(true);
    expect(isMadeByTransfer(`0x${'f'.repeat(40)}`)).toBe(true);
    for (const id of ['bob.near', 'f'.repeat(63), `0x${'g'.repeat(40)}`])
      expect(isMadeByTransfer(id)).toBe(false);
  });
});

describe('the amount of a transfer', () => {
  const read = (typed: string, spendable?: string) => amountOf(typed, spendable, englishHome);

  it('is exact to the last of 24 decimals', () => {
    expect(read('1.000000000000000000000001')).toEqual({ yocto: '1000000000000000000000001' });
    expect(read(' .5 ')).toEqual({ yocto: '500000000000000000000000' });
    expect(read('123456789012')).toEqual({ yocto: `123456789012${'0'.repeat(24)}` });
  });

  it('is refused rather than rounded or guessed', () => {
    for (const typed of ['1,5', '1.5.', '-1', '+1', '1e3', 'one', '0.0000000000000000000000001', '１'])
      expect(read(typed)).toEqual({ problem: englishHome.send.notAnAmount });
    expect(read(' ')).toEqual({ problem: englishHome.send.noAmount });
    expect(read('0.0')).toEqual({ problem: englishHome.send.isZero });
  });

  it('is refused above what can be spent, and not at it', () => {
    expect(read('2', `2${'0'.repeat(24)}`)).toEqual({ yocto: `2${'0'.repeat(24)}` });
    expect(read('2', '1999999999999999999999999')).toEqual({ problem: englishHome.send.isTooMuch });
  });
});

describe('the most of a transfer', () => {
  it('is all that can be spent but 0.01 NEAR, exactly, and nothing where no more is there', () => {
    expect(mostOf('1000000000000000000000001')).toBe('0.990000000000000000000001');
    expect(mostOf('10000000000000000000001')).toBe('0.000000000000000000000001');
    for (const spendable of ['10000000000000000000000', '1', '0']) expect(mostOf(spendable)).toBeUndefined();
  });
});

describe('the texts of the home page', () => {
  /** Every text with its place; one that takes values, with these. */
  function entries(part: unknown, place = ''): [string, string][] {
    if (typeof part === 'string') return [[place, part]];
    if (typeof part === 'function') return [[place, String(part('value-1', 'value-2'))]];
    return Object.entries(part as object).flatMap(([name, value]) => entries(value, `${place}.${name}`));
  }

  it.each([
    ['the page', englishHome, germanHome],
    ['its check of a passkey', englishCheck, germanCheck],
  ])('of %s are in German too, with the same values', (_of, english, inGerman) => {
    const german = new Map(entries(inGerman));
    const alike = ['.name', '.apps.title', '.apps.for'];
    const filled = (text: string): string[] => (text.match(/\{\w+\}|value-\d/g) ?? []).sort();
    for (const [place, text] of entries(english)) {
      const other = german.get(place) ?? '';
      expect(filled(other), place).toEqual(filled(text));
      if (!alike.includes(place)) expect(other, place).not.toBe(text);
    }
  });
});

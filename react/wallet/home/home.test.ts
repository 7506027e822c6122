import { describe, expect, it } from 'vitest';
import { englishCheck } from '../check/texts/english.js';
import { germanCheck } from '../check/texts/german.js';
import { addressOf, SCREENS, screenOf, tokenOf } from './routes.js';
import { englishHome } from './texts/english.js';
import { germanHome } from './texts/german.js';

describe('the addresses of the home page', () => {
  it('lead to the screen that each names, and any other to the overview', () => {
    for (const screen of SCREENS) expect(screenOf(addressOf(screen))).toBe(screen);
    for (const hash of ['', '#', '#/nothing', '#send', '#/send/x', '#/__proto__'])
      expect(screenOf(hash)).toBe('overview');
  });

  it('of the form may choose a token', () => {
    expect([screenOf('#/send?token=coin.near'), tokenOf('#/send?token=coin.near')]).toEqual([
      'send',
      'coin.near',
    ]);
    expect(tokenOf('#/send')).toBeUndefined();
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

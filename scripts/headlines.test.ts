import { describe, expect, it } from 'vitest';
import { englishHeadlines } from '../react/src/texts/english-errors.js';
import { german } from '../react/src/texts/german.js';
import { type Headline, type Headlines, headlineOf } from '../react/src/texts/headlines.js';
import * as account from '../ts/src/errors/account.js';
import * as frame from '../ts/src/errors/frame.js';

const codes = new Set(
  Object.values({ ...account, ...frame } as Record<string, unknown>).flatMap((text) =>
    typeof text === 'object' && text !== null && 'code' in text ? [String(text.code)] : [],
  ),
);
/** Of a person's sentence; an error has its own words under Details. */
const LONGEST = 245;

const formsOf = (headline: Headline): readonly string[] =>
  typeof headline === 'string' ? [headline] : [headline.filled, headline.plain];
const holesOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
const valuesOf = (text: string): Record<string, string> =>
  Object.fromEntries(holesOf(text).map((hole) => [hole.slice(1, -1), 'a value']));

describe.each<[string, Headlines]>([
  ['English', englishHeadlines],
  ['German', german.errors as Headlines],
])('the %s headlines of errors (core 2)', (_, headlines) => {
  it('are one for each code, and for nothing else', () => {
    expect(codes.size).toBeGreaterThan(150);
    const others = ['EXECUTED', 'not-yet', 'no-longer', 'COMES_BACK'];
    expect(new Set(Object.keys(headlines))).toEqual(new Set([...codes, ...others]));
  });

  it('are whole sentences that fit a small screen', () => {
    for (const [code, headline] of Object.entries(headlines)) {
      for (const text of formsOf(headline)) {
        expect(text, code).toMatch(/[.?]$/);
        expect(text.length, code).toBeLessThanOrEqual(LONGEST);
      }
    }
  });

  it('have a sentence for an error that carries no values', () => {
    for (const [code, headline] of Object.entries(headlines)) {
      const last = formsOf(headline).at(-1) ?? '';
      expect(holesOf(last), code).toEqual([]);
      expect(headlineOf(headlines, code), code).toBe(last);
    }
  });

  it('have their values', () => {
    for (const [code, headline] of Object.entries(headlines)) {
      if (typeof headline === 'string') continue;
      expect(headlineOf(headlines, code, valuesOf(headline.filled)), code).toContain('a value');
    }
  });
});

describe('a headline (core 2)', () => {
  it('has the same values in both languages, all of which its error carries', () => {
    const texts = { ...account, ...frame } as unknown as Record<string, { readonly text: string }>;
    for (const [code, headline] of Object.entries(englishHeadlines)) {
      const holes = holesOf(formsOf(headline)[0] ?? '');
      expect(holesOf(formsOf((german.errors as Headlines)[code as keyof Headlines])[0] ?? ''), code).toEqual(
        holes,
      );
      expect(holesOf(texts[code]?.text ?? ''), code).toEqual(expect.arrayContaining(holes));
    }
  });

  it('is that of an unknown error where the code is none of ours', () => {
    for (const code of [undefined, 'OF_A_NEWER_WALLET', 'toString'])
      expect(headlineOf(englishHeadlines, code)).toBe(englishHeadlines.UNKNOWN);
  });
});

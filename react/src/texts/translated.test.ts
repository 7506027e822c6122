import { afterEach, describe, expect, it } from 'vitest';
import { translated } from './catalogue.js';
import { counted } from './counted.js';
import { setTexts, texts } from './current.js';
import { english } from './english.js';

afterEach(() => setTexts(english));

const part = {
  title: 'Title',
  inner: { a: 'A', b: 'B' },
  count: { one: '{count} step', other: '{count} steps' },
};

describe('a translation (core 2)', () => {
  it('is in English where it lacks a text', () => {
    expect(translated(part, { inner: { a: 'Ah' } })).toEqual({ ...part, inner: { a: 'Ah', b: 'B' } });
    setTexts({ language: 'xx', common: { back: 'Kcab' } });
    expect(texts().common).toEqual({ ...english.common, back: 'Kcab' });
    expect(texts().toasts).toEqual(english.toasts);
  });

  it('has the forms of a number alone, not those of English', () => {
    const count = { two: 'two of them', other: '{count}' };
    expect(translated(part, { count }).count).toEqual(count);
  });
});

describe('a text that counts (core 2)', () => {
  it('has the form that the language of the page has for the number', () => {
    expect([1, 2].map((count) => counted(part.count, count))).toEqual(['1 step', '2 steps']);
    setTexts({ language: 'ar' });
    const forms = { one: 'one', two: 'two', few: 'few {count}', many: 'many', other: 'other' };
    expect([1, 2, 3, 11, 100].map((count) => counted(forms, count))).toEqual([
      'one',
      'two',
      'few 3',
      'many',
      'other',
    ]);
  });

  it('is the other form where the catalogue lacks the one for the number', () => {
    setTexts({ language: 'ar' });
    expect(counted(part.count, 2)).toBe('2 steps');
  });

  it('groups the digits as the language does', () => {
    expect(counted(part.count, 12_345)).toBe('12,345 steps');
    setTexts({ language: 'de' });
    expect(counted(part.count, 12_345)).toBe('12.345 steps');
  });
});

import { describe, expect, it } from 'vitest';
import { clip, plainUntrusted, splitUntrusted } from './text.js';

const marks = (text: string, multiline = false) =>
  splitUntrusted(text, { multiline }).flatMap((part) => (part.kind === 'mark' ? [part.value] : []));

describe('untrusted text', () => {
  it('leaves ordinary text of any script alone', () => {
    for (const text of ['set_greeting', 'Grüße, naïve café', 'שלום', '日本語', 'e\u0301']) {
      expect(splitUntrusted(text)).toEqual([{ kind: 'text', value: text }]);
    }
  });

  it('names bidi overrides, so that a receiver cannot be reordered', () => {
    expect(plainUntrusted('alice\u202Etxt.tset')).toBe('alice[U+202E]txt.tset');
    expect(marks('\u2066a\u2069\u200F')).toEqual(['U+2066', 'U+2069', 'U+200F']);
  });

  it('names zero-width, control, filler, separator and tag characters', () => {
    expect(marks('a\u200Bb\uFEFFc\u0000d\u001Be\u3164f\u2028g\u{E0041}h\u00AD')).toEqual([
      'U+200B',
      'U+FEFF',
      'U+0000',
      'U+001B',
      'U+3164',
      'U+2028',
      'U+E0041',
      'U+00AD',
    ]);
  });

  it('names blank-looking spaces, lone surrogates and private use', () => {
    expect(marks('\u2800\u2003\uD800\uE000')).toEqual(['U+2800', 'U+2003', 'U+D800', 'U+E000']);
  });

  it('keeps line breaks and tabs only in multiline text', () => {
    expect(marks('a\n\tb')).toEqual(['U+000A', 'U+0009']);
    expect(splitUntrusted('a\n\tb', { multiline: true })).toEqual([{ kind: 'text', value: 'a\n\tb' }]);
    expect(marks('a\r\nb', true)).toEqual(['U+000D']);
  });

  it('keeps an emoji whole but not a joiner between letters', () => {
    for (const emoji of ['👨‍👩‍👧', '❤️', '👩🏽‍🚀', '🏳️‍🌈', '1️⃣']) expect(marks(emoji)).toEqual([]);
    expect(marks('a\u200Db')).toEqual(['U+200D']);
  });

  it('folds piled-up combining marks into one', () => {
    expect(marks(`Z${'\u0301'.repeat(40)}`)).toEqual(['36 combining marks']);
  });

  it('loses no text: the parts, with marks decoded, join to the input', () => {
    const text = 'pay\u202Eme\u200B now';
    const joined = splitUntrusted(text).map((part) =>
      part.kind === 'text' ? part.value : String.fromCodePoint(Number.parseInt(part.value.slice(2), 16)),
    );
    expect(joined.join('')).toBe(text);
  });

  it('clips by code points and returns the total', () => {
    expect(clip('😀😀😀', 2)).toEqual({ head: '😀😀', total: 3 });
    expect(clip('abc', 5)).toEqual({ head: 'abc', total: 3 });
  });

  it('names a variation selector that hides behind a digit, and keeps a keycap whole', () => {
    expect(marks('1\ufe0f00')).toEqual(['U+FE0F']);
    expect(marks('1\ufe0f\u20e3 \u2764\ufe0f')).toEqual([]);
  });
});

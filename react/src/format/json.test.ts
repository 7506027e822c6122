import { describe, expect, it } from 'vitest';
import { indentJson, readableJson } from './json.js';

describe('indented JSON', () => {
  it('indents objects and arrays', () => {
    expect(indentJson('{"greeting":"hi","list":[1,{"a":null}],"none":{},"no":[]}')).toBe(
      '{\n  "greeting": "hi",\n  "list": [\n    1,\n    {\n      "a": null\n    }\n  ],\n  "none": {},\n  "no": []\n}',
    );
  });

  it('keeps every digit, escape and repeated key of the JSON to be signed', () => {
    const text = '{"n":12345678901234567890123,"to":"a","to":"b","s":"x\\u202e\\" ] {,"}';
    const shown = indentJson(text);
    expect(shown).toContain('12345678901234567890123');
    expect(shown?.match(/"to"/g)).toHaveLength(2);
    expect(shown).toContain('"x\\u202e\\" ] {,"');
    expect(shown?.replace(/\n\s*/g, '').replaceAll('": ', '":')).toBe(text);
  });

  it('is undefined for text that is not JSON', () => {
    for (const text of ['', 'hello', '{"a":1', "{'a':1}"]) expect(indentJson(text)).toBeUndefined();
  });
});

describe('readable JSON', () => {
  const long = 'x'.repeat(300);
  const read = (value: unknown) => readableJson(JSON.stringify(value))?.join('');

  it('has the short entries of each object first, and the long ones after them in their order', () => {
    const shown = read({ memo: long, a: 1, inner: { note: long, to: 'mallory.near' }, b: [2] }) ?? '';
    const places = ['"a"', '"b"', '"memo"', '"inner"', '"to"', '"note"'].map((name) => shown.indexOf(name));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('keeps the order of a list, which has a meaning', () => {
    expect(read([long, 1, { b: long, a: 2 }])).toMatch(
      /^\[\s+"x+",\s+1,\s+\{\s+"a": 2,\s+"b": "x+"\s+\}\s+\]$/,
    );
  });

  it('keeps every token, also a repeated key, a long number, and what is nested very deep', () => {
    const deep = `${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`;
    const text = `{"s":"${long}","n":12345678901234567890123,"to":"a","to":"b","e":"x\\u202e\\" ] {,","d":${deep}}`;
    const shown = readableJson(text)?.join('') ?? '';
    const tokens = (of: string) => (of.match(/"[^"\\]*(?:\\.[^"\\]*)*"|\d+|[{}[\]:]/g) ?? []).sort();
    expect(tokens(shown)).toEqual(tokens(text));
  });

  it('sets each long string apart, so that only this one folds', () => {
    const parts = readableJson(JSON.stringify({ a: long, b: 'short', c: `"${long}` })) ?? [];
    expect(parts.filter((part) => part.length > 250)).toEqual([`"${long}"`, `"\\"${long}"`]);
  });

  it('is undefined for text that is not JSON', () => {
    for (const text of ['', 'hello', '{"a":1']) expect(readableJson(text)).toBeUndefined();
  });
});

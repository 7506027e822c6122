import { describe, expect, it } from 'vitest';
import { indentJson } from './json.js';

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

import { describe, expect, it } from 'vitest';
import { findingsIn } from '../prose.mjs';
import { paragraphsOf } from './comments.mjs';

const rules = async (text: string, file = 'page.md') =>
  (await findingsIn(text, file)).map(({ rule, line, column }) => `${rule} ${line}:${column}`);

/** What a reader of the comments reads. */
const prose = (source: string, ext: string) =>
  paragraphsOf(source, ext).map((lines: [number, number][]) =>
    lines.map(([start, end]) => source.slice(start, end)).join(' '),
  );

describe('the prose style', () => {
  it.each([
    ['Sign it anew.', 'words 1:9'],
    ['The wallet stops at\nonce.', 'words 1:18'],
    ['What is held is the lock.', 'riddles 1:1'],
    ['A page. Who waits longer goes on.', 'riddles 1:9'],
    ['The host is told.', 'passive 1:10'],
    ['It ends, for it is late.', 'order 1:8'],
    ['The color is dark.', 'spelling 1:5'],
    [`${'word '.repeat(46)}end.`, 'sentence-length 1:1'],
  ])('finds what is wrong with %j', async (text, finding) => {
    expect(await rules(text)).toEqual([finding]);
  });

  it.each([
    'Sign it again. The wallet stops immediately.',
    'What is an app key?',
    'Set `color` and `anew`.',
    '# Who may embed it',
    '```ts\n// anew\n```',
    `${'word '.repeat(30)}end. ${'Word '.repeat(30)}end.`,
  ])('has nothing against %j', async (text) => {
    expect(await rules(text)).toEqual([]);
  });

  it('names the line and column of a comment, across its lines', async () => {
    const source = ['const a = "// anew";', '/**', ' * Ends at', ' * once.', ' */', 'f(a); // anew'].join(
      '\n',
    );
    expect(await rules(source, 'file.ts')).toEqual(['words 3:9', 'words 6:10']);
  });
});

describe('the prose of a source file', () => {
  it('is its comments, without strings, templates and regular expressions', () => {
    const source = [
      "const url = 'http://host/* no */';",
      'const pattern = /["\'`]\\/\\/ no/; // yes',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
      'const text = `// no ${call({ a: 1 }, "}")} // no`; // also',
      '',
      '/* Third. */',
    ].join('\n');
    expect(prose(source, '.ts')).toEqual(['yes', 'also', 'Third.']);
  });

  it('is the title of a test', () => {
    expect(prose("it('ends', () => call('not this'));", '.ts')).toEqual(['ends']);
  });

  it("tells Rust's lifetimes, characters and raw strings from comments", () => {
    const source = ["fn f<'a>(x: &'a str) { g('\"', r#\"// no\"#); } // yes", '/// Second', '/// line.'].join(
      '\n',
    );
    expect(prose(source, '.rs').join(' ')).toBe('yes Second line.');
  });

  it('leaves out fenced code and the lines for other linters', () => {
    const source = [
      '// One.',
      '// ```',
      '// anew',
      '// ```',
      '// biome-ignore x: anew',
      '//',
      '// Two.',
    ].join('\n');
    expect(prose(source, '.ts')).toEqual(['One.', 'Two.']);
  });

  it('is every whole-line comment of a shell script', () => {
    expect(prose('#!/bin/sh\n# One.\necho "# no"', '.sh')).toEqual(['One.']);
  });
});

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { idsOf, problemsOf, readClaims } from './security-ids.mjs';

/** A page with one good line in each section, and these lines added to them. */
const page = ({ assets = '', holds = '', limits = '' } = {}) => `
Each line ends with an id, as [S9] is one.

## Attackers

- A list that claims nothing.

## Assets

| secret | lives in |
|---|---|
| a key | here [S1] |
${assets}

## What holds

### A group

- It holds. The sentence goes on
  over two lines. [S2]
${holds}

## What does not hold

- It has a limit. [S3]
- Nothing can show this one. (no test)
${limits}
`;

const test = (name: string, state = 'passed') => ({ file: 'a.test.ts', name, state });
const PASSED = [test('a group › keeps the key [S1]'), test('holds [S2] [S3]')];
const check = (added: Parameters<typeof page>[0], ...results: object[]) =>
  problemsOf(readClaims(page(added)), [...PASSED, ...results]);

describe("SECURITY.md's lines", () => {
  it('hold when each ends with an id, and every test with that id passed', () => {
    expect(check({})).toEqual([]);
    expect(check({ holds: '- This too, [S4] and that. [S5]' }, test('both [S4] [S5]'))).toEqual([]);
  });

  it.each([
    ['a row', { assets: '| another key | there |' }],
    ['an item', { holds: '- More.' }],
    ['an item with an id only in its middle', { holds: '- This holds. [S4] That too,\n  they say.' }],
    ['an item that has no test, and is no limit', { holds: '- More [S4] holds. (no test)' }],
  ])('do not hold when %s does not end with an id', (_, added) => {
    expect(check(added, test('more [S4]'))).toContainEqual(expect.stringMatching(/does not end with an id/));
  });

  it('do not hold when no test with their id ran', () => {
    expect(check({ holds: '- More. [S4]' })).toEqual([expect.stringMatching(/no test with S4 ran/)]);
  });

  it.each(['failed', 'skipped'])('do not hold when a test with their id is %s', (state) => {
    expect(check({}, test('more [S2]', state))).toEqual([`S2: 'more [S2]' of a.test.ts is ${state}`]);
  });

  it('have every id that a test names', () => {
    expect(check({}, test('more [S4]'))).toEqual([expect.stringMatching(/no line has S4, as 'more \[S4\]'/)]);
  });

  it('have each id once', () => {
    expect(check({ limits: '- More. [S1]' })).toEqual([expect.stringMatching(/S1 is also in line 12/)]);
  });

  it('have their form on the page itself, of 14 KB at most', async () => {
    const markdown = await readFile(new URL('../SECURITY.md', import.meta.url), 'utf8');
    const claims = readClaims(markdown);
    expect(markdown.length).toBeLessThanOrEqual(14 * 1024);
    const ids = claims.flatMap(({ text }) => text.match(/\[S\d+\]/g) ?? []);
    expect(problemsOf(claims, [test(ids.join(' '))])).toEqual([]);
  });

  it('do not hold when a section has none', () => {
    const empty = page().replace('- It holds.', 'It holds.').replace('[S2]', '');
    expect(problemsOf(readClaims(empty), [test('all [S1] [S3]')])).toEqual([
      "Section 'What holds' claims nothing",
    ]);
  });
});

describe("a test's ids", () => {
  it.each([
    ['a group › keeps the key [S1]', ['S1']],
    ['a group [S2] › keeps it [S12] [S3]', ['S2', 'S12', 'S3']],
    ['tests::keeps_the_key_s12', ['S12']],
    ['limits::keeps_the_key_s1_s12::protocol_85', ['S1', 'S12']],
    ['tests::waits_s5_seconds', []],
    ['tests::reads_rows4', []],
  ])('are read from its title or the end of a Rust name: case %#', (name, ids) => {
    expect(idsOf(name)).toEqual(ids);
  });
});

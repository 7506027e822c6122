import { describe, expect, it } from 'vitest';
import {
  CLAIMING,
  cargoResults,
  playwrightResults,
  problemsOf,
  problemsOfClaims,
  readClaims,
  readRows,
  SECTIONS,
  vitestResults,
} from './specification.mjs';

/** A table with one good row in every section, plus `row`. */
const table = (row = '') =>
  Object.entries(SECTIONS)
    .flatMap(([part, sections]) => [
      `## ${part}\n`,
      ...sections.map(
        (title, index) =>
          `### ${index + 1}. ${title}\n\n| What | Code | Tests |\n| --- | --- | --- |\n| all | \`a.ts\` | \`a.test.ts › works\` |\n`,
      ),
    ])
    .join('\n') + row;

const passed = { file: 'a.test.ts', name: 'works', state: 'passed' };
const check = (row: string, ...results: object[]) =>
  problemsOf(readRows(table(row)), [passed, ...results], (file: string) => file === 'a.ts');

describe('the table of the specification', () => {
  it('holds when every row names files that exist and tests that passed', () => {
    expect(check('')).toEqual([]);
  });

  it.each([
    ['did not run', [], /no test 'b.test.ts › also' ran/],
    ['was skipped', [{ file: 'b.test.ts', name: 'also', state: 'skipped' }], /is skipped/],
    ['failed', [{ file: 'b.test.ts', name: 'also', state: 'failed' }], /is failed/],
  ])('does not hold when a named test %s', (_, results, problem) => {
    expect(check('| more | `a.ts` | `b.test.ts › also` |', ...results)).toEqual([
      expect.stringMatching(problem),
    ]);
  });

  it.each([
    ['names no test', '| more | `a.ts` | |', /names no test/],
    ['names no code', '| more | | `a.test.ts › works` |', /names no code/],
    ['names a file that is not there', '| more | `gone.ts` | `a.test.ts › works` |', /there is no gone.ts/],
  ])('does not hold when a row %s', (_, row, problem) => {
    expect(check(row)).toEqual([expect.stringMatching(problem)]);
  });

  it('does not hold when a section has no row', () => {
    const without = table().replace('### 8. Error catalogue', '### 8. Something else');
    expect(problemsOf(readRows(without), [passed], () => true)).toEqual([
      "Section 'Error catalogue' of 'The core wallet' has no row",
    ]);
  });

  it('treats a name that ends in … as a prefix: every test that begins with it must have passed', () => {
    const row = '| more | `a.ts` | `c.test.ts › refuses …` |';
    const one = { file: 'c.test.ts', name: 'refuses one', state: 'passed' };
    expect(check(row, one, { ...one, name: 'refuses two' })).toEqual([]);
    expect(check(row, one, { ...one, name: 'refuses two', state: 'failed' })).toHaveLength(1);
    expect(check(row)).toHaveLength(1);
  });
});

describe("SECURITY.md's claims", () => {
  const [SECRETS, GUARANTEES, LIMITS] = CLAIMING;
  /** One good claim in each section, with these lines added to them. */
  const page = (added: Record<string, string> = {}) => `
## What an attacker may control

- A list that claims nothing.

## ${SECRETS}

| secret | lives in | never in |
|---|---|---|
| a key | here | there[^key] |
${added[SECRETS!] ?? ''}

## ${GUARANTEES}

- **It holds.** The sentence goes on
  over two lines.[^key]
${added[GUARANTEES!] ?? ''}

## ${LIMITS}

- It has a limit.[^limit]
${added[LIMITS!] ?? ''}

[^key]: \`a.test.ts › works\`
[^limit]: No test: nothing can show it.
${added.notes ?? ''}
`;
  const claims = (added: Record<string, string>, ...results: object[]) =>
    problemsOfClaims(readClaims(page(added)), [passed, ...results]);

  it('hold when each ends with a note, and the tests of each note passed', () => {
    expect(claims({})).toEqual([]);
  });

  it('do not hold when one has no note, or one only in its middle', () => {
    expect(claims({ [SECRETS!]: '| another key | here | there |' })).toEqual([
      expect.stringMatching(/does not end with a note/),
    ]);
    expect(claims({ [GUARANTEES!]: '- This holds.[^key] That too,\n  they say.' })).toEqual([
      expect.stringMatching(/does not end with a note/),
    ]);
  });

  it('do not hold when a note is missing, or belongs to no claim', () => {
    expect(claims({ [LIMITS!]: '- More.[^gone]' })).toEqual([expect.stringMatching(/no note gone/)]);
    expect(claims({ notes: '[^spare]: `a.test.ts › works`' })).toEqual([
      expect.stringMatching(/no claim has this note/),
    ]);
  });

  it('do not hold when a test of a note did not run or failed', () => {
    const notes = '[^more]: `a.test.ts › works`, \n    `b.test.ts › also`';
    const added = { [GUARANTEES!]: '- More.[^more]', notes };
    expect(claims(added)).toEqual([expect.stringMatching(/no test 'b.test.ts › also' ran/)]);
    const failed = { file: 'b.test.ts', name: 'also', state: 'failed' };
    expect(claims(added, failed)).toEqual([expect.stringMatching(/is failed/)]);
  });

  it('need a test where they are no limit: a reason is not enough', () => {
    const added = { [GUARANTEES!]: '- More.[^limit]' };
    expect(claims(added)).toEqual([expect.stringMatching(/\(limit\): names no test/)]);
  });

  it('do not hold when a section has none', () => {
    const empty = page()
      .replace('- It has a limit.[^limit]', '')
      .replace(/\[\^limit\]: .*/, '');
    expect(problemsOfClaims(readClaims(empty), [passed])).toEqual([`Section '${LIMITS}' claims nothing`]);
  });
});

describe('the reports', () => {
  it('of vitest are read with their groups', () => {
    const assertionResults = [{ ancestorTitles: ['a', 'b'], title: 'c', status: 'passed', duration: 12 }];
    const report = { testResults: [{ name: '/repo/x.test.ts', assertionResults }] };
    expect(vitestResults(report, '/repo')).toEqual([
      { file: 'x.test.ts', name: 'a › b › c', state: 'passed', ms: 12 },
    ]);
  });

  it('of Playwright are read with their groups, and skipped tests are marked', () => {
    const spec = (title: string, ok: boolean, status: string) => ({
      title,
      ok,
      tests: [{ status, results: [{ duration: 3 }, { duration: 4 }] }],
    });
    const suites = [
      {
        title: 'x.spec.ts',
        file: 'x.spec.ts',
        specs: [spec('top', true, 'expected'), spec('not run', true, 'skipped')],
        suites: [{ title: 'group', file: 'x.spec.ts', specs: [spec('inner', false, 'unexpected')] }],
      },
    ];
    expect(playwrightResults({ config: { rootDir: '/repo/tests' }, suites }, '/repo')).toEqual([
      { file: 'tests/x.spec.ts', name: 'top', state: 'passed', ms: 7 },
      { file: 'tests/x.spec.ts', name: 'not run', state: 'skipped', ms: 7 },
      { file: 'tests/x.spec.ts', name: 'group › inner', state: 'failed', ms: 7 },
    ]);
  });

  it('of Playwright are read for each project: a test that failed in the second has failed', () => {
    const tests = [
      { projectName: 'page', status: 'expected' },
      { projectName: 'frame', status: 'unexpected' },
    ];
    const specs = [{ title: 'works', ok: true, tests }];
    const suites = [{ title: 'a.test.ts', file: 'a.test.ts', specs }];
    const results = playwrightResults({ config: { rootDir: '/repo' }, suites }, '/repo');
    expect(results.map(({ state }) => state)).toEqual(['passed', 'failed']);
    expect(problemsOf(readRows(table()), results, () => true)).toContainEqual(
      expect.stringMatching(/'a.test.ts › works' is passed, failed/),
    );
  });

  it('of cargo are read with the binary they ran in', () => {
    const log = [
      '     Running unittests src/lib.rs (target/debug/deps/latchkey_vrf-0123456789abcdef)',
      'test tests::proves ... ok',
      'test tests::waits ... ignored',
      '     Running tests/limits.rs (/somewhere/target/debug/deps/limits-00ff)',
      'test refuses ... FAILED',
    ].join('\n');
    expect(cargoResults(log)).toEqual([
      { file: 'latchkey_vrf', name: 'tests::proves', state: 'passed' },
      { file: 'latchkey_vrf', name: 'tests::waits', state: 'ignored' },
      { file: 'limits', name: 'refuses', state: 'failed' },
    ]);
  });
});

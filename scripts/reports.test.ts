import { describe, expect, it } from 'vitest';
import { cargoResults, playwrightResults, vitestResults } from './reports.mjs';

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

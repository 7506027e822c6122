// Reads the reports that scripts/test.sh keeps of a run: each test with its file, its name and its state.
import { relative, resolve } from 'node:path';

/** Between the groups and the title in a test's name. */
const SEPARATOR = ' › ';

/** Vitest's JSON report. */
export function vitestResults(report, root) {
  return report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status, duration }) => ({
      file: relative(root, file),
      name: [...ancestorTitles, title].join(SEPARATOR),
      state: status,
      ms: duration ?? 0,
    })),
  );
}

/** Playwright's JSON report: a result for each project that runs the test; `ok` covers only the first project. */
export function playwrightResults(report, root) {
  const walk = ({ specs = [], suites = [] }, file, titles) => [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ status, results = [] }) => ({
        file,
        name: [...titles, title].join(SEPARATOR),
        state: status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed',
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
      })),
    ),
    ...suites.flatMap((suite) => walk(suite, file, [...titles, suite.title])),
  ];
  return report.suites.flatMap((suite) =>
    walk(suite, relative(root, resolve(report.config.rootDir, suite.file)), []),
  );
}

/** The output of cargo test, which names the test binary before its tests. */
export function cargoResults(log) {
  const results = [];
  let file = '';
  for (const line of log.split('\n')) {
    file = /^\s+Running .*\/deps\/([\w-]+)-[0-9a-f]+\)$/.exec(line)?.[1] ?? file;
    const test = /^test (\S+)(?: - should panic)? \.\.\. (ok|ignored|FAILED)/.exec(line);
    if (test)
      results.push({ file, name: test[1], state: test[2] === 'ok' ? 'passed' : test[2].toLowerCase() });
  }
  return results;
}

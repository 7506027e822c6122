// Prints the slowest tests of a run, from the reports that scripts/test.sh keeps.
// Usage: node scripts/slowest.mjs LOGS COUNT PART..., the parts that this run has run.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { playwrightResults, vitestResults } from './reports.mjs';

/** Node's TAP report of test files: the tests that hold no others, with their milliseconds. */
export function tapResults(report) {
  const results = [];
  const path = [];
  let pending;
  for (const line of report.split('\n')) {
    const depth = /^ */.exec(line)[0].length / 4;
    const [, started] = /^ *# Subtest: (.*)$/.exec(line) ?? [];
    if (started !== undefined) {
      path.length = depth;
      path[depth] = started;
    }
    const [, state, name] = /^ *(ok|not ok) \d+ - (.*)$/.exec(line) ?? [];
    if (name !== undefined) pending = { name: [...path.slice(0, depth), name].join(' › '), state };
    const [, ms] = /^ *duration_ms: ([\d.]+)$/.exec(line) ?? [];
    if (ms !== undefined && pending) {
      pending.ms = Number(ms);
      results.push(pending);
      pending = undefined;
    }
  }
  // A suite's time is that of its tests.
  return results.filter(({ name }) => !results.some((other) => other.name.startsWith(`${name} › `)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const [logs, count, ...parts] = process.argv.slice(2);
  const read = (name) => {
    const path = `${logs}/${name}`;
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  const engineResults = (engine) =>
    tapResults(read(`${engine}.tap`) ?? '').map((test) => ({ ...test, file: `tests/${engine}` }));
  const readers = {
    js: () => vitestResults(JSON.parse(read('js.json') ?? '{"testResults":[]}'), root),
    e2e: () => playwrightResults(JSON.parse(read('e2e.json') ?? '{"suites":[]}'), root),
    firefox: () => engineResults('firefox'),
    webkit: () => engineResults('webkit'),
  };
  const tests = parts.flatMap((part) => readers[part]?.() ?? []);
  const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, Number(count));
  if (slowest.length > 0) console.log(`\nThe slowest of ${tests.length} tests:`);
  for (const { ms, file, name } of slowest)
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file} › ${name}`);
}

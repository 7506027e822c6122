// Checks docs/maintainers/specification.md and SECURITY.md against the run's reports: every row of the first names files that exist
// and tests that ran and passed, every line of the second has a note with tests that ran and passed.
// Usage: node scripts/specification.mjs LOGS, after the rust, js and e2e parts of scripts/test.sh wrote their reports there.
import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The specification's sections, by its parts; the page has a heading for each. */
export const SECTIONS = {
  'The core wallet': [
    'What the product does',
    'Screens and routes',
    'Entities and their fields',
    'States and transitions',
    'Validation rules',
    'Roles and permissions',
    'The calls it makes',
    'Error catalogue',
    'Business constants and limits',
  ],
  'Host surfaces: the wallet frame': [
    'Screens and routes',
    'States and transitions',
    'Roles and permissions',
    'The calls it makes',
    'Error catalogue',
    'Business constants and limits',
    'Security decisions',
  ],
  'Host surfaces: the embedded transaction button': [
    'Screens and routes',
    'States and transitions',
    'Roles and permissions',
    'The calls it makes',
    'Error catalogue',
    'Business constants and limits',
    'Security decisions',
  ],
  'Host surfaces: the kit’s screens': [
    'Screens and routes',
    'States and transitions',
    'Validation rules',
    'Error catalogue',
    'Business constants and limits',
  ],
  'Host surfaces: the demo': [
    'Screens and routes',
    'Entities and their fields',
    'States and transitions',
    'Validation rules',
    'The calls it makes',
    'Error catalogue',
    'Business constants and limits',
  ],
};

/** The section of SECURITY.md about limits: a note may say there that no test can show one. */
const LIMITS = 'What they do not guarantee';

const SEPARATOR = ' › ';
/** At the end of a test's name: any name with this beginning, for a test that runs for several cases. */
const CASES = '…';

/**
 * The rows of the table's markdown: `| what | code | tests |` under `### n. section` under `## part`. Code and tests
 * are in backticks, a test as `file › name`, a Rust test as `test binary › module::name`.
 */
export function readRows(markdown) {
  const rows = [];
  let part = '';
  let section = '';
  markdown.split('\n').forEach((line, index) => {
    const [, level, title] = /^(##|###) (?:\d+\. )?(.+)$/.exec(line) ?? [];
    if (level === '##') [part, section] = [title, ''];
    if (level === '###') section = title;
    if (!line.startsWith('|') || /^\|[\s|:-]+$/.test(line) || /^\| *What *\|/.test(line)) return;
    const [what = '', code = '', tests = ''] = line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    rows.push({ line: index + 1, part, section, what, code: quoted(code), tests: quoted(tests) });
  });
  return rows;
}

function quoted(cell) {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1].replaceAll('\\|', '|'));
}

/** The problems of the table, in sentences; empty if it holds. */
export function problemsOf(rows, results, exists) {
  const problems = [];
  for (const [part, sections] of Object.entries(SECTIONS)) {
    for (const section of sections) {
      if (!rows.some((row) => row.part === part && row.section === section))
        problems.push(`Section '${section}' of '${part}' has no row`);
    }
  }
  for (const { line, what, code, tests } of rows) {
    const at = `line ${line} (${what.slice(0, 60)})`;
    if (code.length === 0) problems.push(`${at}: names no code`);
    if (tests.length === 0) problems.push(`${at}: names no test`);
    for (const file of code) if (!exists(file)) problems.push(`${at}: there is no ${file}`);
    problems.push(...failuresOf(tests, results).map((failure) => `${at}: ${failure}`));
  }
  return problems;
}

/** The sections of SECURITY.md whose every list item and table row is a claim. */
export const CLAIMING = ['Where each secret may be', 'What the parts guarantee', LIMITS];

/**
 * The claims of SECURITY.md's markdown, and its notes: `claim.[^name]` and, after all sections,
 * ``[^name]: `file › test`, `file › test` `` or, for a limit, `[^name]: No test: the reason`.
 */
export function readClaims(markdown) {
  const claims = [];
  const notes = new Map();
  let section = '';
  let open;
  markdown.split('\n').forEach((text, index) => {
    const [, title] = /^## (.+)$/.exec(text) ?? [];
    const [, note, first] = /^\[\^([\w-]+)\]: (.+)$/.exec(text) ?? [];
    const isTableHead = /^\|[\s|:-]+$/.test(text) || /^\| *secret *\|/.test(text);
    const isClaim = CLAIMING.includes(section) && /^(- |\|)/.test(text) && !isTableHead;
    if (title) [section, open] = [title, undefined];
    else if (note) {
      open = { line: index + 1, text: first };
      notes.set(note, open);
    } else if (isClaim) {
      open = { line: index + 1, section, text };
      claims.push(open);
    } else if (/^ +\S/.test(text) && open) open.text += ` ${text.trim()}`;
    else open = undefined;
  });
  return { claims, notes };
}

/** The problems of SECURITY.md, in sentences; empty if each claim ends with a note, and each note's tests passed. */
export function problemsOfClaims({ claims, notes }, results) {
  const problems = CLAIMING.filter((title) => !claims.some(({ section }) => section === title)).map(
    (title) => `Section '${title}' claims nothing`,
  );
  const sections = new Map();
  for (const { line, section, text } of claims) {
    const named = [...text.matchAll(/\[\^([\w-]+)\]/g)].map((match) => match[1]);
    if (!/\[\^[\w-]+\](?: \|)?$/.test(text)) problems.push(`line ${line}: does not end with a note`);
    for (const note of named) {
      if (!notes.has(note)) problems.push(`line ${line}: there is no note ${note}`);
      sections.set(note, [...(sections.get(note) ?? []), section]);
    }
  }
  for (const [note, { line, text }] of notes) {
    const at = `line ${line} (${note})`;
    const used = sections.get(note);
    if (!used) problems.push(`${at}: no claim has this note`);
    const mayLackTests = used?.every((section) => section === LIMITS) && /^No test: ./.test(text);
    const tests = quoted(text);
    if (tests.length === 0 && !mayLackTests) problems.push(`${at}: names no test`);
    problems.push(...failuresOf(tests, results).map((failure) => `${at}: ${failure}`));
  }
  return problems;
}

/** The problems of these tests: they did not run, or did not pass. */
function failuresOf(tests, results) {
  return tests.flatMap((test) => {
    const states = statesOf(test, results);
    if (states.length === 0) return [`no test '${test}' ran`];
    return states.every((state) => state === 'passed') ? [] : [`'${test}' is ${states.join(', ')}`];
  });
}

function statesOf(test, results) {
  const [file, ...rest] = test.split(SEPARATOR);
  const name = rest.join(SEPARATOR);
  return results
    .filter((result) => result.file === file)
    .filter((result) =>
      name.endsWith(CASES) ? result.name.startsWith(name.slice(0, -CASES.length)) : result.name === name,
    )
    .map((result) => result.state);
}

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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const logs = process.argv[2];
  const json = (name) => JSON.parse(readFileSync(`${logs}/${name}.json`, 'utf8'));
  const results = [
    ...vitestResults(json('js'), root),
    ...playwrightResults(json('e2e'), root),
    ...['chain', 'rust'].flatMap((name) => cargoResults(readFileSync(`${logs}/${name}.log`, 'utf8'))),
  ];
  const rows = readRows(readFileSync(`${root}docs/maintainers/specification.md`, 'utf8'));
  const claims = readClaims(readFileSync(`${root}SECURITY.md`, 'utf8'));
  const problems = [
    ...problemsOf(rows, results, (file) => existsSync(`${root}${file}`)).map(
      (problem) => `docs/maintainers/specification.md, ${problem}`,
    ),
    ...problemsOfClaims(claims, results).map((problem) => `SECURITY.md, ${problem}`),
  ];
  for (const problem of problems) console.error(problem);
  const tests = new Set(rows.flatMap((row) => row.tests)).size;
  console.log(
    `${rows.length} rows of the specification, held by ${tests} tests, and ${claims.claims.length} claims of SECURITY.md: ${problems.length} problems`,
  );
  process.exit(problems.length ? 1 : 0);
}

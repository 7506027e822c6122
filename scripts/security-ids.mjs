// Compares the ids in SECURITY.md with those in the titles of the tests that ran: each line of the page has a test that passed.
// Usage: node scripts/security-ids.mjs LOGS, after the rust, js and e2e parts of scripts/test.sh wrote their reports there.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cargoResults, playwrightResults, vitestResults } from './reports.mjs';

/** The sections whose list items and table rows are claims. */
const CLAIMING = ['Assets', 'What holds', 'What does not hold'];
/** The section that may say of a line that no test can show it. */
const LIMITS = 'What does not hold';
const NO_TEST = '(no test)';
const ID = /\[(S\d+)\]/g;

/** The list items and table rows of the claiming sections, each as one line of text. */
export function readClaims(markdown) {
  const claims = [];
  let section = '';
  let open;
  const isRule = (text) => /^\|[\s|:-]+$/.test(text ?? '');
  markdown.split('\n').forEach((text, index, lines) => {
    section = /^## (.+)$/.exec(text)?.[1] ?? section;
    const isTableHead = isRule(text) || isRule(lines[index + 1]);
    if (CLAIMING.includes(section) && /^([-*] |\|)/.test(text) && !isTableHead) {
      open = { line: index + 1, section, text };
      claims.push(open);
    } else if (/^ +\S/.test(text) && open) open.text += ` ${text.trim()}`;
    else open = undefined;
  });
  return claims;
}

/** The ids in a test's name: `[S12]` in a title, `_s12` at the end of a Rust function or module. */
export function idsOf(name) {
  const suffixes = [...name.matchAll(/((?:_s\d+)+)(?=::|$)/g)].flatMap(([, ids]) => ids.match(/s\d+/g));
  return [...[...name.matchAll(ID)].map(([, id]) => id), ...suffixes.map((id) => id.toUpperCase())];
}

/** The problems of the page with the run's tests, in sentences; empty if each id of either is in the other and passed. */
export function problemsOf(claims, results) {
  const problems = CLAIMING.filter((title) => !claims.some(({ section }) => section === title)).map(
    (title) => `Section '${title}' claims nothing`,
  );
  const lines = new Map();
  for (const { line, section, text } of claims) {
    const end = text.replace(/ *\|$/, '');
    const mayLackTest = section === LIMITS && end.endsWith(NO_TEST);
    if (!/\[S\d+\]$/.test(end) && !mayLackTest) problems.push(`line ${line}: does not end with an id`);
    for (const [, id] of text.matchAll(ID)) {
      if (lines.has(id)) problems.push(`line ${line}: ${id} is also in line ${lines.get(id)}`);
      lines.set(id, line);
    }
  }
  const tests = new Map();
  for (const result of results)
    for (const id of idsOf(result.name)) tests.set(id, [...(tests.get(id) ?? []), result]);
  for (const [id, line] of lines) {
    if (!tests.has(id)) problems.push(`line ${line}: no test with ${id} ran`);
  }
  for (const [id, named] of tests) {
    const failed = named.filter(({ state }) => state !== 'passed');
    if (!lines.has(id)) problems.push(`no line has ${id}, as '${named[0].name}' of ${named[0].file} says`);
    for (const { file, name, state } of failed) problems.push(`${id}: '${name}' of ${file} is ${state}`);
  }
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const read = (name) => readFileSync(`${process.argv[2]}/${name}`, 'utf8');
  const results = [
    ...vitestResults(JSON.parse(read('js.json')), root),
    ...playwrightResults(JSON.parse(read('e2e.json')), root),
    ...['chain.log', 'rust.log'].flatMap((log) => cargoResults(read(log))),
  ];
  const claims = readClaims(readFileSync(`${root}SECURITY.md`, 'utf8'));
  const problems = problemsOf(claims, results);
  for (const problem of problems) console.error(`SECURITY.md, ${problem}`);
  const proofs = results.filter(({ name }) => idsOf(name).length > 0).length;
  console.log(`${claims.length} lines of SECURITY.md, held by ${proofs} tests: ${problems.length} problems`);
  process.exit(problems.length ? 1 : 0);
}

// Writes the table of authenticators into docs/guides/browsers.mdx, from what the tests found (docs/guides/authenticators.json).
// Usage: node scripts/authenticators.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const PAGE = 'docs/guides/browsers.mdx';
const TABLE = 'docs/guides/authenticators.json';
const START = '{/* The table of authenticators. scripts/authenticators.mjs writes it. */}\n';
const END = '{/* The end of the table of authenticators. */}';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The knobs of dev/authenticators/knobs.ts in words; the others say it themselves. */
const KNOBS = {
  aaguid: 'AAGUID',
  backup: 'the backup flags',
  cancel: 'how a no ends',
  createPrf: 'outputs at create',
  functions: 'whether it patches the page',
  getPrf: 'outputs at get',
  object: 'the form of its credential',
  uv: 'when it verifies the user',
};
const named = (knob) => KNOBS[knob] ?? knob;

/** The page with the current table. */
export function withTable(page = read(PAGE), rows = JSON.parse(read(TABLE))) {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the table of authenticators`);
  return `${page.slice(0, start)}${START}\n${table(rows)}\n\n${page.slice(end)}`;
}

function table(rows) {
  const cells = rows.map((row) => [
    row.authenticator,
    row.where,
    row.aaguid ? `\`${row.aaguid}\`` : '–',
    row.registrationPrompts,
    row.signaturePrompts?.join(', then ') ?? '–',
    [row.result, row.except && `except ${row.except}`, row.warning && `said before: ${row.warning}`]
      .filter(Boolean)
      .join('; '),
    row.unknown?.map(named).join(', ') ?? '–',
    row.triedOnHardware,
  ]);
  const head = [
    'authenticator',
    'where',
    'AAGUID',
    'prompts to register',
    'to sign',
    'result',
    'not known',
    'tried on real hardware',
  ];
  return [head, head.map(() => '---'), ...cells].map(line).join('\n');
}

/** Braces and angle brackets are code in MDX. */
const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll(/[|{}<]/g, '\\$&')).join(' | ')} |`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL(`../${PAGE}`, import.meta.url)), withTable());
}

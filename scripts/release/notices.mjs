// The licences of the crates in a program, as one text: the files that each crate has, each text once.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILE = /^(licen[cs]e|copying|notice|copyright|unlicense)/i;
/** Crates carry C libraries some folders deep, with licences of their own. */
const DEPTH = 3;

/** The licence files below a folder. */
function licenceFiles(folder, depth = DEPTH) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 ? licenceFiles(path, depth - 1) : [];
    return entry.isFile() && FILE.test(entry.name) && !/\.(rs|json)$/.test(entry.name) ? [path] : [];
  });
}

/**
 * The text for a program of these crates, as `cargo metadata` describes them: which crates there are, then each different licence
 * with the crates that have it. Our own crates, which have no `source`, are left out.
 */
export function noticesOf(program, crates) {
  const others = crates.filter(({ source }) => source).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const titleOf = ({ name, version }) => `${name} ${version}`;
  const texts = new Map();
  for (const crate of others) {
    for (const path of licenceFiles(dirname(crate.manifest_path))) {
      const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim();
      if (!text) continue;
      if (!texts.has(text)) texts.set(text, new Set());
      texts.get(text).add(titleOf(crate));
    }
  }
  const list = others.map((crate) => `${titleOf(crate)}: ${crate.license ?? 'see its licence below'}`);
  const parts = [...texts].map(([text, users]) => `Of ${[...users].join(', ')}:\n\n${text}`);
  return [
    `${program} links these crates, and the Rust standard library (MIT OR Apache-2.0).\n\n${list.join('\n')}`,
    ...parts,
  ]
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n');
}

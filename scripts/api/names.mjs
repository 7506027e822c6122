// The public names of the packages: what each entry exports, and the members of the types that an app calls.
// Usage: node scripts/api/names.mjs   (after a build; adds the new names to the list, and removes none)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declarationsOf, parsed } from './declarations.mjs';
import { ROOT } from './exports.mjs';

const PACKAGES = ['ts', 'server', 'react', 'dev'];
export const LIST = 'tests/vectors/first-release/exports.json';
/** The types whose members are calls and options of an app. */
const MEMBERS = {
  'ts/src/wallet.ts': ['Wallet'],
  'ts/src/plain-names.ts': ['PlainNames'],
  'ts/src/config.ts': ['PasskeyManagerConfig'],
};

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** The names that a file of declarations exports, also by `export *` from a file next to it. */
export function exportedNames(path) {
  const names = parsed(read(path)).statements.flatMap((statement) => {
    switch (statement.type) {
      case 'ExportDefaultDeclaration':
        return ['default'];
      case 'ExportAllDeclaration': {
        const from = statement.source.value;
        // What comes from another package is that package's promise.
        if (!from.startsWith('.')) return [];
        return exportedNames(join(dirname(path), from.replace(/\.js$/, '.d.ts')));
      }
      case 'ExportNamedDeclaration': {
        const { declaration, specifiers } = statement;
        const declared = declaration ? (declaration.declarations ?? [declaration]) : [];
        return [...declared.map(({ id }) => id.name), ...specifiers.map(({ exported }) => exported.name)];
      }
      default:
        return [];
    }
  });
  return [...new Set(names)].sort();
}

/** By entry of a package, and by main type: its names. `latchkey/internal` and what is below it promise nothing. */
export function publicNames() {
  const names = {};
  for (const folder of PACKAGES) {
    const { name, exports, bin = {} } = JSON.parse(read(`${folder}/package.json`));
    for (const [entry, target] of Object.entries(exports)) {
      if (entry.startsWith('./internal')) continue;
      const types = target.types && !entry.endsWith('.wasm') ? exportedNames(join(folder, target.types)) : [];
      names[`${name}${entry.slice(1)}`] = types;
    }
    if (Object.keys(bin).length > 0) names[`commands of ${name}`] = Object.keys(bin).sort();
  }
  for (const [path, types] of Object.entries(MEMBERS))
    for (const type of types) {
      const found = declarationsOf(read(path)).find((each) => each.name === type);
      names[`members of ${type}`] = found.members.map((member) => member.name).sort();
    }
  return names;
}

export const listedNames = () => (existsSync(join(ROOT, LIST)) ? JSON.parse(read(LIST)) : {});

/** What the second has and the first lacks, as `entry: name`; an entry without names counts by itself. */
export function missing(names, wanted) {
  return Object.entries(wanted).flatMap(([entry, all]) => {
    if (!Object.hasOwn(names, entry)) return [entry, ...all.map((name) => `${entry}: ${name}`)];
    return all.filter((name) => !names[entry].includes(name)).map((name) => `${entry}: ${name}`);
  });
}

if (process.argv[1] === import.meta.filename) {
  const [listed, here] = [listedNames(), publicNames()];
  const entries = [...new Set([...Object.keys(listed), ...Object.keys(here)])].sort();
  const union = (entry) => [...new Set([...(listed[entry] ?? []), ...(here[entry] ?? [])])].sort();
  const lines = entries.map((entry) => `  ${JSON.stringify(entry)}: ${JSON.stringify(union(entry))}`);
  writeFileSync(join(ROOT, LIST), `{\n${lines.join(',\n')}\n}\n`);
}

// What an entry of a package exports, with the declaration of each name.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declarationsOf } from './declarations.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const read = (path) => readFileSync(join(ROOT, path), 'utf8');
export const declared = (path) => declarationsOf(read(path));

/** The declaration of this name in a source. */
export function declaration(path, name) {
  const found = declared(path).find((each) => each.name === name);
  if (!found) throw new Error(`${path} does not declare ${name}`);
  return found;
}

/** What the server's entries pass on of the package below. */
const SERVER_INTERNAL = { 'latchkey/internal/server': 'ts/src/internal/server.ts' };

/** The declarations that an entry exports by name, in its order, with those of `export type *`. */
export function exportsOf(entry) {
  const source = read(entry);
  const named = [...source.matchAll(/export (?:type )?(\{[^}]*\}|\*) from '([^']+)';/g)].flatMap(
    ([, names, from]) => {
      const path = SERVER_INTERNAL[from] ?? join(dirname(entry), from.replace(/\.js$/, '.ts'));
      if (!existsSync(join(ROOT, path))) return [];
      const all = declared(path);
      if (names === '*') return all;
      const wanted = names
        .slice(1, -1)
        .split(',')
        .map((name) => name.replace(/\btype\b/, '').trim())
        .filter(Boolean);
      return wanted.flatMap((name) => {
        const found = all.find((each) => each.name === name) ?? reExported(path, name);
        return found ? [found] : [];
      });
    },
  );
  return [...named, ...declared(entry)];
}

function reExported(path, name) {
  return exportsOf(path).find((each) => each.name === name);
}

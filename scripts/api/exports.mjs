// What an entry of a package exports, with the declaration of each name.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declarationsOf, parsed } from './declarations.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** The declaration of this name in a source. */
export function declaration(path, name) {
  const found = declarationsOf(read(path)).find((each) => each.name === name);
  if (!found) throw new Error(`${path} does not declare ${name}`);
  return found;
}

/** What the server's entries pass on of the package below. */
const SERVER_INTERNAL = { 'latchkey/internal/server': 'ts/src/internal/server.ts' };

/** The declarations that an entry exports by name, in its order, then its own. */
export function exportsOf(entry) {
  const source = read(entry);
  const passedOn = parsed(source).statements.flatMap((statement) => {
    if (!statement.source) return [];
    const from = statement.source.value;
    const path = SERVER_INTERNAL[from] ?? join(dirname(entry), from.replace(/\.js$/, '.ts'));
    if (!/^Export/.test(statement.type) || !existsSync(join(ROOT, path))) return [];
    const all = exportsOf(path);
    return (
      statement.specifiers?.flatMap(({ local }) => all.find(({ name }) => name === local.name) ?? []) ?? all
    );
  });
  return [...passedOn, ...declarationsOf(source)];
}

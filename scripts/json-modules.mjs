// JSON that a package imports, as modules of JavaScript: not every bundler and Node.js reads JSON as a module.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const IMPORT = /(from '[^']+\.json)' with \{ type: 'json' \}/g;

/** The type of the data, with every text as `string`. */
function typeOf(data) {
  if (typeof data !== 'object' || data === null) return typeof data;
  if (Array.isArray(data)) return `readonly (${[...new Set(data.map(typeOf))].join(' | ')})[]`;
  return `{ ${Object.entries(data)
    .map(([name, value]) => `${JSON.stringify(name)}: ${typeOf(value)};`)
    .join(' ')} }`;
}

/** Replaces each JSON file of a folder that tsc wrote by a module `<name>.json.js` with its types, and every import of one. */
export async function jsonAsModules(folder) {
  for (const path of await readdir(folder, { recursive: true })) {
    const file = join(folder, path);
    if (path.endsWith('.json')) {
      const data = JSON.parse(await readFile(file, 'utf8'));
      await writeFile(`${file}.js`, `export default ${JSON.stringify(data)};\n`);
      await writeFile(`${file}.d.ts`, `declare const data: ${typeOf(data)};\nexport default data;\n`);
      await rm(file);
    } else if (/\.(js|d\.ts)$/.test(path)) {
      const source = await readFile(file, 'utf8');
      const changed = source.replaceAll(IMPORT, "$1.js'");
      if (changed !== source) await writeFile(file, changed);
    }
  }
}

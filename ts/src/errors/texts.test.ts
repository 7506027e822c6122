import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '..');
const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|testing\//.test(path))
    .map((path) => resolve(folder, path));
const sources = sourcesIn(src);

const text = (file: string): string => readFileSync(file, 'utf8');
const isTable = (file: string): boolean => /^errors(\.ts$|\/)/.test(relative(src, file));

/** All files that importing `file` loads, transitively. Type imports load nothing. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const [, path = ''] of text(file).matchAll(
    /^(?:import|export) (?!type )(?:[^;]*? from )?'(\.[^']+)\.js';/gm,
  )) {
    const imported = resolve(dirname(file), `${path}.ts`);
    if (sources.includes(imported)) loadedWith(imported, loaded);
  }
  return loaded;
}

const codesIn = (file: string): string[] =>
  [
    ...(/const TEXTS = \{\n(.*?)\n\} as const/s.exec(text(file))?.[1] ?? '').matchAll(/^ {2}([A-Z\d_]+):/gm),
  ].map(([, code = '']) => code);
const tables = sources.filter(isTable);
const tableOf = new Map(tables.flatMap((table) => codesIn(table).map((code) => [code, table] as const)));

/** The sources without the tables of texts, the texts that are taken for another code, and the comparisons with a code. */
const carrying = [...sources, ...sourcesIn(resolve(src, '../../react/src'))]
  .map(text)
  .join('\n')
  .replace(/const TEXTS = \{\n.*?\n\} as const/gs, '')
  .replace(/errorText\(\s*'\w+'|isLatchkeyError\([^)]*\)|(?:===|!==|case) '\w+'/g, '');

describe('The texts of errors', () => {
  it('are each in one table', () => {
    const codes = tables.flatMap(codesIn);
    expect(codes.length).toBeGreaterThan(100);
    expect(codes).toEqual([...new Set(codes)]);
  });

  it('are loaded with every file that makes an error of their code', () => {
    const missing = sources
      .filter((file) => !isTable(file))
      .flatMap((file) => {
        const loaded = loadedWith(file);
        return [...text(file).matchAll(/(?:LatchkeyError|errorText|failedAs|rethrow)\(\s*'([A-Z\d_]+)'/g)]
          .map(([, code = '']) => code)
          .filter((code) => !loaded.has(tableOf.get(code) ?? ''))
          .map((code) => `${relative(src, file)}: ${code}`);
      });
    expect(missing).toEqual([]);
  });

  it('are each of a code that something throws', () => {
    const codes = tables.flatMap(codesIn);
    expect(codes.filter((code) => !carrying.includes(`'${code}'`))).toEqual([]);
  });

  it("in a backend's bundle are only those of the error class", () => {
    const loaded = loadedWith(resolve(src, 'verify/index.ts'));
    expect([...loaded].filter(isTable).map((file) => relative(src, file))).toEqual([
      'errors/latchkey-error.ts',
    ]);
  });
});

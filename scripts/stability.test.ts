import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);
const page = readFileSync(at('docs/maintainers/stability.md'), 'utf8');
const rows = [...page.matchAll(/^\| (?!promise|---)(.+?) \| (.+) \|$/gm)].map(([, promise, tests]) => ({
  promise: promise as string,
  tests: [...(tests as string).matchAll(/`([^`]+?) › ([^`]+)`/g)].map(
    ([, path, title]) => [path, title] as [string, string],
  ),
}));

describe('the promises of docs/maintainers/stability.md', () => {
  it('cover accounts, packages, frame, stored data and registry', () => {
    const names = rows.flatMap(({ promise }) => /^\*\*(.+?)\.\*\*/.exec(promise)?.[1] ?? []);
    expect(names).toEqual(['Accounts', 'The packages', 'The frame', 'Stored data', 'The registry']);
  });

  it.each(rows)('name tests that exist: $promise', ({ tests }) => {
    expect(tests).not.toEqual([]);
    for (const [path, title] of tests) {
      expect(existsSync(at(path)), path).toBe(true);
      expect(readFileSync(at(path), 'utf8')).toContain(title);
    }
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { declarationsOf } from './api/declarations.mjs';
import { PAGES } from './api-pages.mjs';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

describe('the pages of the API (demo 2)', () => {
  it.each(Object.entries(PAGES))(
    '%s is what its sources say (if not: node --import tsx scripts/api-pages.mjs)',
    async (path, make) => {
      expect(await make()).toBe(read(path));
    },
  );

  it('name every variable that the relay reads', () => {
    const settings = readdirSync(new URL('server/src/platform', root))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => read(`server/src/platform/${name}`))
      .join('\n');
    const names = new Set([...settings.matchAll(/\.read\(\s*'([A-Z][A-Z0-9_]+)'/g)].map(([, name]) => name));
    const page = read('docs/api/environment.mdx');
    expect(names.size).toBeGreaterThan(20);
    expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the declarations of a source', () => {
  it('have their docs, and members over several lines', () => {
    const source = [
      '/** A thing. */',
      'export interface Thing {',
      '  /**',
      '   * Does it,',
      '   * at once.',
      '   */',
      '  run(',
      '    how: { readonly fast: boolean },',
      '  ): Promise<void>;',
      '  readonly name?: string;',
      '}',
      "export type Kind = 'a' | 'b';",
      'export function make(kind: Kind): Thing {',
    ].join('\n');
    expect(declarationsOf(source)).toMatchObject([
      {
        kind: 'interface',
        name: 'Thing',
        doc: 'A thing.',
        members: [
          {
            name: 'run',
            optional: false,
            type: '(how: { fast: boolean }): Promise<void>',
            doc: 'Does it, at once.',
          },
          { name: 'name', optional: true, type: 'string', doc: '' },
        ],
      },
      { kind: 'type', name: 'Kind', text: "export type Kind = 'a' | 'b';" },
      { kind: 'function', name: 'make' },
    ]);
  });
});

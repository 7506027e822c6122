import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { declarationsOf } from './api/declarations.mjs';
import { PAGES } from './api-pages.mjs';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

describe('the pages of the API (demo 2)', () => {
  it.each(Object.entries(PAGES))(
    '%s is what its sources say (if not: node --import tsx scripts/api-pages.mjs)',
    (path, make) => {
      expect(make()).toBe(read(path));
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
    const source = `
      /** A thing. */
      export interface Thing extends Part<'a'>, Other {
        /**
         * Does it,
         * at length.
         *
         * - twice
         */
        run(
          how: { readonly fast: boolean },
        ): Promise<void>;
        readonly name?:
          | string
          | undefined;
      }
      export type Kind = 'a' | 'b';`;
    expect(declarationsOf(source)).toEqual([
      {
        kind: 'interface',
        name: 'Thing',
        doc: 'A thing.',
        signature: expect.stringContaining('interface Thing'),
        parents: "Part<'a'>, Other",
        members: [
          {
            name: 'run',
            optional: false,
            type: '(how: { fast: boolean }): Promise<void>',
            doc: 'Does it, at length.\n\n- twice',
          },
          { name: 'name', optional: true, type: 'string | undefined', doc: '' },
        ],
      },
      {
        kind: 'type',
        name: 'Kind',
        doc: '',
        signature: "type Kind = 'a' | 'b';",
        parents: '',
        members: [],
      },
    ]);
  });

  it('have signatures without bodies, whatever stands in them', () => {
    const source = `
      export async function make({ kind, now = () => { return 1; } }: Options): Promise<Thing> { return kind; }
      export const SIZE: number = 32;
      export abstract class Made<T> extends Base implements Thing { run() {} }`;
    expect(declarationsOf(source).map(({ signature }) => signature)).toEqual([
      'function make(options: Options): Promise<Thing>;',
      'const SIZE: number;',
      'abstract class Made<T> extends Base implements Thing { … }',
    ]);
  });

  it('have the public members of a class, each without its body', () => {
    const source = `export class Manager {
      #hidden: string;
      private closed = false;
      /** Calls the listener, later. */
      async onChange(listener: (state: State) => void): () => void { return () => this.#remove(listener); }
      readonly config: Config = {};
    }`;
    expect(declarationsOf(source)[0]?.members).toEqual([
      {
        name: 'onChange',
        optional: false,
        type: '(listener: (state: State) => void): () => void',
        doc: 'Calls the listener, later.',
      },
      { name: 'config', optional: false, type: 'Config', doc: '' },
    ]);
  });
});

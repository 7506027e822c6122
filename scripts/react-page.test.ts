import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/api/react-components.mdx'), 'utf8');

/** The exports of the kit, each with the file that declares it. */
const index = readFileSync(join(root, 'react/src/index.ts'), 'utf8');
const exported = [...index.matchAll(/export (type )?\{([^}]*)\} from '(.*)\.js';/g)].flatMap(
  ([, , names = '', file = '']) =>
    names
      .split(',')
      .map((name) => name.replace(/\btype\b/, '').trim())
      .filter((name) => name !== '')
      .map((name) => ({ name, file })),
);

function sourceOf(file: string): string {
  const path = join(root, 'react/src', file);
  try {
    return readFileSync(`${path}.ts`, 'utf8');
  } catch {
    return readFileSync(`${path}.tsx`, 'utf8');
  }
}

/** The members of an interface that this file declares itself; empty for anything else. */
function membersOf(name: string, file: string): string[] {
  const [, body = ''] =
    new RegExp(`export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(sourceOf(file)) ?? [];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member = '']) => member);
}

/** The parts of the page below each heading. */
const sections = page.split(/^#{2,3} /m);
const marked = (name: string): RegExp => new RegExp(`\`${name}[\`(]`);

mkdirSync(join(root, 'build'), { recursive: true });
/** Inside the repository, so that the examples find the packages. */
const folder = mkdtempSync(join(root, 'build/page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the page on the React kit', () => {
  it('names every export of the kit', () => {
    expect(exported.length).toBeGreaterThan(40);
    const code = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text).join('\n');
    expect(exported.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
  });

  it('names every prop of every component and every field of every exported type, next to its owner', () => {
    const missing = exported.flatMap(({ name, file }) => {
      const own = sections.filter((section) => marked(name).test(section)).join('\n');
      return membersOf(name, file)
        .filter((member) => !marked(member).test(own))
        .map((member) => `${name}.${member}`);
    });
    expect(membersOf('LoginMenuProps', './login-menu/props')).toHaveLength(9);
    expect(missing).toEqual([]);
  });

  it('names no prop that a component does not have', () => {
    const stale = [...page.matchAll(/^\| `(\w+Props)` \|.*\n\|[-|]*\n((?:\|.*\n)*)/gm)].flatMap(
      ([, name = '', rows = '']) => {
        const { file = '' } = exported.find((each) => each.name === name) ?? {};
        const real = membersOf(name, file);
        const named = [...rows.matchAll(/^\| `(\w+)`/gm)].map(([, member = '']) => member);
        return named.filter((member) => !real.includes(member)).map((member) => `${name}.${member}`);
      },
    );
    expect(stale).toEqual([]);
  });

  it('has examples that compile', () => {
    const snippets = [...page.matchAll(/```tsx\n([\s\S]*?)```/g)].map(([, code = '']) => code);
    expect(snippets.length).toBeGreaterThan(8);
    for (const [number, code] of snippets.entries())
      writeFileSync(join(folder, `example-${number}.tsx`), code);
    const config = { extends: join(root, 'demo/app/tsconfig.json'), include: ['*.tsx'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});

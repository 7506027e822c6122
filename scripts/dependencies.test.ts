import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Rule {
  /** The folders whose files the rule is for. */
  readonly of: readonly string[];
  readonly isExempt?: (file: string) => boolean;
  /** The folders and packages of which they use nothing. */
  readonly without: readonly string[];
}

/** Unit tests next to the code may use what the suites share. */
const isTest = (file: string): boolean => /\.test\.|\/testing\//.test(file);

const WALLET_COMMAND = 'server/src/wallet-origin/cli.ts';

const RULES: readonly Rule[] = [
  {
    of: ['ts', 'react', 'server'],
    isExempt: isTest,
    without: ['dev', 'demo', 'tests', 'latchkey-dev', 'latchkey-demo-app', 'latchkey-demo-relay-node'],
  },
  // A server takes from the wallet what its entries give, so that both packages work wherever they are installed.
  { of: ['server'], isExempt: isTest, without: ['ts/src', 'ts/dist', 'react'] },
  // The command serves the kit's page, if that is installed. Nothing else of the servers knows the kit.
  {
    of: ['server/src'],
    isExempt: (file) => isTest(file) || file === WALLET_COMMAND,
    without: ['latchkey-react'],
  },
  { of: ['ts'], isExempt: isTest, without: ['server', 'latchkey-server', 'react'] },
  { of: ['dev'], without: ['demo', 'tests', 'latchkey-demo-app', 'latchkey-demo-relay-node'] },
];

const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** The texts in quotes that name another file: by its place relative to this one, from the root, or by its package. */
function namedIn(source: string, file: string): string[] {
  const texts = [...source.matchAll(/(['"`])((?:(?!\1)[^\n\\])*)\1/g)].map(([, , text = '']) => text);
  return texts.map((text) =>
    /^\.\.?\//.test(text) ? posix.join(posix.dirname(file), text) : text.replace(/\/$/, ''),
  );
}

/** What a file names against the rules. A root's folder counts only with something in it: `demo/app`, not `demo`. */
const trespasses = (source: string, file: string): string[] =>
  RULES.filter(({ of, isExempt }) => isIn(file, of) && !isExempt?.(file)).flatMap(({ without }) =>
    namedIn(source, file)
      .filter((named) => isIn(named, without) && /[/-]/.test(named))
      .map((named) => `${file} uses ${named}`),
  );

test.each([
  ['ts/src/a.ts', "import { b } from '../../dev/services/keys.js';", 'dev/services/keys.js'],
  ['react/src/a.tsx', "const b = await import('../../demo/serve-app.js');", 'demo/serve-app.js'],
  ['react/vite/a.ts', 'import "../../tests/support/steps.js";', 'tests/support/steps.js'],
  ['ts/build.mjs', "import { b } from 'latchkey-dev';", 'latchkey-dev'],
  ['ts/src/a/b.ts', "import { b } from '../../../server/src/index.js';", 'server/src/index.js'],
  ['ts/src/a.ts', "import { b } from 'latchkey-server/node';", 'latchkey-server/node'],
  ['server/src/a.ts', "import { b } from '../../ts/src/near/index.js';", 'ts/src/near/index.js'],
  ['server/src/a.ts', "import { b } from 'latchkey-react/wallet';", 'latchkey-react/wallet'],
  ['dev/a/a.test.ts', "import { b } from '../../tests/support/oracle.js';", 'tests/support/oracle.js'],
  ['dev/a/a.ts', "join(ROOT, 'demo/relay-node/main.js')", 'demo/relay-node/main.js'],
])('%s may not use what stands above it', (file, source, named) => {
  expect(trespasses(source, file)).toEqual([`${file} uses ${named}`]);
});

test.each([
  ['ts/src/a.test.ts', "import { b } from '../../tests/support/fault-proxy.js';"],
  ['server/src/testing/a.ts', "import { b } from '../../../dev/services/keys.js';"],
  ['server/src/a.ts', "import { b } from 'latchkey/internal/server';"],
  ['server/src/a.test.ts', "import { b } from '../../ts/src/near/index.js';"],
  ['ts/src/a.test.ts', "import { b } from '../../server/src/index.js';"],
  ['ts/src/frame/a.ts', "import { b } from '../demo/a.js'; const c = 'demo';"],
  ['dev/a/a.ts', "import { b } from '../../ts/src/near/index.js';"],
  ['demo/tour/a.ts', "import { b } from '../../tests/support/steps.js';"],
])('%s may use what stands below it, and in a test what the suites share', (file, source) => {
  expect(trespasses(source, file)).toEqual([]);
});

/** The files that a file imports for a value, also lazily. Types leave no import behind. */
function importsOf(source: string, file: string): string[] {
  const imports = [
    ...source.matchAll(/^(?:import|export)\s+(?!type\b)([^'"]*?)\s*(?:from\s*)?'(\.[^']+)';/gm),
  ]
    .filter(([, names = '']) => !isOfTypes(names))
    .map(([, , path = '']) => path);
  const lazily = [...source.matchAll(/\bimport\(\s*'(\.[^']+)'/g)].map(([, path = '']) => path);
  return [...imports, ...lazily].map((path) => posix.join(posix.dirname(file), path.replace(/\.js$/, '')));
}

/** Whether every name in braces is of a type. */
function isOfTypes(names: string): boolean {
  const listed = /^\{(.*)\}$/s.exec(names)?.[1]?.split(',') ?? [];
  const given = listed.map((name) => name.trim()).filter((name) => name !== '');
  return given.length > 0 && given.every((name) => name.startsWith('type '));
}

/** The first circle of imports from each file on, as the files in it. */
function circlesIn(sources: ReadonlyMap<string, string>): string[] {
  const names = new Map([...sources.keys()].map((file) => [file.replace(/\.tsx?$/, ''), file]));
  const isDone = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].join(' → '));
    if (at >= 0 || isDone.has(file)) return;
    for (const name of importsOf(sources.get(file) ?? '', file)) {
      const imported = names.get(name);
      if (imported) visit(imported, [...path, file]);
    }
    isDone.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return circles;
}

test.each([
  ["import { b } from './b.js';", "export * from './a.js';"],
  ["import {\n  type A,\n  b,\n} from './b.js';", "import './a.js';"],
  ["const b = await import('./b.js');", "import { a } from './a.js';"],
])('a circle is found: %s', (a, b) => {
  const sources = new Map([
    ['ts/src/a.ts', a],
    ['ts/src/b.ts', b],
  ]);
  expect(circlesIn(sources)).toEqual(['ts/src/a.ts → ts/src/b.ts → ts/src/a.ts']);
});

test('types make no circle', () => {
  const sources = new Map([
    ['ts/src/a.ts', "import type { B } from './b.js';\nimport { type C } from './b.js';"],
    ['ts/src/b.ts', "import { a } from './a.js';"],
  ]);
  expect(circlesIn(sources)).toEqual([]);
});

test('no file imports, also lazily, one that needs it', () => {
  const listed = execFileSync('git', ['ls-files', '-z', '--', 'ts/src', 'server/src', 'react', 'dev'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files = listed.split('\0').filter((file) => /\.tsx?$/.test(file) && existsSync(join(ROOT, file)));
  expect(files.length).toBeGreaterThan(800);
  const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  expect(circlesIn(sources)).toEqual([]);
});

test('no package and no part of dev uses what stands above it', () => {
  const folders = RULES.flatMap(({ of }) => of).filter((folder) => existsSync(join(ROOT, folder)));
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...folders], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => /\.(?:[cm]?[jt]sx?|json)$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => trespasses(readFileSync(join(ROOT, file), 'utf8'), file))).toEqual([]);
});

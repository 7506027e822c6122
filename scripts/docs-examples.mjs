// Compiles the examples of the documentation: every block of TypeScript in the READMEs and on every page for integrators.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The names that examples use without making them, as a page of an app has them. */
const SURROUNDINGS = `
declare global {
  const manager: import('latchkey').PasskeyManager;
  const wallet: import('latchkey').PasskeyManager;
  /** A user's other wallet, from near-connect. */
  const otherWallet: import('@hot-labs/near-connect').NearWalletBase;
  /** A voucher's private key, from your server's settings. */
  const privateKey: string;
  /** Your own look-up of an order, for a check of clients. */
  function findOrder(id: string | undefined, signal: AbortSignal): Promise<{ id: string; expiresAtMs: number } | null>;
}
export {};
`;

/** Packages that only examples need, and that an app of the reader has, with the place of their types. */
const OF_THE_READER = {
  // With the connector that it asks for, which is older than ours.
  'near-connect-hooks': '../tests/e2e/hooks-page/node_modules/near-connect-hooks/dist/index',
  vite: 'vite/dist/node/index',
  sonner: 'sonner',
  '@playwright/test': '@playwright/test',
  vitest: 'vitest/dist/index',
};

/** tests/packaging/use-better-auth.mjs compiles these, with Better Auth of npm, and runs them. */
const COMPILED_ELSEWHERE = /from 'better-auth\b/;

const READMES = ['README.md', 'ts/README.md', 'server/README.md', 'react/README.md', 'dev/README.md'];

/** Every block of code on the pages and in the READMEs. A block that declares a type alone is the reference's. */
export function codeBlocks() {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.mdx?$/.test(path))
    .toSorted()
    .map((path) => `docs/${path}`);
  return [...READMES, ...pages].flatMap((path) => {
    const page = readFileSync(join(ROOT, path), 'utf8');
    return [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)]
      .map(({ index, 1: language, 2: code }) => ({ path, line: lineAt(page, index) + 1, language, code }))
      .filter(({ code }) => !isGenerated(page) || code.startsWith('import '));
  });
}

const isGenerated = (page) => page.includes('Written by scripts/');
const lineAt = (text, index) => text.slice(0, index).split('\n').length;

/** Every example for integrators: its code, and a name of its page and line. */
export function examples() {
  return codeBlocks()
    .filter(({ path, language }) => /^tsx?$/.test(language) && !path.startsWith('docs/maintainers'))
    .filter(({ code }) => !COMPILED_ELSEWHERE.test(code))
    .map(({ path, line, language, code }) => ({
      name: `${path.replace(/\.mdx?$/, '').replaceAll('/', '.')}.${line}.${language}`,
      code,
    }));
}

/**
 * The calls of these names whose failure a block hides, each as `page:line name`: the block drops the result, or reads neither
 * `success` nor `error` nor `errorCode` anywhere. A comment reads nothing.
 */
export function hiddenFailures({ path, line, code }, names) {
  const spoken = code.replace(/(^|\s)\/\/.*/gm, '$1');
  const isShown = /(?<!console\.)\b(success|error|errorCode)\b/.test(spoken);
  const on = String.raw`[\w.?]+\.`;
  const dropped = String.raw`(?:^|[;{})]|\belse)\s*(?:await\s+(?:${on})?|${on})|\bvoid\s+(?:${on})?`;
  const any = String.raw`(?<!function )\b`;
  const calls = spoken.matchAll(new RegExp(`(?:${isShown ? dropped : any})(${names.join('|')})\\(`, 'g'));
  return [...calls].map(
    ({ 0: text, 1: name, index }) => `${path}:${line + lineAt(spoken, index + text.length) - 1} ${name}`,
  );
}

/** What the compiler says about the examples in a folder, whose own `node_modules` come first. Empty if all compile. */
export function compileExamples(folder) {
  mkdirSync(folder, { recursive: true });
  for (const { name, code } of examples()) writeFileSync(join(folder, name), `${code}\nexport {};\n`);
  writeFileSync(join(folder, 'surroundings.d.ts'), SURROUNDINGS);
  const modules = join(ROOT, 'node_modules');
  const config = {
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(modules, '@types')],
      paths: Object.fromEntries(
        ['react', 'react-dom']
          .map((name) => [name, [join(modules, '@types', name)]])
          .concat(
            ['react/jsx-runtime'].map((name) => [name, [join(modules, '@types/react/jsx-runtime')]]),
            Object.entries(OF_THE_READER).map(([name, types]) => [name, [join(modules, types)]]),
          ),
      ),
    },
    include: ['*'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(modules, 'typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}

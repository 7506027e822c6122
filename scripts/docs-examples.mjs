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
};

const READMES = ['README.md', 'ts/README.md', 'react/README.md'];

/** Every example: its page, its number on it, its code. A block that declares a type alone is the reference's. */
export function examples() {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.mdx?$/.test(path) && !path.startsWith('maintainers'))
    .toSorted()
    .map((path) => `docs/${path}`);
  return [...READMES, ...pages].flatMap((path) => {
    const page = readFileSync(join(ROOT, path), 'utf8');
    return isGenerated(page)
      ? [...page.matchAll(/```(ts|tsx)\n(import [\s\S]*?)```/g)].map(asExample(path))
      : [...page.matchAll(/```(ts|tsx)\n([\s\S]*?)```/g)].map(asExample(path));
  });
}

const isGenerated = (page) => page.includes('Written by scripts/');

const asExample =
  (path) =>
  ([, language, code], number) => ({
    name: `${path.replace(/\.mdx?$/, '').replaceAll('/', '.')}.${number + 1}.${language}`,
    code,
  });

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

/** What the pages say once for all: the address of the repository, the first commands, and the ports and variables of a stack. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DEFAULT_PORTS } from '../dev/services/ports.js';
import { variablesOf } from '../dev/stack/variables.js';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const CLONE_PAGE = 'docs/getting-started/help.mdx';

it('the address of the repository stands on the page of a clone alone, and is that of package.json', () => {
  const { repository, bugs } = JSON.parse(read('package.json')) as { repository: string; bugs: string };
  expect(read(CLONE_PAGE)).toContain(`git clone ${repository}\n`);
  expect(read(CLONE_PAGE)).toContain(`[issues]: ${bugs}\n`);
  const pages = readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.mdx?$/.test(path))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`);
  // The page on releases shows the placeholder itself.
  const others = pages.filter((path) => path !== CLONE_PAGE && path !== 'docs/maintainers/release.md');
  const { host } = new URL(repository);
  expect([...others, 'README.md'].filter((path) => read(path).includes(host))).toEqual([]);
});

it('README.md and the front page open with the same commands, before any other', () => {
  const first = (path: string) => /```sh\n([\s\S]*?)```/.exec(read(path))?.[1];
  expect(first('README.md')).toMatch(/^npm create latchkey my-app -- --template vite-react\n/);
  expect(first('docs/index.mdx')).toBe(first('README.md'));
  expect(first('docs/getting-started/create.mdx')).toBe(first('README.md'));
});

it('README.md is at most 6 KB', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(6 * 1024);
});

it('the page on ports and variables has every port of a stack and every variable of an app', () => {
  const page = read('docs/guides/ports-and-variables.mdx');
  for (const [, variable, port] of Object.values(DEFAULT_PORTS)) {
    expect(page).toContain(`\`${variable}\``);
    expect(page).toMatch(new RegExp(String.raw`\b${port}\b`));
  }
  const named = variablesOf({
    relayUrl: '',
    rpcUrls: [],
    registry: '',
    explorerUrl: null,
    walletOrigin: null,
  });
  for (const name of Object.keys(named)) expect(page).toContain(`\`${name}\``);
});
